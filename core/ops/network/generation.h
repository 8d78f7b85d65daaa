// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Texts that a model inside the operator writes.
std::span<const Operator> generationOperators();

} // namespace cutaway::ops
