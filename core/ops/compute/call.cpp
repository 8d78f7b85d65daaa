// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/call.h"

#include "core/ops/compute/rules.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>

namespace cutaway::compute {

Call::Call(ir::NodeRef node, const ops::Signature *signature, const ops::Call &facts,
           std::span<const ops::Fact> results, ValueOf valueOf)
    : m_node(node),
      m_signature(signature),
      m_facts(facts),
      m_results(results),
      m_valueOf(std::move(valueOf))
{
}

const Value *Call::value(std::size_t position) const
{
    const ir::Operand *found = ops::givenArgument(m_node, m_signature, position);
    if (found)
        return m_valueOf(*found);
    const auto fact = valueOf(m_facts[position]); // the argument is not given: its default
    return fact && m_facts.has(position) ? &m_defaults.emplace_front(*fact) : nullptr;
}

const Value *Call::value(std::string_view name) const
{
    const ir::Operand *found = ops::givenArgument(m_node, m_signature, name);
    return found ? m_valueOf(*found) : nullptr;
}

const Array *Call::asArray(const Value *value) const
{
    if (!value)
        return nullptr;
    if (const auto *array = value->as<Array>())
        return array;
    const auto *fact = value->as<ops::Fact>();
    const auto *number = fact ? fact->as<ops::NumberFact>() : nullptr;
    auto array = number ? arrayOf(*number) : std::nullopt;
    return array ? &m_numbers.emplace_front(std::move(*array)) : nullptr;
}

std::optional<std::vector<const Array *>> Call::arrays(std::size_t position) const
{
    std::vector<const Array *> arrays;
    if (isOnnx()) {
        for (std::size_t i = position; i < m_facts.inputCount(); ++i)
            arrays.push_back(array(i));
    } else {
        const Value *list = value(position);
        const auto *items = list ? list->as<Values>() : nullptr;
        if (!items)
            return std::nullopt;
        for (const Value &item : *items)
            arrays.push_back(asArray(&item));
    }
    return std::ranges::contains(arrays, nullptr) ? std::nullopt : std::optional(std::move(arrays));
}

std::optional<Sizes> Call::shape(std::size_t result) const
{
    const ops::TensorFact *tensor = result < m_results.size() ? ops::asTensor(m_results[result]) : nullptr;
    if (!tensor || !tensor->shape)
        return std::nullopt;
    return ops::numbers(*tensor->shape);
}

std::optional<ir::DType> Call::dtype(std::size_t result) const
{
    const ops::TensorFact *tensor = result < m_results.size() ? ops::asTensor(m_results[result]) : nullptr;
    return tensor ? tensor->dtype : std::nullopt;
}

bool Call::isOverwritten() const
{
    if (m_node.outputCount() != 1 || m_node.output(0)->uses.size() != 1)
        return false;
    const auto *reader = std::get_if<ir::NodeId>(&m_node.output(0)->uses.front());
    const ir::NodeRef node = reader ? ir::NodeRef(m_node.graph(), *reader) : m_node;
    const ops::Operator *row = reader ? ops::findOperator(node.dialect(), node.opName()) : nullptr;
    const bool writesAll = row
        && (row->traits.compute == overwrite
            || row->traits.compute == filledWith<0> || row->traits.compute == filledWithArgument<1>);
    const auto *first =
        writesAll && !node->arguments.empty() ? node->arguments.front().value.as<ir::ValueId>() : nullptr;
    return first && *first == m_node.output(0).id();
}

std::optional<double> Call::number(std::string_view aten, std::string_view onnx, double defaultValue) const
{
    const std::string_view name = named(aten, onnx);
    return m_facts.has(name) ? m_facts.floating(name) : std::optional(defaultValue);
}

std::optional<std::int64_t> Call::integer(std::string_view aten, std::string_view onnx, std::int64_t defaultValue) const
{
    const std::string_view name = named(aten, onnx);
    return m_facts.has(name) ? m_facts.integer(name) : std::optional(defaultValue);
}

std::optional<bool> Call::flag(std::string_view aten, bool defaultValue) const
{
    return m_facts.has(aten) ? m_facts.flag(aten) : std::optional(defaultValue);
}

std::optional<bool> Call::flag(std::string_view aten, std::string_view onnx, bool defaultValue) const
{
    if (!isOnnx())
        return flag(aten, defaultValue);
    const auto number = integer("", onnx, defaultValue ? 1 : 0);
    return number ? std::optional(*number != 0) : std::nullopt;
}

std::optional<std::size_t> Call::axis(std::string_view aten, std::string_view onnx, std::int64_t defaultValue,
                                      std::size_t rank) const
{
    const auto given = integer(aten, onnx, defaultValue);
    return given ? ops::dimension(*given, rank) : std::nullopt;
}

Answer answer(std::optional<Array> array) { return array ? Answer(Values{Value(std::move(*array))}) : std::nullopt; }

Answer answer(Sizes shape, std::vector<double> elements)
{
    if (std::ssize(elements) != countOf(shape))
        return std::nullopt;
    return answer(Array{ir::DType::Float64, std::move(shape), std::move(elements)});
}

} // namespace cutaway::compute
