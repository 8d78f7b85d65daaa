// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

#include <string>

namespace cutaway::ops {

/// A context of torch.autocast for one kind of device: some operators in it cast their floating tensors, except
/// float64.
struct Autocast {
    std::string device; ///< "cpu", "cuda"
    ir::DType lower = ir::DType::BFloat16;
    std::optional<bool> isEnabled; ///< empty: not known

    /// Makes the context of these arguments of torch.autocast; without a dtype it has the device's own.
    Autocast(const Fact &device, const Fact &dtype, const Fact &enabled);
};

/// Returns the cast of the operator's row; if it depends on an argument, the cast for this call.
CastTo castOf(const Autocast &autocast, const Call &call);

/// Returns an operand's fact after the cast; `wide`: whether any operand is float32.
Fact cast(const Fact &fact, CastTo to, ir::DType lower, bool wide);
bool holdsFloat32(const Fact &fact);

} // namespace cutaway::ops
