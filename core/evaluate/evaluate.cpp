// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluate.h"

#include "core/evaluate/computed.h"
#include "core/ir/context.h"
#include "core/ops/attribute_reference.h"
#include "core/ops/compute/call.h"
#include "core/ops/compute/memory.h"
#include "core/ops/compute/rules.h"
#include "core/ops/fact_source.h"
#include "core/ops/network/activation.h"
#include "core/ops/special/complex.h"

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

bool writesFirstOnly(const ops::Signature &signature)
{
    const auto &arguments = signature.schema.arguments;
    return arguments.front().type.isWritten()
        && std::none_of(arguments.begin() + 1, arguments.end(), [](const auto &a) { return a.type.isWritten(); });
}

constexpr std::string_view noRandomNumbers = "the evaluator draws no random numbers";

/// Returns why the node cannot be evaluated, whatever its arguments are; nothing if it may be.
std::optional<std::string_view> refusal(const ir::NodeRef &node, const ops::Operator *row,
                                        const ops::Signature *signature, bool allowsWrites)
{
    if (!row || !row->shape)
        return "the evaluator has no rule for the operator";
    if (writes(signature) && !allowsWrites)
        return "the evaluator does not write in place; functionalize removes that";
    if (writes(signature) && !writesFirstOnly(*signature))
        return "the evaluator does not write to other arguments than the first";
    // An operator with a computation may draw no numbers, such as a dropout at inference.
    if (row->traits.effect == ops::Effect::Random && !row->traits.compute)
        return noRandomNumbers;
    if (row->traits.effect == ops::Effect::Acts)
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

/// Returns the values that the facts determine, if they determine all results.
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

/// Returns the value with its floats converted to this dtype; float64 stays.
Value cast(const Value &value, ir::DType dtype)
{
    const auto *array = value.as<Array>();
    if (array && ir::isFloat(array->dtype) && array->dtype != ir::DType::Float64 && array->dtype != dtype)
        return *compute::converted(*array, dtype);
    const auto *items = value.as<Values>();
    if (!items)
        return value;
    Values all;
    for (const Value &item : *items)
        all.push_back(cast(item, dtype));
    return all;
}

bool isComplex(const ops::Fact &fact)
{
    bool any = false;
    ops::forEachTensor(
        fact, [&](const ops::TensorFact &tensor) { any = any || (tensor.dtype && ir::isComplex(*tensor.dtype)); });
    return any;
}

/// Whether the node has complex numbers among its operands or results.
bool isOfComplex(const Computed &of)
{
    for (std::size_t i = 0; i < of.facts.inputCount(); ++i)
        if (isComplex(of.facts[i]))
            return true;
    return std::ranges::any_of(of.derived, isComplex);
}

} // namespace

Evaluator::Evaluator(const ir::Model &model, Limits limits)
    : m_model(model),
      m_opsets(model),
      m_limits(std::move(limits)),
      m_signatures(*model.context)
{
}

Result<const Value *> Evaluator::weight(ir::TensorId id)
{
    if (const auto known = m_weights.find(id); known != m_weights.end()) {
        compute::renew(known->second);
        return &known->second;
    }
    const ir::Tensor &tensor = m_model.at(id);
    const auto name = std::string(m_model.context->text(tensor.name));
    if (const auto *texts = std::get_if<ir::InlineStrings>(&m_model.at(tensor.storage).data);
        texts && tensor.dtype == ir::DType::String)
        return &m_weights
                    .emplace(
                        id,
                        ops::Fact(ops::textTensor(ir::Shape(tensor.shape.begin(), tensor.shape.end()), texts->strings)))
                    .first->second;
    const auto count = ir::elementCount(tensor);
    if (!count || *count > m_limits.elements || !compute::isComputable(tensor.dtype))
        return unreadable("no value for a tensor: it is too large or of an unsupported dtype", name);
    CUTAWAY_TRY(auto numbers, ir::numbersOf(m_model, id));
    Array array{tensor.dtype, tensor.shape, std::move(numbers)};
    if (!compute::isInRange(array))
        return unreadable("no value for a tensor: int64 does not hold its elements", name);
    if (m_allowsWrites)
        lend(id, array);
    return &m_weights.emplace(id, std::move(array)).first->second;
}

