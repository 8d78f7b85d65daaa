// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <string>
#include <string_view>

namespace cutaway::cli {

/// Opens a model and finds the function of this name in it; no name: the main one. Errors: of plugin::open(), or that
/// there is no such function and which there are.
struct Opened {
    ir::Model model;
    ir::FunctionId function;
};
Result<Opened> openModel(const std::string &file, const std::string &functionName);

} // namespace cutaway::cli
