// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/evaluate/evaluate.h"

#include <functional>

namespace cutaway::passes {

/// Computes a function on random inputs to measure how far the results of later states are from those of the first one.
/// Computes with Cutaway's own exact evaluator, which is slow and meant for small models, or with another backend.
class NumberCheck {
public:
    /// Another way to check a state than with the evaluator; returns the largest error.
    using Measure = std::function<Result<double>(const ir::Model &state, const Task &task)>;
    explicit NumberCheck(Measure measure) : m_measure(std::move(measure)) { }

    /// Makes a check with the evaluator. Tensors are ir::randomNumbers of analysis::inputRanges(), with consecutive
    /// seeds. Errors: Usage for an input of unknown size; Backend for what the evaluator does not support, with the
    /// operator; Cancelled.
    static Result<NumberCheck> of(const ir::Model &model, ir::FunctionId function, const analysis::Given &given = {},
                                  const Task &task = {}, std::uint32_t seed = 1);

    /// Returns a check that runs all of `checks`, at least one, and returns the largest error.
    static NumberCheck worstOf(std::vector<NumberCheck> checks);

    /// Returns a check for a model whose own results cannot be computed: it always returns the error `reason`.
    static NumberCheck unable(const Error &reason);

    /// Returns the largest absolute difference between elements of the results; infinite if shapes or dtypes differ, or
    /// only one side is a number. Errors: Backend if the state cannot be computed, although the first one could, or not
    /// all of its results can be compared; Cancelled.
    Result<double> largestError(const ir::Model &state, const Task &task = {}) const;
    /// Whether the largest error is known and at most `tolerance`. Errors: Cancelled.
    Result<bool> isWithin(double tolerance, const ir::Model &state, const Task &task = {}) const;

private:
    explicit NumberCheck(ir::FunctionId function) : m_function(function) { }
    /// Errors: Backend: what the evaluator does not support, or an input that a pass made; Cancelled.
    Result<compute::Values> results(const ir::Model &state, const Task &task) const;
    /// Errors: those of results(), or of m_measure.
    Result<double> measured(const ir::Model &state, const Task &task) const;

    ir::FunctionId m_function;
    Measure m_measure;                                        ///< replaces the evaluator if set
    std::optional<Error> m_unable;                            ///< why results cannot be compared; nothing if they can
    std::unordered_map<ir::ValueId, compute::Value> m_inputs; ///< by input, or weight that was opened as an input
    compute::Values m_expected;
    std::optional<ir::Function> m_first; ///< the function that computed m_expected
};

/// Returns the indices of the outputs of `later` that `earlier` has as well: all but the mutations that passes have
/// added.
std::vector<std::size_t> outputsOf(const ir::Function &later, const ir::Function &earlier);

} // namespace cutaway::passes
