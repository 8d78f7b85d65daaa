// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

#include <string_view>

namespace cutaway::ops::demand {

/// Whether a size is known to be a multiple of another, or not known to be none.
bool mayDivide(const ir::Dim &size, const ir::Dim &divisor);

/// Whether two shapes may be one.
bool mayBe(const ir::Shape &shape, const ir::Shape &expected);

/// Whether all elements of a shape may go to places of another one, which it is broadcast to.
bool mayBroadcastTo(const ir::Shape &shape, const ir::Shape &target);

/// Whether a tensor of this shape may be one number for all: it has no dimensions, or is a vector of one element.
bool mayBeScalar(const ir::Shape &shape);

/// Whether an argument may have this shape; says so by Call::wrong() if it has not. `name`: "the scale"; `reason`: "as
/// the input has 3 channels".
bool expectShape(const Call &call, Position at, std::string_view name, const ir::Shape &expected,
                 std::string_view reason);

/// Whether an attribute that is given may have so many items; says so by Call::wrong() if it has not.
bool expectLength(const Call &call, std::string_view attribute, std::size_t expected, std::string_view reason);

} // namespace cutaway::ops::demand
