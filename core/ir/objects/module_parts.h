// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <optional>
#include <string_view>

namespace cutaway::ir {

/// The submodule that a module has under a name.
std::optional<ModuleId> childOf(const Model &model, ModuleId module, std::string_view name);
/// The submodule of a ModuleList at a position, which is its name there: TorchScript does not count from the end.
std::optional<ModuleId> childAt(const Model &model, ModuleId module, std::int64_t position);
/// The tensor that is listed in a module under a name; one that another module has too may be an attribute instead.
std::optional<TensorId> tensorOf(const Model &model, ModuleId module, std::string_view name);
/// An attribute that is neither a submodule nor a tensor as above; nullptr if there is none.
const ModuleAttribute *attributeOf(const Model &model, ModuleId module, std::string_view name);

} // namespace cutaway::ir
