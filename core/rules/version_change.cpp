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

template <class Number, class Read>
std::optional<std::vector<Number>> listOf(const Operand *operand, const Read &read)
{
    const auto *list = operand ? operand->as<ir::List>() : nullptr;
    if (!list)
        return std::nullopt;
    std::vector<Number> numbers;
    for (const Operand &item : list->items) {
        const auto number = read(item);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::int64_t> wholeOf(const Operand &operand)
{
    if (const auto *n = operand.as<std::int64_t>())
        return *n;
    return std::nullopt;
}

std::optional<double> realOf(const Operand &operand)
{
    if (const auto *x = operand.as<double>())
        return *x;
    const auto whole = wholeOf(operand);
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

bool VersionChange::has(std::size_t position) const
{
    const Operand *operand = m_node.input(position);
    return operand && !operand->as<ir::None>();
}

Operand VersionChange::input(std::size_t position) const
{
    const Operand *operand = m_node.input(position);
    return operand ? *operand : Operand(ir::None{});
}

std::vector<Operand> VersionChange::inputs() const
{
    std::vector<Operand> all;
    for (std::size_t i = 0; i < m_node.inputCount(); ++i)
        all.push_back(input(i));
    return all;
}

std::optional<std::int64_t> VersionChange::integer(std::string_view attribute) const
{
    const Operand *operand = m_node.argument(attribute);
    return operand ? wholeOf(*operand) : std::nullopt;
}

std::optional<double> VersionChange::real(std::string_view attribute) const
{
    const Operand *operand = m_node.argument(attribute);
    return operand ? realOf(*operand) : std::nullopt;
}

std::string_view VersionChange::text(std::string_view attribute, std::string_view byDefault) const
{
    const Operand *operand = m_node.argument(attribute);
    const auto *text = operand ? operand->as<ir::String>() : nullptr;
    return text ? m_rewriter.context().text(text->text) : byDefault;
}

std::optional<VersionChange::Whole> VersionChange::integers(std::string_view attribute) const
{
    return listOf<std::int64_t>(m_node.argument(attribute), wholeOf);
}

std::optional<std::vector<double>> VersionChange::reals(std::string_view attribute) const
{
    return listOf<double>(m_node.argument(attribute), realOf);
}

std::optional<ops::TensorFact> VersionChange::known(const Operand &operand)
{
    if (operand.as<ir::None>())
        return std::nullopt;
    const ops::Fact fact = m_rewriter.proven(operand);
    const auto *tensor = std::get_if<ops::TensorFact>(&fact.v);
    return tensor ? std::optional(*tensor) : std::nullopt;
}

std::optional<ops::TensorFact> VersionChange::tensor(std::size_t position) { return known(input(position)); }

std::optional<ops::TensorFact> VersionChange::result(std::size_t position)
{
    return position < m_node.outputCount() ? known(m_node.output(position).id()) : std::nullopt;
}

std::optional<std::size_t> VersionChange::rank(std::size_t position)
{
    const auto fact = tensor(position);
    return fact && fact->shape ? std::optional(fact->shape->size()) : std::nullopt;
}

std::optional<ir::DType> VersionChange::dtype(std::size_t position)
{
    const auto fact = tensor(position);
    return fact ? fact->dtype : std::nullopt;
}

std::optional<std::int64_t> VersionChange::size(std::size_t position, std::size_t dimension)
{
    const auto fact = tensor(position);
    return fact && fact->shape && dimension < fact->shape->size() ? ops::number((*fact->shape)[dimension])
                                                                  : std::nullopt;
}

std::optional<VersionChange::Whole> VersionChange::knownWhole(std::size_t position)
{
    if (const auto id = m_rewriter.constant(input(position))) {
        auto numbers = ir::numbersOf(m_rewriter.model(), *id);
        if (auto *whole = numbers ? std::get_if<Whole>(&*numbers) : nullptr)
            return std::move(*whole);
        return std::nullopt;
    }
    const auto fact = tensor(position);
    if (!fact || !fact->elements)
        return std::nullopt;
    Whole elements;
    for (const ir::Dim &element : *fact->elements) {
        const auto number = ops::number(element);
        if (!number)
            return std::nullopt;
        elements.push_back(*number);
    }
    return elements;
}

std::optional<std::vector<double>> VersionChange::knownReals(std::size_t position)
{
    const auto id = m_rewriter.constant(input(position));
    auto numbers = id ? ir::numbersOf(m_rewriter.model(), *id) : Result<ir::Numbers>(unreadable(""));
    if (!numbers)
        return std::nullopt;
    if (auto *floats = std::get_if<std::vector<double>>(&*numbers))
        return std::move(*floats);
    const auto &whole = std::get<Whole>(*numbers);
    return std::vector<double>(whole.begin(), whole.end());
}

bool VersionChange::isRead(std::size_t position) const
{
    return position < m_node.outputCount() && !m_node.output(position)->uses.empty();
}

std::vector<std::optional<ops::TensorFact>> VersionChange::given(std::size_t region)
{
    std::vector<std::optional<ops::TensorFact>> all;
    for (const Operand &output : m_rewriter.graph().at(m_node->regions[region]).outputs)
        all.push_back(known(output));
    return all;
}

Operand VersionChange::constant(const Whole &elements)
{
    return tensorOf(ir::DType::Int64, {std::ssize(elements)}, elements);
}

Operand VersionChange::scalar(ir::DType dtype, double element)
{
    if (ir::isFloat(dtype))
        return tensorOf(dtype, {}, std::vector<double>{element});
    return tensorOf(dtype, {}, Whole{static_cast<std::int64_t>(element)});
}

Operand VersionChange::tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, const ir::Numbers &elements)
{
    const std::string name = formatted("{}_constant", m_node.outputCount() ? m_node.output(0).name() : "node");
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
    if (type && type->shape) { // a type without a shape is not one for every checker
        ir::TensorType tensor;
        tensor.dtype = type->dtype;
        tensor.shape = type->shape;
        made = m_rewriter.context().type(tensor);
    }
    m_rewriter.from({m_node});
    return m_rewriter.makeBefore(m_node, {.dialect = "onnx", .name = op, .arguments = std::move(arguments)}, made);
}

Operand VersionChange::list(const Whole &numbers) { return listOperand(numbers); }

Operand VersionChange::list(const std::vector<double> &numbers) { return listOperand(numbers); }

Operand VersionChange::word(std::string_view text) { return ir::String{m_rewriter.text(text)}; }

void VersionChange::setInputs(std::vector<Operand> inputs)
{
    while (!inputs.empty() && inputs.back().as<ir::None>())
        inputs.pop_back();
    std::vector<ir::Argument> arguments;
    for (Operand &input : inputs)
        arguments.push_back({{}, std::move(input)});
    for (const ir::Argument &argument : m_node->arguments)
        if (argument.name != ir::NameId{} && !argument.value.as<ir::ValueId>())
            arguments.push_back(argument);
    m_rewriter.setArguments(m_node, std::move(arguments));
}

void VersionChange::setAttribute(std::string_view name, Operand value)
{
    dropAttribute(name);
    std::vector<ir::Argument> arguments = m_node->arguments;
    arguments.push_back({m_rewriter.text(name), std::move(value)});
    m_rewriter.setArguments(m_node, std::move(arguments));
}

void VersionChange::dropAttribute(std::string_view name)
{
    std::vector<ir::Argument> arguments = m_node->arguments;
    std::erase_if(arguments, [&](const ir::Argument &each) { return each.name == m_rewriter.text(name); });
    m_rewriter.setArguments(m_node, std::move(arguments));
}

void VersionChange::replaceBy(const Operand &made)
{
    const ir::ValueRef old = m_node.output(0);
    if (const auto *value = made.as<ir::ValueId>(); value && old->name != ir::NameId{}) {
        const std::string name(old.name());
        if (old->type != ir::TypeId{})
            m_rewriter.setType(*value, old->type);
        m_rewriter.setName(*value, name);
    }
    m_rewriter.replaceUses(old, made);
    m_rewriter.remove(m_node);
}

// ---- the form

namespace {

/// Whether an attribute says what is so where it is left out.
bool saysNothing(const Operand &value, const ops::OnnxDefault &byDefault)
{
    if (!byDefault.isOfEachAxis) {
        const auto a = realOf(value), b = realOf(byDefault.value);
        return value == byDefault.value || (a && b && *a == *b);
    }
    const auto *list = value.as<ir::List>();
    return list && std::ranges::all_of(list->items, [&](const Operand &item) { return item == byDefault.value; });
}

/// Attributes that the other version does not have, or that are something else there where they are left out.
std::optional<std::string> fitAttributes(VersionChange &change, const ops::OnnxOperator &from,
                                         const ops::OnnxOperator &to)
{
    ir::Context &context = change.node().graph().context();
    const std::string_view op = change.node().opName();
    for (const ops::OnnxAttribute &attribute : from.attributes) {
        const auto there = std::ranges::find(to.attributes, attribute.name, &ops::OnnxAttribute::name);
        const auto byDefault = ops::onnxDefault(context, op, attribute.name, change.from());
        const Operand *value = change.node().argument(attribute.name);
        if (there == to.attributes.end()) {
            if (value && !(byDefault && saysNothing(*value, *byDefault)))
                return formatted("opset {} has no attribute '{}' of it", change.to(), attribute.name);
            if (value)
                change.dropAttribute(attribute.name);
        } else if (!value && there->byDefault != attribute.byDefault && byDefault && !byDefault->isOfEachAxis
                   && !there->byDefault.ends_with('*')) {
            change.setAttribute(attribute.name, byDefault->value);
        }
    }
    return std::nullopt;
}

/// Inputs and outputs that the other version does not have, or must have.
std::optional<std::string> fitCounts(VersionChange &change, const ops::OnnxOperator &to)
{
    std::vector<Operand> inputs = change.inputs();
    while (!inputs.empty() && inputs.back().as<ir::None>())
        inputs.pop_back();
    if (inputs.size() > to.maxInputs)
        return formatted("opset {} has no input {} of it", change.to(), to.maxInputs + 1);
    if (inputs.size() < to.minInputs)
        return formatted("in opset {} it has to have {}", change.to(), quantity(to.minInputs, "input"));
    if (change.node().outputCount() > to.maxOutputs)
        return formatted("opset {} has no result {} of it", change.to(), to.maxOutputs + 1);
    if (inputs.size() != change.node().inputCount())
        change.setInputs(std::move(inputs));
    return std::nullopt;
}

} // namespace

bool isFloat32(double number)
{
    return std::isnan(number) || static_cast<double>(static_cast<float>(number)) == number;
}

std::optional<std::string> fitForm(VersionChange &change)
{
    const std::string_view op = change.node().opName();
    const ops::OnnxOperator *from = ops::onnxVersionIn(op, change.from()), *to = ops::onnxVersionIn(op, change.to());
    if (!from || !to || from == to)
        return std::nullopt;
    if (const auto fault = fitAttributes(change, *from, *to))
        return fault;
    return fitCounts(change, *to);
}

} // namespace cutaway::rules::to_onnx
