// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// Returns the shape that two shapes are broadcast to, as facts/broadcast.h does, and notes the assumptions on their
/// sizes as needs of the call.
std::optional<ir::Shape> broadcast(const Call &call, std::span<const ir::Dim> a, std::span<const ir::Dim> b);
std::optional<ir::Shape> broadcast(const Call &call, std::span<const ir::Shape *const> shapes);

} // namespace cutaway::ops
