// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// The shape that two give together, see facts/broadcast.h. What that takes for granted of sizes is noted as needs of
/// the call.
std::optional<ir::Shape> broadcast(const Call &call, std::span<const ir::Dim> a, std::span<const ir::Dim> b);
std::optional<ir::Shape> broadcast(const Call &call, std::span<const ir::Shape *const> shapes);

} // namespace cutaway::ops
