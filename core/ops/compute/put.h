// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"
#include "core/ops/compute/places.h"

namespace cutaway::compute {

/// How an element that is put to a place is combined with the one that is there.
enum class Putting : std::uint8_t { Replace, Add, Multiply, Maximum, Minimum, Mean };

/// `x` with the elements of `source` put at places, one after the other; `source` is of the dtype of `x`. A mean is
/// only added up. No answer if there are not as many elements as places.
Answer putAt(Array x, const Places &places, const Array &source, Putting putting);

} // namespace cutaway::compute
