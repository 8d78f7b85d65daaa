// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/write/original.h"

#include <span>
#include <string>

namespace cutaway::formats::pt2 {

/// Whether the program is called in another way than the original: the user passes other inputs, or gets more or fewer
/// results.
bool isCalledAnew(const ir::Function &function, const Original &original);

/// The module's call graph for such a program: its inputs are positional, several results are a tuple. Nothing is said
/// about inner modules. Lists and dictionaries among inputs and results are as the model's metadata says, if that fits.
std::string callGraph(const ir::Model &model, const ir::Function &function, const Original &original,
                      std::span<const std::string> inputNames);

} // namespace cutaway::formats::pt2
