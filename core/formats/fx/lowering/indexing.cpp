// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A tensor's subscript is what TorchScript makes of it: numbers select, slices slice, None adds a dimension, and
// tensors index all at once when the others are done. Behind an ellipsis dimensions are counted from the end.
#include "core/formats/fx/lowering/calls.h"

#include <algorithm>
#include <limits>

namespace cutaway::formats::fx {

namespace {

/// Whether an item of a subscript stands for a dimension of the tensor.
bool takesDimension(const Term &index) { return !isNone(index) && !index.as<EllipsisTerm>(); }

/// Whether a tensor stands for one dimension: a mask stands for as many as it has itself.
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
    if (isTensor(object))
        return itemOfTensor(object, index);
    return itemOfList(object, index);
}

Term Calls::itemOf(const ItemsTerm &list, const Term &index)
{
    const auto size = static_cast<std::int64_t>(list.items.size());
    if (const auto number = integerOf(index)) {
        const std::int64_t at = *number < 0 ? *number + size : *number;
        if (at < 0 || at >= size)
            throw NotKnown("an index is beyond the end");
        return list.items[static_cast<std::size_t>(at)];
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

Term Calls::itemOfTensor(const Term &tensor, const Term &index)
{
    const auto *tuple = index.as<ItemsTerm>();
    // A list indexes as a tensor of its numbers would.
    if (tuple && !tuple->isTuple)
        throw NotKnown("a tensor is indexed by a list");
    const std::vector<Term> indices = tuple ? tuple->items : std::vector{index};
    auto left = std::ranges::count_if(indices, takesDimension);
    bool isFromEnd = false;
    std::int64_t dim = 0;
    Term value = tensor;
    std::vector<Term> tensors; // of the dimensions that are left
    bool isCounted = true;     // whether it is known which dimension comes next
    const auto requireCounted = [&] {
        if (!isCounted && !isFromEnd)
            throw NotKnown("a dimension is indexed behind a tensor that may be a mask of several");
    };
    const auto number = [this](std::int64_t n) { return constant(n); };
    for (const Term &one : indices) {
        const std::int64_t at = isFromEnd ? -static_cast<std::int64_t>(left) : dim;
        if (one.as<EllipsisTerm>()) {
            isFromEnd = true;
        } else if (isNone(one)) {
            requireCounted();
            value = atenCall("unsqueeze", {value, number(isFromEnd ? at - 1 : at)});
            ++dim;
        } else if (const auto *slice = one.as<SliceTerm>()) {
            const bool isWhole = std::ranges::all_of(slice->parts, isNone);
            if (!isWhole) {
                requireCounted();
                value = atenCall("slice",
                                 {value, number(at), slice->parts[0], slice->parts[1],
                                  isNone(slice->parts[2]) ? number(1) : slice->parts[2]});
            }
            ++dim;
            --left;
        } else if (isTensor(one)) {
            if (isFromEnd)
                throw NotKnown("a tensor indexes behind an ellipsis");
            tensors.resize(static_cast<std::size_t>(dim), constant(ir::Operand()));
            tensors.push_back(one);
            const auto *type = std::get_if<ir::TensorType>(&m_graph.context().at(one.as<Typed>()->type));
            isCounted = isCounted && type && takesOneDimension(*type);
            ++dim;
            --left;
        } else {
            const Typed position = m_operators.value(one);
            if (position.type != m_graph.types.number(ir::NumberType::Kind::Int) || position.operand.as<ir::DType>())
                throw NotKnown("a tensor is indexed by what is no number, slice or tensor");
            if (!tensors.empty())
                throw NotKnown("a tensor is indexed by a number behind a tensor");
            value = atenCall("select", {value, number(at), one});
            --left;
        }
    }
    if (tensors.empty())
        return value;
    return m_operators.callOverload("aten", "index", "Tensor", {{value, items(std::move(tensors), false)}, {}});
}

} // namespace cutaway::formats::fx
