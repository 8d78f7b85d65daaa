// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/integer_tensors.h"

#include "core/ir/tensors/tensor_numbers.h"
#include "core/print/torch/call_rows.h"
#include "core/print/torch/holes.h"

#include <algorithm>
#include <array>

namespace cutaway::print {

namespace {

bool isNumber(const ir::Graph &graph, const ir::Operand &operand)
{
    if (operand.as<std::int64_t>())
        return true;
    const auto *value = operand.as<ir::ValueId>();
    const auto *type = value ? std::get_if<ir::NumberType>(&ir::ValueRef(graph, *value).type()) : nullptr;
    return type && type->kind == ir::NumberType::Kind::Int;
}

} // namespace

bool IntegerTensors::contains(ir::ValueId value)
{
    const auto known = m_known.find(value);
    if (known != m_known.end())
        return known->second;
    m_known[value] = false; // the answer while the value is being examined
    return m_known[value] = find(value);
}

bool IntegerTensors::find(ir::ValueId value)
{
    const auto node = ir::ValueRef(m_graph, value).producer();
    if (!node || node->outputCount() != 1 || !m_isSteady(*node))
        return false;
    const auto given = m_forms.givenTo(*node);
    if (m_forms.hasPattern(*node, tensorOfNumber))
        return given.size() == 1 && isNumber(m_graph, *given[0].value);
    const bool isComputed = std::ranges::any_of(
        integerPatterns, [&](std::string_view pattern) { return m_forms.hasPattern(*node, pattern); });
    return isComputed && given.size() == 2 && isInteger(*given[0].value) && isInteger(*given[1].value);
}

bool IntegerTensors::isInteger(const ir::Operand &operand)
{
    if (isNumber(m_graph, operand) || constant(operand))
        return true;
    const auto *value = operand.as<ir::ValueId>();
    return value && contains(*value);
}

/// Returns the number in a constant of the file, if that is an int64 tensor without dimensions; else nothing.
std::optional<std::int64_t> IntegerTensors::constant(const ir::Operand &operand) const
{
    const auto id = m_paths.tensorOf(operand);
    if (!id)
        return std::nullopt;
    const ir::Tensor &tensor = m_model.at(*id);
    if (!tensor.shape.empty() || tensor.dtype != ir::DType::Int64 || tensor.kind != ir::Tensor::Kind::Constant)
        return std::nullopt;
    const auto numbers = ir::numbersOf(m_model, *id);
    const auto *all = numbers ? std::get_if<std::vector<std::int64_t>>(&*numbers) : nullptr;
    return all ? std::optional(all->front()) : std::nullopt;
}

std::optional<ir::ValueId> IntegerTensors::read(const ir::NodeRef &node)
{
    if (node.outputCount() != 1 || !m_forms.hasPattern(node, numberOfTensor))
        return std::nullopt;
    const auto given = m_forms.givenTo(node);
    const auto *value = given.size() == 1 ? given[0].value->as<ir::ValueId>() : nullptr;
    return value && contains(*value) ? std::optional(*value) : std::nullopt;
}

void IntegerTensors::visitNumbers(ir::ValueId value, const std::function<void(const ir::Operand &)> &visit)
{
    const ir::NodeRef node = *ir::ValueRef(m_graph, value).producer();
    for (const auto &given : m_forms.givenTo(node)) {
        const auto *inner = given.value->as<ir::ValueId>();
        if (inner && contains(*inner))
            visitNumbers(*inner, visit);
        else if (!constant(*given.value))
            visit(*given.value);
    }
}

Expression IntegerTensors::code(ir::ValueId value, const OperandCode &operand)
{
    const ir::NodeRef node = *ir::ValueRef(m_graph, value).producer();
    const OperandCode inner = [&](const ir::Operand &read, std::string_view name) -> Expression {
        if (const auto number = constant(read))
            return {hole("size", std::to_string(*number))};
        const auto *tensor = read.as<ir::ValueId>();
        return tensor && contains(*tensor) ? code(*tensor, operand) : operand(read, name);
    };
    const auto given = m_forms.givenTo(node);
    if (m_forms.hasPattern(node, tensorOfNumber))
        return inner(*given[0].value, given[0].name);
    return m_forms.of(node, inner).value_or(Expression());
}

} // namespace cutaway::print
