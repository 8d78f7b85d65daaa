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

static ops::TensorFact bound(ops::TensorFact tensor, const symbolic::Bindings &bindings)
{
    if (!tensor.shape)
        return tensor;
    tensor.shape = bound(std::move(*tensor.shape), bindings);
    if (!tensor.strides)
        return tensor;
    ops::Strides strides = *tensor.strides;
    for (ir::Dim &stride : strides)
        stride = bound(stride, bindings);
    tensor.strides = ops::normal(*tensor.shape, std::move(strides));
    return tensor;
}

ops::Fact bound(ops::Fact fact, const symbolic::Bindings &bindings)
{
    if (auto *tensor = std::get_if<ops::TensorFact>(&fact.v))
        return bound(std::move(*tensor), bindings);
    if (auto *number = std::get_if<ops::NumberFact>(&fact.v)) {
        if (auto *value = std::get_if<ir::Dim>(&number->value))
            *value = bound(*value, bindings);
    } else if (auto *list = std::get_if<ops::SequenceFact>(&fact.v))
        for (ops::Fact &item : list->items)
            item = bound(std::move(item), bindings);
    return fact;
}

} // namespace cutaway::analysis
