// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/binding.h"

#include "core/ops/placement.h"

#include <algorithm>

namespace cutaway::analysis {

ir::Dim bound(const symbolic::Expr &expr, const symbolic::Bindings &bindings)
{
    auto value = symbolic::substitute(expr, bindings);
    if (!value)
        return ir::UnknownDim{};
    return value->kind() == symbolic::Kind::Integer ? ir::Dim(value->integerValue()) : ir::Dim(std::move(*value));
}

ir::Dim bound(const ir::Dim &dim, const symbolic::Bindings &bindings)
{
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    return expr ? bound(*expr, bindings) : dim;
}

ir::Shape bound(ir::Shape shape, const symbolic::Bindings &bindings)
{
    for (ir::Dim &dim : shape)
        dim = bound(dim, bindings);
    return shape;
}

namespace {

using SizeOf = std::function<ir::Dim(const ir::Dim &)>;

ops::TensorFact tensorWithSizes(ops::TensorFact tensor, const SizeOf &sizeOf)
{
    if (!tensor.shape)
        return tensor;
    ir::Shape &shape = tensor.shape.edit();
    std::ranges::transform(shape, shape.begin(), sizeOf);
    if (!tensor.strides)
        return tensor;
    ops::Strides strides = *tensor.strides;
    std::ranges::transform(strides, strides.begin(), sizeOf);
    tensor.strides = ops::normal(shape, std::move(strides));
    return tensor;
}

} // namespace

ops::Fact withSizes(ops::Fact fact, const SizeOf &sizeOf)
{
    if (auto *tensor = std::get_if<ops::TensorFact>(&fact.v))
        return tensorWithSizes(std::move(*tensor), sizeOf);
    if (auto *number = std::get_if<ops::NumberFact>(&fact.v)) {
        if (auto *value = std::get_if<ir::Dim>(&number->value))
            *value = sizeOf(*value);
    } else if (auto *list = std::get_if<ops::SequenceFact>(&fact.v)) {
        for (ops::Fact &item : list->each())
            item = withSizes(std::move(item), sizeOf);
    }
    return fact;
}

ops::Fact bound(ops::Fact fact, const symbolic::Bindings &bindings)
{
    return withSizes(std::move(fact), [&](const ir::Dim &dim) { return bound(dim, bindings); });
}

} // namespace cutaway::analysis
