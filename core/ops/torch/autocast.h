// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

#include <string>

namespace cutaway::ops {

/// What torch.autocast says of operators on a kind of device: some cast their floating tensors, but for float64.
struct Autocast {
    std::string device; ///< "cpu", "cuda"
    ir::DType lower = ir::DType::BFloat16;
    std::optional<bool> isEnabled; ///< empty: not known

    /// As it is made of these arguments; without a dtype it is the device's own.
    Autocast(const Fact &device, const Fact &dtype, const Fact &enabled);
};

/// What the operator's row says, where that depends on an argument as it is here.
CastTo castOf(const Autocast &autocast, const Call &call);

/// A fact as the operator sees it; `wide`: whether one of its arguments is float32.
Fact cast(const Fact &fact, CastTo to, ir::DType lower, bool wide);
bool holdsFloat32(const Fact &fact);

} // namespace cutaway::ops
