// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A subscript of a tensor becomes TorchScript's operators: a number becomes a select, a slice a slice, None an
// unsqueeze; all tensors together become one index after these. After an ellipsis, dimensions are counted from the end.
#include "core/base/checked.h"
#include "core/formats/fx/lowering/calls.h"

#include <algorithm>
#include <limits>

namespace cutaway::formats::fx {

namespace {

/// Whether an item of a subscript stands for a dimension of the tensor.
bool takesDimension(const Term &index) { return !isNone(index) && !index.as<EllipsisTerm>(); }

/// Whether an index tensor takes one dimension: a mask takes one for each of its own.
bool takesOneDimension(const ir::TensorType &type)
{
    const bool isMask = !type.dtype || *type.dtype == ir::DType::Bool || *type.dtype == ir::DType::UInt8;
    return !isMask || (type.shape && type.shape->size() == 1);
}

std::int64_t clampedIndex(const Term &term, std::int64_t size, std::int64_t byDefault)
{
    if (isNone(term))
        return byDefault;
    const auto number = integerOf(term);
    if (!number)
        throw NotKnown("a slice of a tuple depends on what is computed");
    return std::clamp<std::int64_t>(*number < 0 ? *number + size : *number, 0, size);
}

/// Lowers the subscript of a tensor, item by item from the left.
class TensorSubscript {
public:
    TensorSubscript(GraphLowering &graph, Calls &calls, Term tensor)
        : m_graph(graph),
          m_calls(calls),
          m_value(std::move(tensor))
    {
    }

    Term of(std::span<const Term> items)
    {
        m_left = std::ranges::count_if(items, takesDimension);
        for (const Term &item : items)
            take(item);
        if (m_tensors.empty())
            return m_value;
        return m_graph.operators.callOverload("aten", "index", "Tensor",
                                              {{m_value, m_calls.items(std::move(m_tensors), false)}, {}});
    }

private:
    void take(const Term &item)
    {
        if (item.as<EllipsisTerm>())
            m_isFromEnd = true;
        else if (isNone(item))
            addDimension();
        else if (const auto *slice = item.as<SliceTerm>())
            take(*slice);
        else if (const auto *typed = item.as<Typed>(); typed && m_graph.types.isTensor(typed->type))
            takeTensor(item, typed->type);
        else
            takeNumber(item);
    }

    void addDimension()
    {
        requireCounted();
        m_value = call("unsqueeze", {m_value, number(m_isFromEnd ? dimension() - 1 : dimension())});
        ++m_dimension;
    }

    void take(const SliceTerm &slice)
    {
        if (!std::ranges::all_of(slice.parts, isNone)) {
            requireCounted();
            m_value = call("slice",
                           {m_value, number(dimension()), slice.parts[0], slice.parts[1],
                            isNone(slice.parts[2]) ? number(1) : slice.parts[2]});
        }
        ++m_dimension;
        --m_left;
    }

    void takeTensor(const Term &tensor, ir::TypeId typeId)
    {
        if (m_isFromEnd)
            throw NotKnown("a tensor indexes behind an ellipsis");
        m_tensors.resize(static_cast<std::size_t>(m_dimension), m_calls.constant(ir::Operand()));
        m_tensors.push_back(tensor);
        const auto *type = std::get_if<ir::TensorType>(&m_graph.context().at(typeId));
        m_isCounted = m_isCounted && type && takesOneDimension(*type);
        ++m_dimension;
        --m_left;
    }

    void takeNumber(const Term &item)
    {
        const Typed position = m_graph.operators.value(item);
        if (position.type != m_graph.types.number(ir::NumberType::Kind::Int) || position.operand.as<ir::DType>())
            throw NotKnown("a tensor is indexed by what is no number, slice or tensor");
        if (!m_tensors.empty())
            throw NotKnown("a tensor is indexed by a number behind a tensor");
        m_value = call("select", {m_value, number(dimension()), item});
        --m_left;
    }

    void requireCounted() const
    {
        if (!m_isCounted && !m_isFromEnd)
            throw NotKnown("a dimension is indexed behind a tensor that may be a mask of several");
    }

    /// Returns the dimension that the next item of the subscript is about.
    std::int64_t dimension() const { return m_isFromEnd ? -m_left : m_dimension; }
    Term number(std::int64_t n) { return m_calls.constant(n); }
    Term call(std::string_view name, std::vector<Term> operands)
    {
        return m_graph.operators.call("aten", name, {std::move(operands), {}});
    }

    GraphLowering &m_graph;
    Calls &m_calls;
    Term m_value;
    std::vector<Term> m_tensors; ///< by dimension: its index tensor; None if it has none
    std::int64_t m_dimension = 0, m_left = 0;
    bool m_isFromEnd = false;
    bool m_isCounted = true; ///< whether the index of the next dimension is known
};

} // namespace

Term Calls::item(const Term &object, const Term &index)
{
    if (const auto *list = object.as<ItemsTerm>())
        return itemOf(*list, index);
    if (const auto *dict = object.as<DictTerm>()) {
        for (const auto &[key, value] : dict->entries) {
            const auto text = textOf(m_graph.context(), key);
            const auto number = integerOf(key);
            if ((text && text == textOf(m_graph.context(), index)) || (number && number == integerOf(index)))
                return value;
        }
        throw NotKnown("a dict has no such key");
    }
    if (!isTensor(object))
        return itemOfList(object, index);
    const auto *tuple = index.as<ItemsTerm>();
    if (tuple && !tuple->isTuple) // a list indexes as a tensor of its numbers would
        throw NotKnown("a tensor is indexed by a list");
    return TensorSubscript(m_graph, *this, object).of(tuple ? tuple->items : std::vector{index});
}

Term Calls::itemOf(const ItemsTerm &list, const Term &index)
{
    const auto size = static_cast<std::int64_t>(list.items.size());
    if (const auto number = integerOf(index)) {
        const auto at = pythonIndex(*number, list.items.size());
        if (!at)
            throw NotKnown("an index is beyond the end");
        return list.items[*at];
    }
    const auto *slice = index.as<SliceTerm>();
    if (!slice || !(isNone(slice->parts[2]) || integerOf(slice->parts[2]) == 1))
        throw NotKnown("an index of a tuple is no number that is known");
    const std::int64_t start = clampedIndex(slice->parts[0], size, 0);
    const std::int64_t stop = std::max(start, clampedIndex(slice->parts[1], size, size));
    return items({list.items.begin() + start, list.items.begin() + stop}, list.isTuple);
}

Term Calls::itemOfList(const Term &list, const Term &index)
{
    const auto *typed = list.as<Typed>();
    const auto *compound = typed ? m_graph.types.compoundAt(typed->type) : nullptr;
    if (!compound || (compound->kind != ir::CompoundType::Kind::List && compound->kind != ir::CompoundType::Kind::Dict))
        throw NotKnown("an item is taken of what is no list that is known");
    const auto *slice = index.as<SliceTerm>();
    if (!slice)
        return atenCall("__getitem__", {list, index});
    const Term step = isNone(slice->parts[2]) ? constant(std::int64_t{1}) : slice->parts[2];
    return m_operators.callOverload("aten", "slice", "t", {{list, slice->parts[0], slice->parts[1], step}, {}});
}

} // namespace cutaway::formats::fx
