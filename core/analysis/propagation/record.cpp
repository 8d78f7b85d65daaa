// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/record.h"

#include "core/analysis/known_tensor.h"
#include "core/ops/placement.h"

#include <algorithm>

namespace cutaway::analysis {

using ops::Fact;

Record::Record(const ir::Model &model, const Given &given)
    : m_sizes(model, given.bindings),
      m_isOfThisCall(given.replaced.empty())
{
}

bool Record::saysAnything(const ir::Type &recorded)
{
    const auto *tensor = std::get_if<ir::TensorType>(&recorded);
    const auto *number = std::get_if<ir::NumberType>(&recorded);
    return (tensor && (tensor->dtype || tensor->shape)) || (number && number->value);
}

bool Record::agrees(const Fact &fact, const ir::TensorType &recorded) const
{
    if (!recorded.dtype && !recorded.shape)
        return true;
    const auto *tensor = ops::asTensor(fact);
    const auto record =
        ops::tensorFact(recorded.dtype, recorded.shape ? std::optional(m_sizes.of(*recorded.shape)) : std::nullopt);
    return tensor && (!record.dtype || tensor->dtype) && (!record.shape || tensor->shape)
        && !isContradiction(*tensor, record);
}

bool Record::isOf(const ir::NodeRef &node, const Values &values) const
{
    bool isSame = m_isOfThisCall;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId id) {
            const ir::TensorType *recorded = ir::ValueRef(node.graph(), id).tensorType();
            isSame = isSame && (!recorded || agrees(values.of(id), *recorded));
        });
    return isSame;
}

std::optional<Fact> Record::completed(const Fact &fact, const ir::Type &recorded, bool isDTypeSure) const
{
    const auto *tensor = fact.as<ops::TensorFact>();
    if (const auto *type = std::get_if<ir::TensorType>(&recorded); type && (tensor || fact.as<ops::AnyFact>()))
        return completed(tensor ? *tensor : ops::TensorFact{}, *type, isDTypeSure || !tensor);
    const auto *number = std::get_if<ir::NumberType>(&recorded);
    const auto *whole = fact.as<ops::NumberFact>();
    const bool isOpen = fact.as<ops::AnyFact>() || (whole && std::holds_alternative<std::monostate>(whole->value));
    if (!isOpen || !number || !number->value || number->kind != ir::NumberType::Kind::Int)
        return std::nullopt;
    const ir::Dim size = m_sizes.of(ops::plus(*number->value, std::int64_t{0}));
    return ops::isKnown(size) ? std::optional<Fact>(ops::intFact(size)) : std::nullopt;
}

std::optional<Fact> Record::completed(const ops::TensorFact &fact, const ir::TensorType &recorded,
                                      bool isDTypeSure) const
{
    std::optional<ir::Shape> shape = recorded.shape ? std::optional(m_sizes.of(*recorded.shape)) : std::nullopt;
    if (isContradiction(fact, ops::tensorFact(recorded.dtype, shape)))
        return std::nullopt;
    ops::TensorFact found = fact;
    if (!found.dtype && isDTypeSure)
        found.dtype = recorded.dtype;
    if (!found.shape && shape) {
        if (recorded.strides && recorded.strides->size() == shape->size())
            found.strides = ops::normal(*shape, m_sizes.of(*recorded.strides));
        found.shape = std::move(*shape);
    } else if (found.shape && shape) {
        for (std::size_t i = 0; i < shape->size(); ++i)
            if (!ops::isKnown((*found.shape)[i]) && ops::isKnown((*shape)[i]))
                found.shape.edit()[i] = (*shape)[i];
    }
    return found == fact ? std::nullopt : std::optional<Fact>(std::move(found));
}

} // namespace cutaway::analysis
