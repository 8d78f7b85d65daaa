// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/packed_matmul.h"

#include "core/base/formatted.h"
#include "core/ops/network/matrix_shape.h"

namespace cutaway::ops {

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
    if (inner && !call.needSame(input->back(), *inner))
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