/// Sets in which memory a weight lies. Weights in one storage of the file are marked as shared, since a write to one
/// would change the others.
void Evaluator::lend(ir::TensorId id, Array &array) const
{
    const ir::Tensor &tensor = m_model.at(id);
    std::size_t sharing = 0;
    for (std::uint32_t i = 0; i < m_model.tensors.size(); ++i)
        sharing += m_model.at(ir::TensorId{i}).storage == tensor.storage ? 1 : 0;
    auto memory = std::make_shared<compute::Memory>();
    memory->isShared = sharing > 1;
    const auto strides = tensor.strides && tensor.strides->size() == tensor.shape.size()
        ? ops::normal(ir::Shape(tensor.shape.begin(), tensor.shape.end()),
                      ops::Strides(tensor.strides->begin(), tensor.strides->end()))
        : nullptr;
    array.lies = std::make_shared<compute::Placement>(std::move(memory), nullptr, strides);
}

Result<Value> Evaluator::valueOf(const ir::Operand &operand, const Known &known)
{
    if (const auto *id = operand.as<ir::ValueId>()) {
        const Value *value = known(*id);
        return value ? Result<Value>(*value) : unreadable("a value that is not known");
    }
    if (const auto *id = operand.as<ir::TensorId>()) {
        CUTAWAY_TRY(const auto value, weight(*id));
        return *value;
    }
    if (const auto name = m_attributes ? ops::referredAttribute(*m_model.context, operand) : std::nullopt) {
        const auto given = m_attributes->find(*name);
        return given == m_attributes->end() ? Value(ops::Fact(ops::NoneFact{})) : given->second;
    }
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
        std::ranges::for_each(items, compute::noteShared);
        return ops::Fact(compute::factOf(Value(std::move(items))));
    }
    struct Constants final : ops::FactSource {
        ir::Dim size(const symbolic::Expr &) const override { return ir::UnknownDim{}; }
    };
    return ops::factOf(*m_model.context, Constants(), operand);
}

/// The facts of the values that have been computed.
class Evaluator::KnownValues final : public ops::FactSource {
public:
    KnownValues(Evaluator &evaluator, const Known &known) : m_evaluator(evaluator), m_known(known) { }

    const ops::Fact &fact(ir::ValueId id) const override
    {
        const auto [found, isNew] = m_facts.try_emplace(id);
        if (const Value *value = isNew ? m_known(id) : nullptr)
            found->second = compute::factOf(*value);
        return found->second;
    }
    ops::Fact tensor(ir::TensorId id) const override
    {
        const auto value = m_evaluator.weight(id);
        return value ? compute::factOf(**value) : ops::Fact();
    }
    ops::Fact attribute(ir::NameId name) const override
    {
        if (!m_evaluator.m_attributes)
            return {};
        const auto given = m_evaluator.m_attributes->find(name);
        return given == m_evaluator.m_attributes->end() ? ops::Fact(ops::NoneFact{}) : compute::factOf(given->second);
    }
    ir::Dim size(const symbolic::Expr &) const override { return ir::UnknownDim{}; }

private:
    Evaluator &m_evaluator;
    const Known &m_known;
    mutable std::unordered_map<ir::ValueId, ops::Fact> m_facts;
};

Result<Values> Evaluator::results(const ir::NodeRef &node, const Known &known)
{
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    const ops::Signature *signature = m_signatures.of(node->op);
    if (const auto reason = refusal(node, row, signature, m_allowsWrites))
        return noValue(node, *reason);

    KnownValues source(*this, known);
    const ops::Call call(node, m_signatures, source, m_opsets.of(node));
    if (const ops::CastTo to = m_autocast ? ops::castOf(*m_autocast, call) : ops::CastTo::Nothing;
        to != ops::CastTo::Nothing)
        return castAndComputed(node, known, call, to);
    CUTAWAY_TRY(auto derived, factsOf(node, *row, call));
    if (!writes(signature)) // the facts of what a node writes follow those of its results
        derived.resize(node.outputCount());

    std::forward_list<Value> made;
    const compute::Call own(node, signature, call, derived, [&](const ir::Operand &operand) -> const Value * {
        if (const auto *id = operand.as<ir::ValueId>())
            return known(*id);
        if (const auto *id = operand.as<ir::TensorId>()) {
            const auto value = weight(*id);
            return value ? *value : nullptr;
        }
        auto value = valueOf(operand, known);
        return value ? &made.emplace_front(std::move(*value)) : nullptr;
    });
    const Computed of{node, *row, signature, call, derived};
    auto values = computed(of, own);
    if (!values || !m_allowsWrites)
        return values;
    return writes(signature) ? written(of, own, std::move(*values)) : placed(of, own, std::move(*values));
}

