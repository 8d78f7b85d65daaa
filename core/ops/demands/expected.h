// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

#include <string_view>

namespace cutaway::ops::demand {

/// Whether `size` may be a multiple of `divisor`: false only if it is known not to be.
bool mayDivide(const ir::Dim &size, const ir::Dim &divisor);

/// Whether two shapes may be equal.
bool mayBe(const ir::Shape &shape, const ir::Shape &expected);

/// Whether a shape may be broadcast to `target` without changing `target`.
bool mayBroadcastTo(const ir::Shape &shape, const ir::Shape &target);

/// Whether a tensor of this shape may be one number for all: it has no dimensions, or is a vector of one element.
bool mayBeScalar(const ir::Shape &shape);

/// Demands that an argument may have this shape. `name`: "the scale"; `reason`: "as the input has 3 channels".
Met expectShape(const Call &call, Position at, std::string_view name, const ir::Shape &expected,
                std::string_view reason);

/// Demands that an attribute, if it is given, has this number of items.
Met expectLength(const Call &call, std::string_view attribute, std::size_t expected, std::string_view reason);

} // namespace cutaway::ops::demand
