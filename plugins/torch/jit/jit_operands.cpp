// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/jit/jit_operands.h"

#include "plugins/torch/arguments.h"
#include "plugins/torch/constants.h"
#include "plugins/torch/conversions.h"

#include <algorithm>
#include <torch/csrc/jit/ir/constants.h>

namespace cutaway::plugins {

using c10::TypePtr;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// Whether an operand is a list or dictionary of values and tensors, which no constant can hold.
bool isMade(const ir::Operand &operand)
{
    if (operand.as<ir::ValueId>() || operand.as<ir::TensorId>())
        return true;
    if (const auto *list = operand.as<ir::List>())
        return std::ranges::any_of(list->items, isMade);
    const auto *dict = operand.as<ir::Dict>();
    return dict && std::ranges::any_of(dict->items, isMade);
}

TypePtr elementOf(const c10::ListType *list, const std::vector<Value *> &items)
{
    if (list && !list->getElementType()->hasFreeVariables() && !isAny(list->getElementType()))
        return list->getElementType();
    return items.empty() ? TypePtr(c10::TensorType::get()) : items.front()->type();
}

} // namespace

Value *JitOperands::valueOf(const ir::Operand &operand, const TypePtr &wanted, std::optional<std::int32_t> length,
                            bool isFresh)
{
    if (const auto *id = operand.as<ir::ValueId>())
        return converted(m_values[id->index], operand, wanted, length);
    if (operand.as<ir::None>() && wanted && isSomething(wanted))
        return uninitialized(wanted);
    const auto *list = operand.as<ir::List>();
    if (list && (isFresh || isMade(operand)))
        return listOf(*list, operand, withoutOptional(wanted));
    const auto *dict = operand.as<ir::Dict>();
    if (dict && (isFresh || isMade(operand)))
        return dictOf(*dict, operand, withoutOptional(wanted));
    c10::IValue value = adapted(constantOf(m_program, operand, wanted), {wanted, length});
    if (value.isTensor())
        value = value.toTensor().detach();
    const auto constant = torch::jit::tryInsertConstant(*m_jit.graph, value, mark(OperandMark{operand}));
    if (constant)
        return *constant;
    TORCH_CHECK(list, "torch's graphs have no constants of the type ", value.type()->str());
    return listOf(*list, operand, withoutOptional(wanted));
}

Value *JitOperands::listOf(const ir::List &list, const ir::Operand &operand, const TypePtr &wanted)
{
    const auto *listType = wanted ? wanted->castRaw<c10::ListType>() : nullptr;
    const bool isTuple = list.kind == ir::List::Kind::Tuple && !listType;
    std::vector<Value *> items;
    for (const ir::Operand &item : list.items)
        items.push_back(valueOf(item, listType ? listType->getElementType() : nullptr));
    Node *made = isTuple ? m_jit.graph->createTuple(items) : m_jit.graph->createList(elementOf(listType, items), items);
    return inserted(made, OperandMark{operand, list.items});
}

Value *JitOperands::dictOf(const ir::Dict &dict, const ir::Operand &operand, const TypePtr &wanted)
{
    const auto *type = wanted && !wanted->hasFreeVariables() ? wanted->castRaw<c10::DictType>() : nullptr;
    TORCH_CHECK(type || !dict.items.empty(), "an empty dictionary of which nothing says the types");
    std::vector<Value *> keys, values;
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
        keys.push_back(valueOf(dict.items[i], type ? type->getKeyType() : nullptr));
        values.push_back(valueOf(dict.items[i + 1], type ? type->getValueType() : nullptr));
    }
    Node *made = m_jit.graph->createDict(type ? type->getKeyType() : keys.front()->type(),
                                         type ? type->getValueType() : values.front()->type(), keys, values);
    return inserted(made, OperandMark{operand, dict.items});
}

/// Returns `value` as the wanted type, with the conversions that TorchScript makes implicitly: without None, a tensor
/// as a number, an int as a float, a number as a list of `length`. Returns `value` itself if none applies.
Value *JitOperands::converted(Value *value, const ir::Operand &operand, const TypePtr &wanted,
                              std::optional<std::int32_t> length)
{
    if (!wanted)
        return value;
    if (value->type()->kind() == c10::TypeKind::OptionalType && isSomething(wanted))
        value = through(torch::jit::prim::unchecked_cast, value, withoutOptional(value->type()), operand);
    const TypePtr type = withoutOptional(wanted);
    if (type->kind() == c10::TypeKind::ListType && length && isNumber(value->type())) {
        const auto count = static_cast<std::size_t>(*length);
        Node *list = m_jit.graph->createList(value->type(), std::vector<Value *>(count, value));
        return inserted(list, OperandMark{operand, std::vector<ir::Operand>(count, operand)});
    }
    const auto kind = conversion(value->type(), type);
    return kind ? through(*kind, value, type, operand) : value;
}

Value *JitOperands::inserted(Node *node, OperandMark meaning)
{
    node->setSourceRange(mark(std::move(meaning)));
    return m_jit.graph->insertNode(node)->output();
}

Value *JitOperands::through(torch::jit::NodeKind kind, Value *value, const TypePtr &type, const ir::Operand &operand)
{
    return inserted(m_jit.graph->create(kind, {value}), OperandMark{operand, {operand}})->setType(type);
}

/// Returns a value in place of None for a type that excludes it. That occurs in branches that never run.
Value *JitOperands::uninitialized(const TypePtr &type)
{
    return inserted(m_jit.graph->create(torch::jit::prim::Uninitialized), OperandMark{ir::None{}})
        ->setType(type->hasFreeVariables() ? c10::ListType::ofTensors() : type);
}

} // namespace cutaway::plugins
