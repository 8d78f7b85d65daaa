// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluate.h"

#include "core/ir/context.h"
#include "core/ops/compute/call.h"
#include "core/ops/network/activation.h"

#include <algorithm>
#include <forward_list>
#include <utility>

// Types and sizes of results come from the operator's shape rule, which gets complete facts about the arguments. If its
// facts determine the results (sizes, lists of sizes), no computation follows.

namespace cutaway::evaluate {

using compute::Array;

namespace {

std::unexpected<Error> noValue(const ir::NodeRef &node, std::string_view reason)
{
    return unreadable("no value for " + node.fullName() + ": " + std::string(reason));
}

bool writes(const ops::Signature *signature)
{
    return signature
        && std::ranges::any_of(signature->schema.arguments, [](const auto &a) { return a.type.isWritten(); });
}

/// Why the node cannot be evaluated, whatever its arguments are.
std::optional<std::string_view> refusal(const ir::NodeRef &node, const ops::Operator *row,
                                        const ops::Signature *signature)
{
    if (!row || !row->shape)
        return "the evaluator has no rule for the operator";
    if (writes(signature))
        return "the evaluator does not write in place; functionalize removes that";
    if (row->traits.effect != ops::Effect::Pure && ops::kindOf(node) != ops::kind::dropout)
        return "the evaluator does not run operators that do more than compute";
    return node->regions.empty() ? std::nullopt
                                 : std::optional<std::string_view>("the evaluator does not run its regions");
}

bool isTooLarge(const ops::Facts &facts, std::int64_t limit)
{
    bool tooLarge = false;
    for (const ops::Fact &fact : facts)
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
            const auto count = tensor.shape ? ir::elementCount(*tensor.shape) : std::optional<std::int64_t>(0);
            const auto isNumber = [](const ir::Dim &dim) { return ops::number(dim).has_value(); };
            const bool isCounted = tensor.shape && std::ranges::all_of(*tensor.shape, isNumber);
            tooLarge = tooLarge || (isCounted && (!count || *count > limit || *count < 0));
        });
    return tooLarge;
}

/// The values that the facts determine, if they determine all results.
std::optional<Values> valuesOf(const ops::Facts &facts)
{
    Values values;
    for (const ops::Fact &fact : facts) {
        auto value = compute::valueOf(fact);
        if (!value)
            return std::nullopt;
        values.push_back(std::move(*value));
    }
    return values;
}

bool isOfTensors(const ops::Facts &facts)
{
    bool any = false;
    for (const ops::Fact &fact : facts)
        ops::forEachTensor(fact, [&](const ops::TensorFact &) { any = true; });
    return any;
}

} // namespace

Evaluator::Evaluator(const ir::Model &model, Limits limits)
    : m_model(model),
      m_limits(std::move(limits)),
      m_signatures(*model.context)
{
}

Result<Value> Evaluator::weight(ir::TensorId id)
{
    if (const auto known = m_weights.find(id); known != m_weights.end())
        return known->second;
    const ir::Tensor &tensor = m_model.at(id);
    const auto count = ir::elementCount(tensor);
    if (!count || *count > m_limits.elements || !compute::isComputable(tensor.dtype))
        return unreadable("no value for a tensor: it is too large or of an unsupported dtype",
                          std::string(m_model.context->text(tensor.name)));
    auto numbers = ir::numbersOf(m_model, id);
    if (!numbers)
        return std::unexpected(numbers.error());
    return m_weights.emplace(id, Array{tensor.dtype, tensor.shape, std::move(*numbers)}).first->second;
}

Result<Value> Evaluator::valueOf(const ir::Operand &operand, const Known &known)
{
    if (const auto *id = operand.as<ir::ValueId>()) {
        const Value *value = known(*id);
        return value ? Result<Value>(*value) : unreadable("a value that is not known");
    }
    if (const auto *id = operand.as<ir::TensorId>())
        return weight(*id);
    if (const auto *list = operand.as<ir::List>()) {
        Values items;
        for (const ir::Operand &item : list->items) {
            auto value = valueOf(item, known);
            if (!value)
                return value;
            items.push_back(std::move(*value));
        }
        if (std::ranges::any_of(items, [](const Value &item) { return !item.as<ops::Fact>(); }))
            return items;
        return ops::Fact(compute::factOf(Value(std::move(items))));
    }
    const ops::Call::Source source{
        .fact = [](ir::ValueId) -> const ops::Fact & { std::unreachable(); },
        .freshSize = [](std::string_view, const ir::Dim &) -> ir::Dim { return ir::UnknownDim{}; },
        .tensor = [](ir::TensorId) -> ops::Fact { return ops::AnyFact{}; },
        .size = [](const symbolic::Expr &) -> ir::Dim { return ir::UnknownDim{}; }};
    return ops::factOf(*m_model.context, source, operand);
}

