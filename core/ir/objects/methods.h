// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>
#include <string_view>

namespace cutaway::ir {

/// Returns the name of a class without the parts that TorchScript's compiler adds: "net.Block" for
/// "__torch__.net.___torch_mangle_3.Block".
std::string plainClassName(std::string_view name);

/// Returns the method of a class, "net.Block.forward"; nullptr if there is none, or several classes have that name.
const Function *onlyMethodOf(const Model &model, std::string_view plainName);

/// Returns the method of a module's class; nullptr if there is none, or several classes have that name.
const Function *methodOf(const Model &model, ModuleId module, std::string_view method);

} // namespace cutaway::ir
