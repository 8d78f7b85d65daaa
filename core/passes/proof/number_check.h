// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/evaluate/evaluate.h"

#include <functional>

namespace cutaway::passes {

/// Computes a function on random inputs to measure how far the results of later states are from those of the first one:
/// by Cutaway's own exact evaluator, which is slow and meant for small models, or by another backend.
class NumberCheck {
public:
    /// Another way to compute a state; returns its largest error.
    using Measure = std::function<Result<double>(const ir::Model &state, const Task &task)>;
    explicit NumberCheck(Measure measure) : m_measure(std::move(measure)) { }

    /// Tensors are ir::randomNumbers of analysis::inputRanges(), with consecutive seeds. Errors: Usage for an input of
    /// unknown size; Backend for what the evaluator does not support, with the operator; Cancelled.
    static Result<NumberCheck> of(const ir::Model &model, ir::FunctionId function, const analysis::Given &given = {},
                                  const Task &task = {}, std::uint32_t seed = 1);

    /// A check that runs all of `checks`, at least one, and returns the largest error.
    static NumberCheck worstOf(std::vector<NumberCheck> checks);

    /// A check for a model whose own results cannot be computed: it always returns this error.
    static NumberCheck unable(const Error &reason);

    /// The largest absolute difference between elements of the results; infinite if shapes or dtypes differ, or only
    /// one side is a number. Errors: Backend: the state cannot be computed, although the first one could, or not all
    /// of its results be compared; Cancelled.
    Result<double> largestError(const ir::Model &state, const Task &task = {}) const;
    /// Whether the largest error is known and at most `tolerance`. Errors: Cancelled.
    Result<bool> isWithin(double tolerance, const ir::Model &state, const Task &task = {}) const;

private:
    explicit NumberCheck(ir::FunctionId function) : m_function(function) { }
    /// Errors: Backend: what the evaluator does not support, or an input that a pass made; Cancelled.
    Result<compute::Values> results(const ir::Model &state, const Task &task) const;
    /// Errors: those of results(), or of the other way to compute.
    Result<double> measured(const ir::Model &state, const Task &task) const;

    ir::FunctionId m_function;
    Measure m_measure;                                        ///< replaces the evaluator if set
    std::optional<Error> m_unable;                            ///< why nothing can be measured
    std::unordered_map<ir::ValueId, compute::Value> m_inputs; ///< by input or open weight
    compute::Values m_expected;
    std::optional<ir::Function> m_first; ///< whose results these are
};

/// The indices of the outputs of `later` that it shares with `earlier`: all but mutations that came since.
std::vector<std::size_t> outputsOf(const ir::Function &later, const ir::Function &earlier);

} // namespace cutaway::passes
