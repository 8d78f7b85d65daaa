// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/demands/expected.h"

#include "core/base/formatted.h"

#include <algorithm>

namespace cutaway::ops::demand {

bool mayDivide(const ir::Dim &size, const ir::Dim &divisor)
{
    const auto whole = number(size), part = number(divisor);
    return !whole || !part || (*part > 0 && *whole % *part == 0);
}

bool mayBe(const ir::Shape &shape, const ir::Shape &expected)
{
    return std::ranges::equal(shape, expected, [](const ir::Dim &a, const ir::Dim &b) { return !isDifferent(a, b); });
}

bool mayBroadcastTo(const ir::Shape &shape, const ir::Shape &target)
{
    return shape.size() <= target.size()
        && std::equal(shape.rbegin(), shape.rend(), target.rbegin(),
                      [](const ir::Dim &a, const ir::Dim &b) { return isOne(a) || !isDifferent(a, b); });
}

bool mayBeScalar(const ir::Shape &shape) { return shape.empty() || (shape.size() == 1 && !isDifferent(shape[0], one)); }

Met expectShape(const Call &call, Position at, std::string_view name, const ir::Shape &expected,
                std::string_view reason)
{
    const ir::Shape *shape = call.shape(at);
    if (!shape || mayBe(*shape, expected))
        return {};
    return wrong(
        formatted("{} has the shape {}, expected is {}, {}", name, ir::print(*shape), ir::print(expected), reason));
}

Met expectLength(const Call &call, std::string_view attribute, std::size_t expected, std::string_view reason)
{
    const auto items = call.sizes(attribute);
    if (!items || items->empty() || items->size() == expected)
        return {};
    return wrong(formatted("{} has {} number{}, expected {} {}, {}", attribute, items->size(),
                           items->size() == 1 ? "" : "s", expected == 1 ? "is" : "are", expected, reason));
}

} // namespace cutaway::ops::demand
