// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"
#include "core/query/match.h"

#include <optional>
#include <variant>
#include <vector>

namespace cutaway::query {

/// A pattern for the sizes of a tensor: `[1, *, 224]`, `[..., 64]`.
struct ShapePattern {
    struct Any {
        bool operator==(const Any &) const = default;
    };
    /// Any size, a number, or a formula in its printed form.
    using Size = std::variant<Any, std::int64_t, std::string>;

    std::vector<Size> sizes;
    /// The index before which any number of further sizes may be; nothing: the rank is fixed.
    std::optional<std::size_t> rest = {};

    /// Whether a shape matches; it is nothing if the rank is not known.
    Match matches(const std::optional<ir::Shape> &shape) const;
    bool operator==(const ShapePattern &) const = default;
};

} // namespace cutaway::query
