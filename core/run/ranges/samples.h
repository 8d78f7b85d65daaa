// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/inputs.h"

#include <span>

namespace cutaway::run {

/// Returns the inputs of each run: `inputs`, some of which are replaced by parts of arrays from files. Texts are
/// "x=FILE.npy", or "FILE.npz", whose members are named like inputs. An array's first dimension counts rows; a sample
/// takes as many rows as the input has, and an array of the input's shape is one sample. Errors: Usage: an unknown
/// input, another dtype, a number of rows that is no multiple, inputs with different numbers of samples; Unreadable:
/// the file.
Result<std::vector<Inputs>> sampledInputs(const Inputs &inputs, std::span<const std::string> texts);

} // namespace cutaway::run
