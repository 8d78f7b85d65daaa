// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/weight.h"
#include "core/base/result.h"

#include <memory>
#include <span>

namespace cutaway::python {

/// A tensor's elements: little-endian, row-major. Elements that the file stores in this form are read from it when
/// somebody looks at them.
struct Elements {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};

/// Errors: those of ir::visitElements().
Result<Elements> elementsOf(const WeightHandle &weight);

/// Returns the elements as elementsOf() does, but always copied into memory of their own. Errors: as elementsOf().
Result<std::shared_ptr<std::vector<std::byte>>> copiedElements(const WeightHandle &weight);

} // namespace cutaway::python
