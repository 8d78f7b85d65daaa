// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

namespace cutaway::ir {

/// "__torch__.net.___torch_mangle_3.Block" without what TorchScript's compiler put in: "net.Block".
std::string plainClassName(std::string_view name);

/// The method of a class, "net.Block.forward"; nullptr: there is none, or several classes have that name.
const Function *onlyMethodOf(const Model &model, std::string_view plainName);

} // namespace cutaway::ir
