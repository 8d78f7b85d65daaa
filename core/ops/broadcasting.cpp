// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/broadcasting.h"

#include "core/ops/facts/broadcast.h"

#include <algorithm>

namespace cutaway::ops {

std::optional<ir::Shape> broadcast(const Call &call, std::span<const ir::Dim> a, std::span<const ir::Dim> b)
{
    auto shape = broadcast(a, b);
    const std::size_t common = shape ? std::min(a.size(), b.size()) : 0;
    for (std::size_t i = 1; i <= common; ++i)
        call.need({SizeNeed::Kind::Fitting, a[a.size() - i], b[b.size() - i]});
    return shape;
}

std::optional<ir::Shape> broadcast(const Call &call, std::span<const ir::Shape *const> shapes)
{
    std::optional<ir::Shape> together = ir::Shape();
    for (const ir::Shape *shape : shapes)
        if (together)
            together = broadcast(call, *together, *shape);
    return together;
}

} // namespace cutaway::ops
