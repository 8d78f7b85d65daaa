// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/request/example_sizes.h"
#include "core/run/inputs.h"

namespace cutaway::request {

/// What a function is run with where a person has not given everything.
struct RunInputs {
    analysis::Given given; ///< with values for all sizes of inputs
    run::Inputs inputs;
    std::string note; ///< which sizes were chosen, where neither the file nor the person fixes them; "" else
    std::vector<ir::ValueId> open; ///< the inputs that have such sizes
};

/// Values for the symbols that are free in the sizes of a function's inputs.
ExampleSizes openSizes(const ir::Model &model, ir::FunctionId function, const analysis::Shapes &shapes);

/// Inputs that are not among `tensors` are random. Errors: those of run::makeInputs().
Result<RunInputs> runInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                            const run::GivenTensors &tensors, std::uint32_t seed);

} // namespace cutaway::request
