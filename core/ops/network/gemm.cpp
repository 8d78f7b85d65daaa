// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/gemm.h"

#include "core/base/formatted.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/network/matrix_shape.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

struct GemmFactors {
    std::optional<ir::Shape> a, b; ///< as they are multiplied
};

/// transBatch takes the first dimension of a batch to just before the last one.
std::optional<ir::Shape> turned(const Call &call, std::size_t place, std::string_view trans,
                                std::string_view transBatch)
{
    const ir::Shape *shape = call.shape(place);
    if (!shape)
        return std::nullopt;
    ir::Shape made = *shape;
    if (call.flag(transBatch).value_or(false) && made.size() > 2)
        std::rotate(made.begin(), made.begin() + 1, made.end() - 1);
    return call.flag(trans).value_or(false) ? transposed(std::move(made)) : made;
}

GemmFactors factorsAt(const Call &call, std::size_t first, std::size_t second)
{
    return {turned(call, first, "transA", "transBatchA"), turned(call, second, "transB", "transBatchB")};
}

Facts multiply(const Call &call, const GemmFactors &factors, std::optional<ir::DType> dtype, const ir::Shape *added)
{
    if (!factors.a || !factors.b)
        return onlyType(call, dtype, "the number of dimensions of a factor is not known");
    auto shape = productShape(*factors.a, *factors.b);
    if (!shape)
        return call.wrong(formatted("cannot multiply {} by {}", ir::print(*factors.a), ir::print(*factors.b)));
    if (added && !broadcast(*added, *shape))
        return call.wrong(formatted("cannot add {} to {}", ir::print(*added), ir::print(*shape)));
    return {tensorFact(dtype, std::move(shape))};
}

Cost costOfFactors(const GemmFactors &factors)
{
    return factors.a && factors.b ? productCost(&*factors.a, &*factors.b) : Cost{ir::UnknownDim{}};
}

bool isGemm(const Call &call) { return call.name().contains("Gemm"); }

} // namespace

Facts gemm(const Call &call)
{
    const auto asked = call.dtype("dtype"); // GemmFloat8's
    return multiply(call, factorsAt(call, 0, 1), asked ? asked : call.dtypeOf(0u),
                    isGemm(call) ? call.shape(2u) : nullptr);
}

Cost gemmCost(const Call &call, std::span<const Fact> results)
{
    Cost cost = costOfFactors(factorsAt(call, 0, 1));
    if (isGemm(call) && call.has(2u))
        cost.otherFlops = plus(cost.otherFlops, onePerResult(call, results).otherFlops);
    return cost;
}

Facts quantizedGemm(const Call &call)
{
    const auto dtype = call.has(8u) ? call.dtypeOf(8u) : call.dtypeOf(1u);
    return multiply(call, factorsAt(call, 0, 3), dtype, call.shape(6u));
}

Cost quantizedGemmCost(const Call &call, std::span<const Fact>) { return costOfFactors(factorsAt(call, 0, 3)); }

namespace {

/// The weight's rows or columns: an attribute, or, of MatMulFpQ4, one of two elements of an input.
std::optional<ir::Dim> packedSize(const Call &call, std::string_view name)
{
    const auto both = call.sizes(2u);
    if (call.name() != "MatMulFpQ4")
        return call.size(name);
    return both && both->size() == 2 ? std::optional(name == "K" ? both->front() : both->back()) : std::nullopt;
}

} // namespace

Facts packedMatmul(const Call &call)
{
    const ir::Shape *input = call.shape(0u);
    const auto columns = packedSize(call, "N"), inner = packedSize(call, "K");
    if (!input || input->empty() || !columns)
        return onlyType(call, call.dtypeOf(0u), "the shape of the input or the weight is not known");
    if (inner && isDifferent(input->back(), *inner))
        return call.wrong(formatted("expected {} columns, found {}", ir::print(*inner), ir::print(*input)));
    ir::Shape shape = *input;
    shape.back() = *columns;
    return {tensorFact(call.dtypeOf(0u), std::move(shape))};
}

Cost packedMatmulCost(const Call &call, std::span<const Fact>)
{
    const ir::Shape *input = call.shape(0u);
    const auto columns = packedSize(call, "N");
    if (!input || !columns)
        return {ir::UnknownDim{}};
    return {times({std::int64_t{2}, elementsOf(*input), *columns})};
}

} // namespace cutaway::ops
