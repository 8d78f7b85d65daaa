// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/version_change.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/onnx_versions.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace cutaway::rules::to_onnx {

namespace {

using ir::Operand;

std::optional<double> realOf(const Operand &operand)
{
    if (const auto *x = operand.as<double>())
        return *x;
    const auto *whole = operand.as<std::int64_t>();
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

template <class Number>
Operand listOperand(const std::vector<Number> &numbers)
{
    ir::List list;
    for (const Number number : numbers)
        list.items.push_back(number);
    return list;
}

} // namespace

Operand VersionChange::input(std::size_t position) const
{
    const Operand *given = operand(position);
    return given ? *given : Operand(ir::None{});
}

std::vector<Operand> VersionChange::inputs() const
{
    std::vector<Operand> all;
    for (std::size_t i = 0; i < inputCount(); ++i)
        all.push_back(input(i));
    return all;
}

std::optional<ops::TensorFact> VersionChange::factOf(const Operand &operand) const
{
    const ops::Fact known = operand.as<ir::None>() ? ops::Fact() : fact(operand);
    const auto *tensor = known.as<ops::TensorFact>();
    return tensor ? std::optional(*tensor) : std::nullopt;
}

std::optional<ops::TensorFact> VersionChange::tensor(std::size_t position) const { return factOf(input(position)); }

std::optional<ops::TensorFact> VersionChange::result(std::size_t position) const
{
    return position < resultCount() ? factOf(node().output(position).id()) : std::nullopt;
}

std::optional<std::size_t> VersionChange::knownRank(std::size_t position) const
{
    const auto known = tensor(position);
    return known && known->shape ? std::optional(known->shape->size()) : std::nullopt;
}

std::optional<ir::DType> VersionChange::knownDType(std::size_t position) const
{
    const auto known = tensor(position);
    return known ? known->dtype : std::nullopt;
}

std::optional<std::int64_t> VersionChange::size(std::size_t position, std::size_t dimension) const
{
    const auto known = tensor(position);
    return known && known->shape && dimension < known->shape->size() ? ops::number((*known->shape)[dimension])
                                                                     : std::nullopt;
}

std::optional<Node::Numbers> VersionChange::knownIntegers(Where where) const
{
    if (!where.name.empty())
        return Node::knownIntegers(where);
    const Operand *given = operand(where);
    const auto id = given ? m_rewriter.constant(*given) : std::nullopt;
    if (!id) {
        const auto elements = given ? ops::asInts(fact(*given)) : std::nullopt;
        return elements ? ops::numbers(*elements) : std::nullopt;
    }
    auto numbers = ir::numbersOf(m_rewriter.model(), *id);
    auto *whole = numbers ? std::get_if<Numbers>(&*numbers) : nullptr;
    return whole ? std::optional(std::move(*whole)) : std::nullopt;
}

std::optional<std::vector<double>> VersionChange::knownReals(Where where) const
{
    const Operand *given = operand(where);
    std::vector<double> reals;
    if (const auto *list = given ? given->as<ir::List>() : nullptr) {
        for (const Operand &item : list->items) {
            const auto number = realOf(item);
            if (!number)
                return std::nullopt;
            reals.push_back(*number);
        }
        return reals;
    }
    const auto id = given ? m_rewriter.constant(*given) : std::nullopt;
    const auto numbers = id ? ir::numbersOf(m_rewriter.model(), *id) : Result<ir::Numbers>(unreadable(""));
    if (!numbers)
        return std::nullopt;
    std::visit([&](const auto &all) { reals.assign(all.begin(), all.end()); }, *numbers);
    return reals;
}

std::vector<std::optional<ops::TensorFact>> VersionChange::given(std::size_t region) const
{
    std::vector<std::optional<ops::TensorFact>> all;
    for (const Operand &output : m_rewriter.graph().at(node()->regions[region]).outputs)
        all.push_back(factOf(output));
    return all;
}

Operand VersionChange::constant(const Numbers &elements)
{
    return tensorOf(ir::DType::Int64, {std::ssize(elements)}, elements);
}

Operand VersionChange::scalar(ir::DType dtype, double element)
{
    if (ir::isFloat(dtype))
        return tensorOf(dtype, {}, std::vector<double>{element});
    return tensorOf(dtype, {}, Numbers{static_cast<std::int64_t>(element)});
}

Operand VersionChange::tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, const ir::Numbers &elements)
{
    const std::string name = formatted("{}_constant", node().outputCount() ? node().output(0).name() : "node");
    return m_rewriter.addConstant(name, dtype, std::move(shape), ir::encodeNumbers(dtype, elements));
}

Operand VersionChange::make(OnnxName op, std::vector<Operand> inputs, std::vector<Attribute> attributes,
                            std::optional<ops::TensorFact> type)
{
    std::vector<ir::Argument> arguments;
    for (Operand &input : inputs)
        arguments.push_back({{}, std::move(input)});
    for (auto &[name, value] : attributes)
        arguments.push_back({m_rewriter.text(name), std::move(value)});
    ir::TypeId made = {};
    if (type && type->shape) { // some checkers refuse a type without a shape
        ir::TensorType tensor;
        tensor.dtype = type->dtype;
        tensor.shape = type->shape;
        made = m_rewriter.context().type(tensor);
    }
    m_rewriter.from({node()});
    return m_rewriter.makeBefore(node(), {.dialect = "onnx", .name = op, .arguments = std::move(arguments)}, made);
}

