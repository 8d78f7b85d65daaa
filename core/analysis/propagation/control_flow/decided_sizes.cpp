// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/decided_sizes.h"

#include "core/analysis/propagation/symbols.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/size_algebra.h"

#include <algorithm>

namespace cutaway::analysis {

using ops::Fact;

Fact DecidedSizes::of(Fact joined, const Fact &a, const Fact &b)
{
    if (auto *tensor = std::get_if<ops::TensorFact>(&joined.v)) {
        const auto *x = a.as<ops::TensorFact>(), *y = b.as<ops::TensorFact>();
        if (x && y)
            settle(*tensor, *x, *y);
    } else if (auto *list = std::get_if<ops::SequenceFact>(&joined.v)) {
        const auto *x = a.as<ops::SequenceFact>(), *y = b.as<ops::SequenceFact>();
        if (x && y)
            settle(*list, *x, *y);
    } else if (auto *number = std::get_if<ops::NumberFact>(&joined.v)) {
        const auto x = ops::asInt(a), y = ops::asInt(b);
        if (number->kind == ops::NumberFact::Kind::Int && x && y)
            *number = ops::intFact(of(ops::asInt(joined).value_or(ir::UnknownDim{}), *x, *y));
    }
    return joined;
}

ir::Dim DecidedSizes::of(const ir::Dim &joined, const ir::Dim &a, const ir::Dim &b)
{
    if (ops::isKnown(joined) || !ops::isKnown(a) || !ops::isKnown(b) || !ops::isNonNegative(a)
        || !ops::isNonNegative(b))
        return joined;
    const auto isOfThese = [&](const Decided &decided) { return decided.a == a && decided.b == b; };
    if (const auto known = std::ranges::find_if(m_decided, isOfThese); known != m_decided.end())
        return known->size;
    m_decided.push_back({a, b, m_symbols.freshSize("u", ops::maximum(a, b))});
    return m_decided.back().size;
}

void DecidedSizes::settle(ops::TensorFact &joined, const ops::TensorFact &a, const ops::TensorFact &b)
{
    if (!joined.shape || !a.shape || !b.shape || joined.shape->size() != a.shape->size()
        || joined.shape->size() != b.shape->size())
        return;
    for (std::size_t i = 0; i < joined.shape->size(); ++i)
        joined.shape.edit()[i] = of((*joined.shape)[i], (*a.shape)[i], (*b.shape)[i]);
    const bool isWhole = joined.dtype && ir::isInteger(*joined.dtype);
    if (!isWhole || !a.elements || !b.elements || *a.shape != *b.shape || a.elements->size() != b.elements->size())
        return;
    std::vector<ir::Dim> elements = *a.elements;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (const ir::Dim &other = (*b.elements)[i]; elements[i] != other)
            elements[i] = of(ir::UnknownDim{}, (*a.elements)[i], other);
    joined.elements = std::move(elements);
}

void DecidedSizes::settle(ops::SequenceFact &joined, const ops::SequenceFact &a, const ops::SequenceFact &b)
{
    ops::SequenceFact::Items *items = joined.items();
    const ops::SequenceFact::Items *x = a.items(), *y = b.items();
    if (!items || !x || !y || x->size() != y->size() || items->size() != x->size())
        return;
    for (std::size_t i = 0; i < items->size(); ++i)
        (*items)[i] = of(std::move((*items)[i]), (*x)[i], (*y)[i]);
}

} // namespace cutaway::analysis
