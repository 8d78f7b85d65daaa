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
    /// Tensors of floats get numbers from -1 to 1, of whole numbers 0 and 1; the same for the same seed. Errors
    /// (Usage): an input whose sizes are not known; (Backend): an operator that the evaluator does not know, with the
    /// node.
    static Result<NumberCheck> of(std::shared_ptr<const ir::Model> model, ir::FunctionId function,
                                  const analysis::Given &given = {}, std::uint32_t seed = 1);

    /// The largest absolute difference of an element of a result; infinite where results are of other shapes or dtypes,
    /// or a number on one side only. Errors: as above.
    Result<double> largestError(const ir::Model &state) const;

private:
    NumberCheck(ir::FunctionId function, std::vector<std::pair<ir::ValueId, evaluate::Value>> inputs)
        : m_function(function),
          m_inputs(std::move(inputs))
    {
    }
    Result<evaluate::Values> results(const ir::Model &state) const;

    ir::FunctionId m_function;
    std::vector<std::pair<ir::ValueId, evaluate::Value>> m_inputs; ///< of the first state's body
    evaluate::Values m_expected;
};

} // namespace cutaway::passes
