// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/evaluate/evaluate.h"

#include <functional>

namespace cutaway::passes {

/// Computes a function on random inputs, to tell how far the results of its later states are from those of the first
/// one: by Cutaway's own exact evaluator, for small models, for nothing is fast about it; or by something else.
class NumberCheck {
public:
    /// What else computes a state, and tells the largest error of that.
    using Measure = std::function<Result<double>(const ir::Model &state, const Task &task)>;
    explicit NumberCheck(Measure measure) : m_measure(std::move(measure)) { }

    /// Tensors get ir::randomNumbers, each the seed behind that of the one before. Errors (Usage): an input whose sizes
    /// are not known; (Backend): what the evaluator does not know, with the operator; Cancelled.
    static Result<NumberCheck> of(const ir::Model &model, ir::FunctionId function, const analysis::Given &given = {},
                                  const Task &task = {});

    /// The largest absolute difference of an element of a result; infinite where results are of other shapes or dtypes,
    /// or a number on one side only. Errors: as above.
    Result<double> largestError(const ir::Model &state, const Task &task = {}) const;

private:
    explicit NumberCheck(ir::FunctionId function) : m_function(function) { }
    Result<evaluate::Values> results(const ir::Model &state, const Task &task) const;

    ir::FunctionId m_function;
    Measure m_measure;                                         ///< in place of the evaluator, if there is one
    std::unordered_map<ir::ValueId, evaluate::Value> m_inputs; ///< of the first state's body
    evaluate::Values m_expected;
};

} // namespace cutaway::passes
