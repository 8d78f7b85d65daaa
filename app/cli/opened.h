// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <string>
#include <string_view>

namespace cutaway::cli {

/// A model and the function of the requested name; without a name the main one. Errors: of plugin::open(), or an
/// unknown function, with the names that exist.
struct Opened {
    ir::Model model;
    ir::FunctionId function;
};
Result<Opened> openModel(const std::string &file, const std::string &functionName);

} // namespace cutaway::cli
