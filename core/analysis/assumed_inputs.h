// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <span>
#include <string>

namespace cutaway::analysis {

/// The code of the diagnostic that reports an assumption.
inline constexpr std::string_view assumedInput = "input.assumed";

/// Gives a symbol, "x_2", to every unknown dimension of a tensor input, so that sizes that depend on it are formulas
/// and can be bound. If not even the rank is in the file, it follows from the first operator that reads the input and
/// has a weight: a convolution, a matrix product, an embedding. A diagnostic tells of each input whose rank is assumed.
/// Inputs in `given` stay as they are.
void assumeInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> given = {});

} // namespace cutaway::analysis
