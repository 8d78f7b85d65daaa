// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

namespace cutaway::compute {

/// How the losses of elements become the result of a loss.
enum class LossReduction : std::uint8_t { None, Mean, Sum };

/// The reduction that a loss asks for, by at::Reduction's number or ONNX's text; nothing if it is not known.
std::optional<LossReduction> lossReductionOf(const Call &call);

/// All losses in their shape, their sum, or that over `divisor`, as the reduction of the call says.
std::optional<Array> reducedLoss(const Call &call, std::vector<double> losses, Sizes shape, double divisor);

} // namespace cutaway::compute
