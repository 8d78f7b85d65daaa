// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <string>

namespace cutaway::request {

/// Returns the function of this name; without a name, the main one. Errors: Unreadable: the model has no function;
/// Usage: there is none of this name, with the names that exist.
Result<ir::FunctionId> findFunction(const ir::Model &model, const std::string &name);

} // namespace cutaway::request
