// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/write/original.h"

#include <span>
#include <string>

namespace cutaway::formats::pt2 {

/// Whether the program is called in another way than the original: with other user inputs, or with more or fewer
/// results.
bool isCalledAnew(const ir::Function &function, const Original &original);

/// Returns the module call graph for a program that isCalledAnew(): its inputs are positional, several results are a
/// tuple, and the entries of inner modules have no signatures. Lists and dictionaries among inputs and results are
/// nested as the model's metadata says, if that fits.
std::string callGraph(const ir::Model &model, const ir::Function &function, const Original &original,
                      std::span<const std::string> inputNames);

} // namespace cutaway::formats::pt2
