// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

namespace kind {
inline constexpr OperatorKind append{"append"};
} // namespace kind

/// Lists, dicts, tuples, sequences, optionals.
std::span<const Operator> containerOperators();

} // namespace cutaway::ops
