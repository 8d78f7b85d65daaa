// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>

namespace cutaway::print {

/// A function as code in TorchScript's manner, whatever format it comes from: Python that reads well, with branches and
/// loops as such, weights as attributes of self, other regions as functions within, and comments where the module
/// changes. It says what is computed; it is not meant to be run. O(size of the function).
std::string torchScriptCode(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
