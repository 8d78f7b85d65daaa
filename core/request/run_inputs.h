// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/request/example_sizes.h"
#include "core/run/inputs.h"

namespace cutaway::request {

/// The inputs that a function is run with; they are random where the user gave none.
struct RunInputs {
    analysis::Given given; ///< the given values, completed by values for all sizes of inputs
    run::Inputs inputs;
    std::string note; ///< a message about sizes that neither the file nor the user fixes; "" if there are none
    std::vector<ir::ValueId> open; ///< the inputs that have such sizes
};

/// Returns values for the free symbols in the sizes of a function's inputs.
ExampleSizes openSizes(const ir::Model &model, ir::FunctionId function, const analysis::Shapes &shapes);

/// Makes random inputs in place of those not in `tensors`. Errors: those of run::makeInputs().
Result<RunInputs> runInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                            const run::GivenTensors &tensors, std::uint32_t seed);

} // namespace cutaway::request
