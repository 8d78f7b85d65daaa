// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Operators of ai.onnx.ml and of ONNX's training domain.
std::span<const Operator> machineLearningOperators();

} // namespace cutaway::ops
