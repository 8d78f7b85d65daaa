// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lowerings/onnx_node.h"

#include "core/ir/tensors/tensor_numbers.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace cutaway::passes {

bool OnnxNode::reads(std::size_t result) const
{
    return result < m_node.outputCount() && !m_node.output(result)->uses.empty();
}

Term OnnxNode::input(std::size_t position) const
{
    const ir::Operand *given = m_node.input(position);
    return d.term(given ? *given : ir::Operand());
}

std::optional<OnnxNode> OnnxNode::maker(std::size_t position) const
{
    const auto value = ir::valueOf(m_rewriter.graph(), m_node.input(position));
    const auto producer = value ? value->producer() : std::nullopt;
    if (!producer || m_rewriter.isRemoved(*producer) || producer->dialect() != "onnx")
        return std::nullopt;
    return OnnxNode(m_rewriter, d, *producer);
}

std::optional<double> OnnxNode::number(std::size_t position) const
{
    const auto tensor = m_rewriter.constant(input(position));
    const auto count = tensor ? ir::elementCount(m_rewriter.model().at(*tensor)) : std::nullopt;
    if (count != 1)
        return std::nullopt;
    const auto numbers = reals(position);
    return numbers ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<double> OnnxNode::number(std::string_view attribute) const
{
    const ir::Operand *given = m_rewriter.argument(m_node, attribute);
    const auto *tensor = given ? given->as<ir::TensorId>() : nullptr;
    if (!tensor || ir::elementCount(m_rewriter.model().at(*tensor)) != 1)
        return std::nullopt;
    const auto numbers = ir::numbersOf(m_rewriter.model(), *tensor);
    return numbers
        ? std::optional(std::visit([](const auto &all) { return static_cast<double>(all.front()); }, *numbers))
        : std::nullopt;
}

Term OnnxNode::numberOr(std::size_t position) const
{
    const auto known = tensor(position);
    if (!known || known->rank() > 0)
        return input(position);
    const auto value = ir::isFloating(known->dtype) ? number(position) : std::nullopt;
    const auto whole = ir::isInteger(known->dtype) ? wholeNumber(position) : std::nullopt;
    return value ? d.term(*value) : whole ? d.term(*whole) : input(position);
}

/// A double would round it from 2^53 on.
std::optional<std::int64_t> OnnxNode::wholeNumber(std::size_t position) const
{
    const auto tensor = m_rewriter.constant(input(position));
    const auto count = tensor ? ir::elementCount(m_rewriter.model().at(*tensor)) : std::nullopt;
    if (count != 1 || m_rewriter.model().at(*tensor).dtype == ir::DType::UInt64)
        return std::nullopt;
    const auto numbers = ir::numbersOf(m_rewriter.model(), *tensor);
    const auto *whole = numbers ? std::get_if<Numbers>(&*numbers) : nullptr;
    return whole ? std::optional(whole->front()) : std::nullopt;
}

std::int64_t OnnxNode::integer(std::string_view attribute, std::int64_t byDefault) const
{
    return m_call.integer(attribute).value_or(byDefault);
}

double OnnxNode::real(std::string_view attribute, double byDefault) const
{
    return m_call.floating(attribute).value_or(byDefault);
}

std::string_view OnnxNode::text(std::string_view attribute, std::string_view byDefault) const
{
    return m_call.has(attribute) ? m_call.text(attribute) : byDefault;
}

static std::optional<OnnxNode::Numbers> numbersIn(const std::optional<std::vector<ir::Dim>> &dims)
{
    if (!dims)
        return std::nullopt;
    OnnxNode::Numbers numbers;
    for (const ir::Dim &dim : *dims) {
        const auto number = ops::number(dim);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<OnnxNode::Numbers> OnnxNode::integers(std::string_view attribute) const
{
    return numbersIn(m_call.sizes(attribute));
}

std::optional<OnnxNode::Numbers> OnnxNode::elements(std::size_t position) const
{
    return numbersIn(m_call.sizes(position));
}

std::optional<std::vector<double>> OnnxNode::reals(std::string_view attribute) const
{
    const ir::Operand *given = m_rewriter.argument(m_node, attribute);
    const auto *list = given ? given->as<ir::List>() : nullptr;
    if (!list)
        return std::nullopt;
    std::vector<double> numbers;
    for (const ir::Operand &item : list->items) {
        const auto *number = item.as<double>();
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<std::string_view> OnnxNode::texts(std::string_view attribute) const
{
    const ir::Operand *given = m_rewriter.argument(m_node, attribute);
    const auto *list = given ? given->as<ir::List>() : nullptr;
    std::vector<std::string_view> all;
    if (list)
        for (const ir::Operand &item : list->items)
            if (const auto *text = item.as<ir::String>())
                all.push_back(m_rewriter.context().text(text->text));
    return all;
}

std::optional<std::vector<double>> OnnxNode::reals(std::size_t position) const
{
    const auto tensor = m_rewriter.constant(input(position));
    if (!tensor)
        return std::nullopt;
    const auto numbers = ir::numbersOf(m_rewriter.model(), *tensor);
    if (!numbers)
        return std::nullopt;
    return std::visit([](const auto &all) { return std::vector<double>(all.begin(), all.end()); }, *numbers);
}

std::optional<std::size_t> OnnxNode::dimension(std::int64_t number) const
{
    const auto x = tensor(0);
    return x ? ops::dimension(number, x->rank()) : std::nullopt;
}

OnnxNode::Numbers OnnxNode::allDimensions() const
{
    const auto x = tensor(0);
    Numbers all(x ? x->rank() : 0);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

const OnnxLowering *findOnnxLowering(const ir::NodeRef &node)
{
    static const auto rules = [] {
        std::unordered_map<std::string_view, const OnnxLowering *> all;
        for (const auto family : {elementwiseLowerings(), indexingLowerings(), microsoftLowerings(), networkLowerings(),
                                  quantizationLowerings(), randomLowerings(), recurrentLowerings(),
                                  resamplingLowerings(), sequenceLowerings(), tensorLowerings()})
            for (const OnnxLowering &rule : family)
                all.emplace(rule.name, &rule);
        return all;
    }();
    const std::string whole = node.dialect() == "onnx" ? std::string() : node.fullName();
    const auto known = rules.find(whole.empty() ? node.opName() : whole);
    return known == rules.end() ? nullptr : known->second;
}

} // namespace cutaway::passes
