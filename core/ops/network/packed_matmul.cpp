// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/packed_matmul.h"

#include "core/base/formatted.h"
#include "core/ops/network/matrix_shape.h"

namespace cutaway::ops {

namespace {

/// Returns the weight's rows (K) or columns (N): an attribute, or, for MatMulFpQ4, one of two elements of an input.
std::optional<ir::Dim> packedSize(const Call &call, std::string_view name)
{
    const auto both = call.sizes(2u);
    if (call.name() != "MatMulFpQ4")
        return call.size(name);
    return both && both->size() == 2 ? std::optional(name == "K" ? both->front() : both->back()) : std::nullopt;
}

std::optional<ir::DType> askedDType(const Call &call, std::optional<ir::DType> defaultDType)
{
    const auto asked = call.dtype("out_dtype");
    return asked ? asked : defaultDType;
}

/// The shapes of two factors of two or three dimensions each.
struct Factors {
    const ir::Shape &a, &b;
    static std::optional<Factors> of(const Call &call)
    {
        const ir::Shape *a = call.shape(0u), *b = call.shape(1u);
        const auto isFactor = [](const ir::Shape *shape) {
            return shape && (shape->size() == 2 || shape->size() == 3);
        };
        return isFactor(a) && isFactor(b) ? std::optional(Factors{*a, *b}) : std::nullopt;
    }
};

/// Returns the input's shape with another last size.
Answer linearTo(const Call &call, std::optional<ir::DType> dtype, ir::Dim columns)
{
    auto shape = shapeAt(call, 0);
    if (!shape || shape->empty())
        return onlyType(dtype, "input shape unknown");
    shape->back() = std::move(columns);
    return {tensorFact(dtype, std::move(shape))};
}

ir::Dim sizeNamed(const Call &call, std::string_view name, std::size_t dim)
{
    const ir::Shape *shape = call.shape(name);
    return shape && dim < shape->size() ? (*shape)[dim] : ir::Dim(ir::UnknownDim{});
}

} // namespace

Answer packedMatmul(const Call &call)
{
    const ir::Shape *input = call.shape(0u);
    const auto columns = packedSize(call, "N"), inner = packedSize(call, "K");
    if (!input || input->empty() || !columns)
        return onlyType(call.dtypeOf(0u), "shape of the input or the weight unknown");
    if (inner && !call.needSame(input->back(), *inner))
        return wrong(formatted("expected {} columns, found {}", ir::print(*inner), ir::print(*input)));
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

Answer groupedMatmul(const Call &call)
{
    const auto dtype =
        askedDType(call, call.name().contains("scaled") ? std::optional(ir::DType::BFloat16) : call.dtypeOf(0u));
    const auto factors = Factors::of(call);
    if (!factors)
        return onlyType(dtype, "factor shape unknown");
    const auto &[a, b] = *factors;
    const ir::Dim &inner = b[b.size() - 2];
    if (isDifferent(a.back(), inner))
        return wrong(formatted("cannot multiply {} by {}", ir::print(a), ir::print(b)));
    ir::Shape shape{a[a.size() - 2], b.back()};
    if (a.size() == b.size())
        shape.insert(shape.begin(), a.size() == 3 ? a.front() : sizeNamed(call, "offs", 0));
    return {tensorFact(dtype, std::move(shape))};
}

Cost groupedMatmulCost(const Call &call, std::span<const Fact>)
{
    const auto factors = Factors::of(call);
    if (!factors)
        return {ir::UnknownDim{}};
    const auto &[a, b] = *factors;
    const ir::Dim groups = a.size() == 3 && b.size() == 3 ? a.front() : ir::Dim(std::int64_t{1});
    return {times({std::int64_t{2}, groups, a[a.size() - 2], a.back(), b.back()})};
}

Answer semiSparseLinear(const Call &call)
{
    return linearTo(call, askedDType(call, call.dtypeOf(0u)), sizeNamed(call, "weight", 0));
}

Cost semiSparseLinearCost(const Call &call, std::span<const Fact>)
{
    const ir::Shape *input = call.shape(0u);
    return {input ? times({std::int64_t{2}, elementsOf(*input), sizeNamed(call, "weight", 0)})
                  : ir::Dim(ir::UnknownDim{})};
}

Answer semiSparseMatmul(const Call &call)
{
    return {tensorFact(askedDType(call, call.dtypeOf("mat2")),
                       ir::Shape{sizeNamed(call, "mat1", 0), sizeNamed(call, "mat2", 1)})};
}

Cost semiSparseMatmulCost(const Call &call, std::span<const Fact>)
{
    return {
        times({std::int64_t{2}, sizeNamed(call, "mat1", 0), sizeNamed(call, "mat2", 0), sizeNamed(call, "mat2", 1)})};
}

Answer compressedMatmul(const Call &call)
{
    const auto dtype = askedDType(call, call.dtypeOf("dense_B"));
    const TensorFact *kept = call.tensor("compressed_A");
    const auto transposes = call.flag("transpose_result");
    if (!kept || !kept->shape || !kept->dtype || !transposes)
        return onlyType(dtype, "factor shape unknown");
    // Half of the elements and their positions are kept: nine sixteenths of the matrix, ten if elements are bytes.
    const std::int64_t sixteenths = ir::bitWidth(*kept->dtype) == 8 ? 10 : 9;
    const ir::Dim rows = floorDivide(times(elementsOf(*kept->shape), std::int64_t{16}),
                                     times(sizeNamed(call, "dense_B", 0), sixteenths));
    const ir::Dim columns = sizeNamed(call, "dense_B", 1);
    return {tensorFact(dtype, *transposes ? ir::Shape{columns, rows} : ir::Shape{rows, columns})};
}

Answer mixedLinear(const Call &call)
{
    const ir::Shape *scale = call.shape("scale");
    return linearTo(call, call.dtypeOf(0u), scale ? elementsOf(*scale) : ir::Dim(ir::UnknownDim{}));
}

Cost packedProductCost(const Call &call, std::span<const Fact> results)
{
    const TensorFact *result = results.empty() ? nullptr : asTensor(results.front());
    const ir::Shape *input = call.shape(0u);
    if (!result || !result->shape || !input || input->empty())
        return {ir::UnknownDim{}};
    const ir::Dim inner = call.name().contains("cslt") ? sizeNamed(call, "dense_B", 0) : input->back();
    return {times({std::int64_t{2}, elementsOf(*result->shape), inner})};
}

} // namespace cutaway::ops
