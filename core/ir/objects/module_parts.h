// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <optional>
#include <string_view>

namespace cutaway::ir {

/// Returns the submodule that a module has under a name.
std::optional<ModuleId> childOf(const Model &model, ModuleId module, std::string_view name);
/// Returns the submodule of a ModuleList at a position, which is its name: TorchScript does not count from the end.
std::optional<ModuleId> childAt(const Model &model, ModuleId module, std::int64_t position);
/// Returns the tensor that a module lists under a name. A tensor that several modules have may be listed by only one of
/// them; the others then have it as an attribute, see attributeOf().
std::optional<TensorId> tensorOf(const Model &model, ModuleId module, std::string_view name);
/// Returns the attribute of a module that is neither a submodule nor a listed tensor; nullptr if there is none.
const ModuleAttribute *attributeOf(const Model &model, ModuleId module, std::string_view name);

} // namespace cutaway::ir
