// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/evaluate/evaluate.h"

namespace cutaway::passes {

/// Computes a function on random inputs, by Cutaway's own exact evaluator, to tell how far the results of its later
/// states are from those of the first one. For small models: nothing is fast about it.
class NumberCheck {
public:
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
    std::unordered_map<ir::ValueId, evaluate::Value> m_inputs; ///< of the first state's body
    evaluate::Values m_expected;
};

} // namespace cutaway::passes
