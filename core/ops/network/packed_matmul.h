// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

// MatMulNBits and its kind of ONNX Runtime: the weight is packed, the attributes K and N are its sizes.
Facts packedMatmul(const Call &call);
Cost packedMatmulCost(const Call &call, std::span<const Fact> results);

} // namespace cutaway::ops
