// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The shape that two shapes are broadcast to, see facts/broadcast.h. Its assumptions on sizes are noted as needs of
/// the call.
std::optional<ir::Shape> broadcast(const Call &call, std::span<const ir::Dim> a, std::span<const ir::Dim> b);
std::optional<ir::Shape> broadcast(const Call &call, std::span<const ir::Shape *const> shapes);

} // namespace cutaway::ops