Operand VersionChange::list(const Numbers &numbers) { return listOperand(numbers); }

Operand VersionChange::list(const std::vector<double> &numbers) { return listOperand(numbers); }

Operand VersionChange::word(std::string_view text) { return ir::String{m_rewriter.text(text)}; }

void VersionChange::setInputs(std::vector<Operand> inputs)
{
    while (!inputs.empty() && inputs.back().as<ir::None>())
        inputs.pop_back();
    std::vector<ir::Argument> arguments;
    for (Operand &input : inputs)
        arguments.push_back({{}, std::move(input)});
    for (const ir::Argument &argument : node()->arguments)
        if (argument.name != ir::NameId{} && !argument.value.as<ir::ValueId>())
            arguments.push_back(argument);
    m_rewriter.setArguments(node(), std::move(arguments));
}

void VersionChange::setAttribute(std::string_view name, Operand value)
{
    dropAttribute(name);
    std::vector<ir::Argument> arguments = node()->arguments;
    arguments.push_back({m_rewriter.text(name), std::move(value)});
    m_rewriter.setArguments(node(), std::move(arguments));
}

void VersionChange::dropAttribute(std::string_view name)
{
    std::vector<ir::Argument> arguments = node()->arguments;
    std::erase_if(arguments, [&](const ir::Argument &each) { return each.name == m_rewriter.text(name); });
    m_rewriter.setArguments(node(), std::move(arguments));
}

void VersionChange::replaceBy(const Operand &made)
{
    const ir::ValueRef old = node().output(0);
    if (const auto *value = made.as<ir::ValueId>(); value && old->name != ir::NameId{}) {
        const std::string name(old.name());
        if (old->type != ir::TypeId{})
            m_rewriter.setType(*value, old->type);
        m_rewriter.setName(*value, name);
    }
    m_rewriter.replaceUses(old, made);
    m_rewriter.remove(node());
}

// ---- the form

namespace {

/// Whether an attribute equals its default, and so can be left out.
bool saysNothing(const Operand &value, const ops::OnnxDefault &byDefault)
{
    if (!byDefault.isOfEachAxis) {
        const auto a = realOf(value), b = realOf(byDefault.value);
        return value == byDefault.value || (a && b && *a == *b);
    }
    const auto *list = value.as<ir::List>();
    return list && std::ranges::all_of(list->items, [&](const Operand &item) { return item == byDefault.value; });
}

/// Removes attributes that the version `to` lacks, and refuses the node if the value of such an attribute differs from
/// its default. Writes out omitted attributes whose default differs in `to`.
void fitAttributes(VersionChange &change, const ops::OnnxOperator &from, const ops::OnnxOperator &to)
{
    ir::Context &context = change.node().graph().context();
    const std::string_view op = change.node().opName();
    for (const ops::OnnxAttribute &attribute : from.attributes) {
        const auto there = std::ranges::find(to.attributes, attribute.name, &ops::OnnxAttribute::name);
        const auto byDefault = ops::onnxDefault(context, op, attribute.name, change.from());
        const Operand *value = change.node().argument(attribute.name);
        if (there == to.attributes.end()) {
            if (value && !(byDefault && saysNothing(*value, *byDefault)))
                return change.reject(formatted("opset {} has no attribute '{}' of it", change.to(), attribute.name));
            if (value)
                change.dropAttribute(attribute.name);
        } else if (!value && there->byDefault != attribute.byDefault && byDefault && !byDefault->isOfEachAxis
                   && !there->byDefault.ends_with('*')) {
            change.setAttribute(attribute.name, byDefault->value);
        }
    }
}

/// Removes omitted inputs at the end. Refuses the node if it has more inputs or outputs than the version `to` allows,
/// or fewer inputs than it needs.
void fitCounts(VersionChange &change, const ops::OnnxOperator &to)
{
    std::vector<Operand> inputs = change.inputs();
    while (!inputs.empty() && inputs.back().as<ir::None>())
        inputs.pop_back();
    if (inputs.size() > to.maxInputs)
        return change.reject(formatted("opset {} has no input {} of it", change.to(), to.maxInputs + 1));
    if (inputs.size() < to.minInputs)
        return change.reject(formatted("in opset {} it has to have {}", change.to(), quantity(to.minInputs, "input")));
    if (change.node().outputCount() > to.maxOutputs)
        return change.reject(formatted("opset {} has no result {} of it", change.to(), to.maxOutputs + 1));
    if (inputs.size() != change.node().inputCount())
        change.setInputs(std::move(inputs));
}

} // namespace

bool isFloat32(double number)
{
    return std::isnan(number) || static_cast<double>(static_cast<float>(number)) == number;
}

void fitForm(VersionChange &change)
{
    const std::string_view op = change.node().opName();
    const ops::OnnxOperator *from = ops::onnxVersionIn(op, change.from()), *to = ops::onnxVersionIn(op, change.to());
    if (!from || !to || from == to)
        return;
    fitAttributes(change, *from, *to);
    if (!change.isRefused())
        fitCounts(change, *to);
}

} // namespace cutaway::rules::to_onnx
