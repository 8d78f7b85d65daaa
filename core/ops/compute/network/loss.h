// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

namespace cutaway::compute {

/// How the losses of elements are reduced.
enum class LossReduction : std::uint8_t { None, Mean, Sum };

/// The reduction that a loss asks for, by at::Reduction's number or ONNX's text; nothing if it is not known.
std::optional<LossReduction> lossReductionOf(const Call &call);

/// Returns the losses in their shape, their sum, or their sum divided by `divisor`, depending on the call's reduction.
std::optional<Array> reducedLoss(const Call &call, std::vector<double> losses, Sizes shape, double divisor);

} // namespace cutaway::compute
