// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/weight.h"
#include "core/base/result.h"

#include <memory>
#include <span>

namespace cutaway::python {

/// A tensor's elements: little-endian, row-major. If the file stores them in this form, they refer to the mapped file,
/// and are read on first access.
struct Elements {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};

/// Returns the elements of a tensor. Errors: those of ir::visitElements().
Result<Elements> elementsOf(const WeightHandle &weight);

/// Returns the elements as elementsOf() does, but always as a copy. Errors: those of elementsOf().
Result<std::shared_ptr<std::vector<std::byte>>> copiedElements(const WeightHandle &weight);

} // namespace cutaway::python
