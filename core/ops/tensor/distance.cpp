// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/distance.h"

#include "core/base/formatted.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/network/matrix_shape.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <array>

namespace cutaway::ops {

namespace {

/// Returns the distances of points: the tensors' last two dimensions are the points and their coordinates.
Answer cdist(const Call &call)
{
    const ir::Shape *a = call.shape(0u), *b = call.shape(1u);
    if (!a || !b)
        return onlyType(call.dtypeOf(0u), "number of dimensions unknown");
    auto shape = productShape(call, *a, transposed(*b));
    if (!shape)
        return wrong(formatted("{} and {} are not points of one space", ir::print(*a), ir::print(*b)));
    return {tensorFact(call.dtypeOf(0u), std::move(shape))};
}

Cost cdistCost(const Call &call, std::span<const Fact> results)
{
    const ir::Shape *a = call.shape(0u);
    const ir::Dim pairs = onePerResult(call, results).otherFlops;
    return {std::int64_t{0}, a && !a->empty() ? times({std::int64_t{3}, pairs, a->back()}) : ir::Dim(ir::UnknownDim{})};
}

Answer pdist(const Call &call)
{
    const ir::Shape *points = call.shape(0u);
    if (!points || points->size() != 2)
        return onlyType(call.dtypeOf(0u), "number of points unknown");
    const ir::Dim n = points->front();
    return {tensorFact(call.dtypeOf(0u), ir::Shape{floorDivide(times(n, minus(n, std::int64_t{1})), std::int64_t{2})})};
}

/// Broadcasts the operands and reduces the dimension `dim`, for pairwise_distance and cosine_similarity.
Answer alongOne(const Call &call, std::optional<ir::DType> dtype, std::int64_t dim, bool isKept)
{
    const ir::Shape *a = call.shape(0u), *b = call.shape(1u);
    if (!a || !b)
        return onlyType(dtype, "number of dimensions unknown");
    auto shape = broadcast(*a, *b);
    if (!shape)
        return wrong(formatted("cannot broadcast {} with {}", ir::print(*a), ir::print(*b)));
    const auto at = dimension(dim, std::max(shape->size(), std::size_t{1}));
    if (!at)
        return wrong(formatted("{} has no dimension {}", ir::print(*shape), dim));
    if (!shape->empty() && isKept)
        (*shape)[*at] = std::int64_t{1};
    else if (!shape->empty())
        shape->erase(shape->begin() + static_cast<std::ptrdiff_t>(*at));
    return {tensorFact(dtype, std::move(shape))};
}

Answer pairwiseDistance(const Call &call)
{
    const std::array<const Fact *, 2> facts{&call[0u], &call[1u]};
    const auto promoted = resultType(facts);
    const auto dtype = promoted ? std::optional(realType(floatType(*promoted))) : std::nullopt;
    return alongOne(call, dtype, -1, call.flag("keepdim").value_or(false));
}

/// torch expands the operands before it promotes their dtypes, so that no operand counts as a tensor without
/// dimensions.
Answer cosineSimilarity(const Call &call)
{
    const auto a = call.dtypeOf(0u), b = call.dtypeOf(1u);
    const auto dtype = a && b ? std::optional(floatType(promote(*a, *b))) : std::nullopt;
    return alongOne(call, dtype, call.integer("dim").value_or(1), false);
}

Cost vectorCost(const Call &call, std::span<const Fact> results)
{
    const Cost each = onePerArgument(call, results);
    return {std::int64_t{0}, times(std::int64_t{3}, each.otherFlops)};
}

constexpr Operator distanceRows[] = {
    Operator("aten::cdist", Category::MatrixProduct, Pattern::Other, cdist, cdistCost,
             {.compute = compute::pairDistances,
              .formula = "_cdist_forward(x1, x2, p, compute_mode)",
              .cpuAutocast = CastTo::Float32,
              .cudaAutocast = CastTo::Float32}),
    Operator("aten::_cdist_forward aten::_euclidean_dist com.microsoft::CDist", Category::MatrixProduct, Pattern::Other,
             cdist, cdistCost),
    Operator("aten::pdist", Category::MatrixProduct, Pattern::Other, pdist, vectorCost,
             {.cudaAutocast = CastTo::Float32}),
    Operator("aten::_pdist_forward", Category::MatrixProduct, Pattern::Other, pdist, vectorCost),
    Operator("aten::pairwise_distance", Category::MatrixProduct, Pattern::Other, pairwiseDistance, vectorCost,
             {.compute = compute::distanceOfPairs, .formula = "norm(x1 - x2 + eps, p, [-1], keepdim)"}),
    Operator("aten::cosine_similarity", Category::MatrixProduct, Pattern::Other, cosineSimilarity, vectorCost,
             {.compute = compute::cosineSimilarity,
              .formula =
                  "a = x1 / clamp(sqrt(sum(x1 * x1, dim, True)), eps); b = x2 / clamp(sqrt(sum(x2 * x2, dim, "
                  "True)), eps); sum(a * b, dim) if isFloating(x1) and dtype(x1) == dtype(x2) and isSameShape(x1, x2)",
              .cudaAutocast = CastTo::Float32}),
};

} // namespace

std::span<const Operator> distanceOperators() { return distanceRows; }

} // namespace cutaway::ops
