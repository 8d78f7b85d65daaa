// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Operators that generate texts with a model inside them.
std::span<const Operator> generationOperators();

} // namespace cutaway::ops
