// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/frame.h"

namespace cutaway::formats::torchscript {

/// Returns the type that `name` would have after statements that are not lowered; nothing if they do not show it.
std::optional<ir::TypeId> typeBehind(std::span<const StatementId> statements, std::string_view name, Frame &frame,
                                     Types &types);

} // namespace cutaway::formats::torchscript
