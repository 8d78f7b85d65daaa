// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/onnx_node.h"

#include "core/base/formatted.h"
#include "core/ir/names.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <numeric>

namespace cutaway::rules::to_aten {

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

std::optional<Term> OnnxNode::constantOf(std::size_t position, ir::DType dtype) const
{
    const auto id = m_rewriter.constant(input(position));
    const auto numbers = id ? ir::numbersOf(m_rewriter.model(), *id) : Result<ir::Numbers>(unreadable(""));
    if (!numbers)
        return std::nullopt;
    const ir::Tensor &tensor = m_rewriter.model().at(*id);
    return d.term(m_rewriter.addConstant(m_rewriter.context().text(tensor.name), dtype, tensor.shape,
                                         ir::encodeNumbers(dtype, *numbers)));
}

Term OnnxNode::constant(const Numbers &numbers)
{
    const ir::ValueId made = m_rewriter.addConstant("constant", ir::DType::Int64, {std::ssize(numbers)},
                                                    ir::encodeNumbers(ir::DType::Int64, ir::Numbers(numbers)));
    return d.term(made);
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

std::string OnnxNode::unknownType() const
{
    for (std::size_t i = 0; i < inputCount(); ++i) {
        const auto value = ir::valueOf(m_rewriter.graph(), m_node.input(i));
        if (value && ops::asTensor(m_rewriter.fact(value->id())) && !tensor(i))
            return formatted("the dtype or shape of its input {} is not known", value->name());
    }
    for (std::size_t i = 0; i < resultCount(); ++i)
        if (!result(i))
            return "the dtype or shape of its result is not known";
    return {};
}

namespace {

/// Whether results are of the types of the node's.
bool haveTypesOf(const ir::NodeRef &node, AtenMaker &made, const Parts &results)
{
    if (!made.isComplete() || results.size() != node.outputCount())
        return false;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto expected = made.tensor(node.output(i).id()), found = made.tensor(results[i]);
        if (!expected || !found || expected->dtype != found->dtype
            || !std::ranges::equal(expected->shape, found->shape,
                                   [](const ir::Dim &a, const ir::Dim &b) { return !ops::isDifferent(a, b); }))
            return false;
    }
    return true;
}

} // namespace

Parts loweredNode(rewrite::Rewriter &rewriter, AtenMaker &made, const ir::NodeRef &node, std::string &reason)
{
    const OnnxLowering *rule = loweringOf(node.dialect(), node.opName());
    made.learnResults();
    reason = !node->regions.empty() ? "there is no rule for what runs its regions" : "there is no rule for it";
    if (!rule || !node->regions.empty())
        return {};
    OnnxNode reader(rewriter, made, node);
    Parts results = rule->make(reader);
    if (haveTypesOf(node, made, results))
        return results;
    made.undo();
    const std::string unknown = reader.unknownType();
    reason = !reader.reason().empty() ? reader.reason()
        : !unknown.empty()            ? unknown
        : results.empty()             ? "its rule does not cover these arguments"
                                      : "what its rule makes has other types, or sizes that no tensor at hand has";
    return {};
}

} // namespace cutaway::rules::to_aten