Result<Values> Evaluator::results(const ir::NodeRef &node, const Known &known)
{
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    const ops::Signature *signature = m_signatures.of(node->op);
    if (const auto reason = refusal(node, row, signature))
        return noValue(node, *reason);

    std::unordered_map<ir::ValueId, ops::Fact> facts;
    const ops::Call::Source source{
        .fact = [&](ir::ValueId id) -> const ops::Fact & {
            const auto [place, isNew] = facts.try_emplace(id);
            if (const Value *value = isNew ? known(id) : nullptr)
                place->second = compute::factOf(*value);
            return place->second;
        },
        .freshSize = [](std::string_view, const ir::Dim &) -> ir::Dim { return ir::UnknownDim{}; },
        .tensor = [&](ir::TensorId id) -> ops::Fact {
            const auto value = weight(id);
            return value ? compute::factOf(*value) : ops::Fact();
        },
        .size = [](const symbolic::Expr &) -> ir::Dim { return ir::UnknownDim{}; }};
    const ops::Call call(node, m_signatures, source, m_model.opset(node.dialect()));
    const auto derived = factsOf(node, *row, call);
    if (!derived)
        return std::unexpected(derived.error());
    if (auto values = isOfTensors(*derived) ? std::nullopt : valuesOf(*derived))
        return *values;

    std::forward_list<Value> made;
    const compute::Call own(node, signature, call, *derived, [&](const ir::Operand &operand) -> const Value * {
        if (const auto *id = operand.as<ir::ValueId>())
            return known(*id);
        auto value = valueOf(operand, known);
        return value ? &made.emplace_front(std::move(*value)) : nullptr;
    });
    if (const ops::ComputeRule compute = row->traits.compute)
        if (auto values = compute(own))
            return finished(node, *derived, std::move(*values));
    if (auto values = valuesOf(*derived))
        return *values;
    return noValue(node,
                   row->traits.compute ? "the evaluator's rule does not cover these arguments"
                                       : "the evaluator has no rule for the operator");
}

Result<ops::Facts> Evaluator::factsOf(const ir::NodeRef &node, const ops::Operator &row, const ops::Call &call) const
{
    ops::Facts facts = row.shape(call);
    facts.resize(node.outputCount());
    if (call.isWrong())
        return noValue(node, call.reason());
    if (isTooLarge(facts, m_limits.elements))
        return noValue(node, "the result is too large");
    return facts;
}

/// Converts each value to the derived dtype; a shape other than the derived one is a bug of the rule.
Result<Values> Evaluator::finished(const ir::NodeRef &node, const ops::Facts &facts, Values values) const
{
    values.resize(facts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const ops::TensorFact *tensor = ops::asTensor(facts[i]);
        auto *array = std::get_if<Array>(&values[i].v);
        if (!tensor || !array)
            continue;
        const ir::Shape shape(array->shape.begin(), array->shape.end());
        const bool isOfShape = !tensor->shape || tensor->shape->size() == shape.size();
        if (!tensor->dtype || !compute::isComputable(*tensor->dtype) || !isOfShape)
            return noValue(node, "its type is unknown or unsupported");
        for (std::size_t d = 0; tensor->shape && d < shape.size(); ++d)
            if (ops::isDifferent((*tensor->shape)[d], shape[d]))
                return noValue(node, "the result does not have the derived shape");
        auto typed = compute::converted(*array, *tensor->dtype);
        if (!typed)
            return noValue(node, "a float is too large for the dtype");
        *array = std::move(*typed);
    }
    return values;
}

} // namespace cutaway::evaluate
