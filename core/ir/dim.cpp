// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/dim.h"

#include "core/base/checked.h"

#include <algorithm>

namespace cutaway::ir {

std::string print(const Dim &dim)
{
    if (const auto *n = std::get_if<std::int64_t>(&dim))
        return std::to_string(*n);
    if (const auto *expr = std::get_if<symbolic::Expr>(&dim))
        return symbolic::print(*expr);
    return "?";
}

std::string print(const Shape &shape)
{
    std::string out = "[";
    for (const Dim &dim : shape)
        (out += out.size() > 1 ? ", " : "") += print(dim);
    return out += "]";
}

std::optional<std::int64_t> elementCount(const Shape &shape)
{
    if (std::ranges::contains(shape, Dim(std::int64_t{0})))
        return 0; // also if the product of the other sizes would overflow
    std::optional<std::int64_t> count = 1;
    for (const Dim &dim : shape) {
        const auto *n = std::get_if<std::int64_t>(&dim);
        count = n && *n >= 0 ? checkedMultiply(*count, *n) : std::nullopt;
        if (!count)
            break;
    }
    return count;
}

} // namespace cutaway::ir
