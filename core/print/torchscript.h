// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>

namespace cutaway::print {

/// Prints a function of any format as readable Python in the style of TorchScript: branches and loops as statements,
/// weights as attributes of self, other regions as nested functions, and a comment where the module changes. The code
/// shows what is computed; it is not meant to be run. O(size of the function).
std::string torchScriptCode(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
