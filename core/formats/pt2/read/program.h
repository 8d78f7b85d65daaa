// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/json.h"
#include "core/formats/pt2/read/reading.h"
#include "core/formats/pt2/read/weights.h"

#include <string>

namespace cutaway::formats::pt2 {

/// Adds an exported program to the model as a function with this name. `modulePrefix` is put before the paths of its
/// modules: "" for the main program, "decoder." for another one.
void readProgram(Reading &reading, Json program, const std::string &functionName, const std::string &modulePrefix,
                 const Weights &weights);

} // namespace cutaway::formats::pt2
