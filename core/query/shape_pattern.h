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
    /// Any, a number, or a formula as it is printed.
    using Size = std::variant<Any, std::int64_t, std::string>;

    std::vector<Size> sizes;
    std::optional<std::size_t> rest = {}; ///< before which of them any number of further sizes may stand

    /// `shape`: nothing if the rank is not known.
    Match matches(const std::optional<ir::Shape> &shape) const;
    bool operator==(const ShapePattern &) const = default;
};

} // namespace cutaway::query
