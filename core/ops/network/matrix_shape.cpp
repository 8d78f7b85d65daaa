// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/matrix_shape.h"

#include "core/ops/broadcasting.h"
#include "core/ops/facts/broadcast.h"

namespace cutaway::ops {

namespace {

/// Returns the dimensions before the last two.
std::span<const ir::Dim> batchOf(std::span<const ir::Dim> shape)
{
    return shape.first(shape.size() - std::min<std::size_t>(shape.size(), 2));
}

/// Returns the size of the right factor's dimension that is summed over.
const ir::Dim &innerOf(const ir::Shape &b) { return b.size() == 1 ? b.front() : b[b.size() - 2]; }

} // namespace

std::optional<ir::Shape> productShape(const ir::Shape &a, const ir::Shape &b)
{
    if (a.empty() || b.empty() || isDifferent(a.back(), innerOf(b)))
        return std::nullopt;
    auto shape = broadcast(batchOf(a), batchOf(b));
    if (!shape)
        return std::nullopt;
    if (a.size() > 1)
        shape->push_back(a[a.size() - 2]);
    if (b.size() > 1)
        shape->push_back(b.back());
    return shape;
}

std::optional<ir::Shape> productShape(const Call &call, const ir::Shape &a, const ir::Shape &b)
{
    auto shape = productShape(a, b);
    if (shape) {
        call.needSame(a.back(), innerOf(b));
        broadcast(call, batchOf(a), batchOf(b));
    }
    return shape;
}

Cost productCost(const ir::Shape *a, const ir::Shape *b)
{
    const auto shape = a && b ? productShape(*a, *b) : std::nullopt;
    if (!shape)
        return {ir::UnknownDim{}};
    const ir::Dim flops = times({std::int64_t{2}, elementsOf(*shape), a->back()});
    return b->size() == 1 ? Cost{std::int64_t{0}, flops} : Cost{flops};
}

ir::Shape transposed(ir::Shape shape)
{
    if (shape.size() > 1)
        std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    return shape;
}

ir::Dim times(std::initializer_list<ir::Dim> factors) { return product({factors.begin(), factors.end()}); }

Answer onlyType(std::optional<ir::DType> dtype, std::string reason)
{
    return {Facts{tensorFact(dtype)}, unknown(std::move(reason))};
}

} // namespace cutaway::ops