/// Computes a node under autocast, which casts its floating operands.
Result<Values> Evaluator::castAndComputed(const ir::NodeRef &node, const Known &known, const ops::Call &call,
                                          ops::CastTo to)
{
    const auto isOfFile = [](const ir::Argument &argument) { return argument.value.as<ir::TensorId>() != nullptr; };
    if (to == ops::CastTo::Unknown || std::ranges::any_of(node->arguments, isOfFile))
        return noValue(node, "the evaluator does not follow what autocast makes of it");
    bool isWide = to == ops::CastTo::Float32;
    for (std::size_t i = 0; i < call.inputCount() && to == ops::CastTo::Widest; ++i)
        isWide = isWide || ops::holdsFloat32(call[i]);
    const ir::DType dtype = isWide ? ir::DType::Float32 : m_autocast->lower;
    std::unordered_map<ir::ValueId, Value> made;
    const Known own = [&](ir::ValueId id) -> const Value * {
        if (const auto found = made.find(id); found != made.end())
            return &found->second;
        const Value *value = known(id);
        return value ? &made.emplace(id, cast(*value, dtype)).first->second : nullptr;
    };
    auto autocast = std::exchange(m_autocast, std::nullopt);
    auto values = results(node, own);
    m_autocast = std::move(autocast);
    return values;
}

Result<Values> Evaluator::computed(const Computed &of, const compute::Call &call) const
{
    const ops::ComputeRule compute = of.row.traits.compute;
    const bool isOfFacts =
        !isOfTensors(of.derived) && !(compute && m_allowsWrites && compute::passesOn(of.row.traits.compute, of.facts));
    if (auto values = isOfFacts ? valuesOf(of.derived) : std::nullopt)
        return *values;
    if (compute && !compute::passesOn(compute, of.facts) && isOfComplex(of))
        return computedOfComplex(of, call);
    if (compute)
        if (auto values = compute(call))
            return finished(of, std::move(*values));
    if (auto values = valuesOf(of.derived))
        return *values;
    if (of.row.traits.effect == ops::Effect::Random)
        return noValue(of.node, noRandomNumbers);
    return noValue(of.node,
                   compute ? "the evaluator's rule does not cover these arguments"
                           : "the evaluator has no rule for the operator");
}

/// Computes a node of complex numbers. Fails where nodes may write in place, as the memory of the two parts of a number
/// is not followed.
Result<Values> Evaluator::computedOfComplex(const Computed &of, const compute::Call &call) const
{
    if (m_allowsWrites)
        return noValue(of.node, "the evaluator does not follow complex numbers where a model writes in place");
    auto values = compute::computedOfComplex(of.row.traits.compute, call, of.derived);
    return values ? finished(of, std::move(*values))
                  : noValue(of.node, "the evaluator's rule does not cover complex numbers");
}

Result<ops::Facts> Evaluator::factsOf(const ir::NodeRef &node, const ops::Operator &row, const ops::Call &call) const
{
    ops::Answer answer = row.shape(call);
    if (answer.isWrong())
        return noValue(node, answer.doubt->reason);
    ops::Facts facts = std::move(answer.facts);
    facts.resize(std::max(facts.size(), node.outputCount()));
    if (isTooLarge(facts, m_limits.elements))
        return noValue(node, "the result is too large");
    return facts;
}

/// Whether a computed tensor may have this shape by the derived fact.
static bool isOfShape(const ops::TensorFact &derived, const compute::Sizes &shape)
{
    return !derived.shape || std::ranges::equal(*derived.shape, shape, [](const ir::Dim &size, std::int64_t computed) {
        return !ops::isDifferent(size, computed);
    });
}

/// Converts each value to the derived dtype; a shape other than the derived one is a bug of the rule.
Result<Values> Evaluator::finished(const Computed &of, Values values) const
{
    values.resize(std::max(of.node.outputCount(), values.size()));
    for (std::size_t i = 0; i < std::min(of.derived.size(), values.size()); ++i) {
        const ops::TensorFact *tensor = ops::asTensor(of.derived[i]);
        auto *array = std::get_if<Array>(&values[i].v);
        if (!tensor || !array || (compute::passesOn(of.row.traits.compute, of.facts) && array->lies))
            continue;
        const bool isOfDType =
            tensor->dtype && (compute::isComputable(*tensor->dtype) || ir::isComplex(*tensor->dtype));
        if (!isOfDType)
            return noValue(of.node, "its type is unknown or unsupported");
        if (!isOfShape(*tensor, array->shape))
            return noValue(of.node, "the result does not have the derived shape");
        auto typed = compute::converted(*array, *tensor->dtype);
        if (!typed)
            return noValue(of.node, "a float is too large for the dtype");
        if (!compute::isInRange(*typed))
            return noValue(of.node, "int64 does not hold its elements");
        *array = std::move(*typed);
    }
    return values;
}

} // namespace cutaway::evaluate
