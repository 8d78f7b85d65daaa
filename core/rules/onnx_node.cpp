// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/onnx_node.h"

#include "core/base/formatted.h"
#include "core/ir/names.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/rules/rules.h"

#include <algorithm>

namespace cutaway::rules::to_aten {

namespace {

/// Returns the constant that an operand is: a weight of the graph, or the tensor of an attribute.
std::optional<ir::TensorId> constantIn(rewrite::Rewriter &rewriter, const ir::Operand *operand)
{
    const auto *own = operand ? operand->as<ir::TensorId>() : nullptr;
    return own ? std::optional(*own) : operand ? rewriter.constant(*operand) : std::nullopt;
}

std::optional<ir::Numbers> constantsIn(rewrite::Rewriter &rewriter, const ir::Operand *operand)
{
    const auto tensor = constantIn(rewriter, operand);
    auto numbers = tensor ? ir::numbersOf(rewriter.model(), *tensor) : Result<ir::Numbers>(unreadable(""));
    return numbers ? std::optional(std::move(*numbers)) : std::nullopt;
}

} // namespace

std::optional<Node> OnnxNode::makerOf(const ir::Operand *operand) const
{
    const auto value = ir::valueOf(rewriter().graph(), operand);
    const auto producer = value ? value->producer() : std::nullopt;
    if (!producer || rewriter().isRemoved(*producer) || producer->dialect() != "onnx")
        return std::nullopt;
    return Node(*producer, rewriter().call(*producer), nullptr, [this](const ir::Operand &each) { return fact(each); });
}

std::optional<std::vector<double>> OnnxNode::constantNumbers(std::size_t position) const
{
    const auto numbers = constantsIn(rewriter(), operand(position));
    if (!numbers)
        return std::nullopt;
    return std::visit([](const auto &all) { return std::vector<double>(all.begin(), all.end()); }, *numbers);
}

std::optional<double> OnnxNode::constantNumber(Where where) const
{
    const auto tensor = constantIn(rewriter(), operand(where));
    const bool isOne = tensor && ir::elementCount(rewriter().model().at(*tensor)) == 1;
    const auto numbers = isOne ? constantsIn(rewriter(), operand(where)) : std::nullopt;
    return numbers
        ? std::optional(std::visit([](const auto &all) { return static_cast<double>(all.front()); }, *numbers))
        : std::nullopt;
}

/// Reads an integer, since a double would round it from 2^53 on.
std::optional<std::int64_t> OnnxNode::constantInteger(std::size_t position) const
{
    const auto tensor = constantIn(rewriter(), operand(position));
    const bool isOne = tensor && ir::elementCount(rewriter().model().at(*tensor)) == 1
        && rewriter().model().at(*tensor).dtype != ir::DType::UInt64;
    const auto numbers = isOne ? constantsIn(rewriter(), operand(position)) : std::nullopt;
    const auto *whole = numbers ? std::get_if<Numbers>(&*numbers) : nullptr;
    return whole ? std::optional(whole->front()) : std::nullopt;
}

std::optional<Term> OnnxNode::constantOf(std::size_t position, ir::DType dtype)
{
    const auto id = constantIn(rewriter(), operand(position));
    const auto numbers = constantsIn(rewriter(), operand(position));
    if (!numbers)
        return std::nullopt;
    const ir::Tensor &tensor = rewriter().model().at(*id);
    return term(rewriter().addConstant(rewriter().context().text(tensor.name), dtype, tensor.shape,
                                       ir::encodeNumbers(dtype, *numbers)));
}

Term OnnxNode::numberOr(std::size_t position)
{
    const auto known = knownTensor(position);
    if (!known || known->rank() > 0)
        return (*this)[position];
    const auto value = ir::isFloating(known->dtype) ? constantNumber(position) : std::nullopt;
    const auto whole = ir::isInteger(known->dtype) ? constantInteger(position) : std::nullopt;
    return value ? term(*value) : whole ? term(*whole) : (*this)[position];
}

std::optional<std::vector<double>> OnnxNode::reals(std::string_view attribute) const
{
    const ir::Operand *given = operand(attribute);
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

std::optional<std::size_t> OnnxNode::dimension(std::int64_t number) const
{
    const auto x = knownTensor(0);
    return x ? ops::dimension(number, x->rank()) : std::nullopt;
}

std::int64_t OnnxNode::dimension(std::string_view attribute, std::int64_t byDefault)
{
    const auto found = ops::dimension(integer(attribute, byDefault), tensor(0).rank());
    if (!found)
        refuse(formatted("its {} is no dimension of its input", attribute));
    return static_cast<std::int64_t>(found.value_or(0));
}

Node::Numbers OnnxNode::allDimensions() const
{
    const auto x = knownTensor(0);
    return consecutive(0, x ? x->rank() : 0);
}

// ---- applying a rule

/// Returns the first input or result whose dtype or shape is not known, as a clause; "" if all are known.
std::string OnnxNode::unknownType() const
{
    for (std::size_t i = 0; i < inputCount(); ++i) {
        const auto value = ir::valueOf(rewriter().graph(), operand(i));
        if (value && isTensor(value->id()) && !knownTensor(i))
            return whyNoTensor(fact(value->id()), spoken(i));
    }
    for (std::size_t i = 0; i < resultCount(); ++i)
        if (!knownResult(i))
            return whyNoTensor(fact(node().output(i).id()), "the result");
    return {};
}

/// Whether results have the types of the node's.
bool OnnxNode::fits(const Parts &results) const
{
    if (!isComplete() || results.size() != resultCount())
        return false;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const ops::Fact expected = factOfResult(i), found = fact(results[i]);
        if (!tensorIn(expected) || !tensorIn(found) || !mayBeSame(expected, found))
            return false;
    }
    return true;
}

Parts OnnxNode::made()
{
    const OnnxLowering *rule = loweringOf(node().dialect(), node().opName());
    learnResults();
    m_whyNot = !node()->regions.empty() ? "there is no rule for what runs its regions" : "there is no rule for it";
    if (!rule || !node()->regions.empty())
        return {};
    Parts results = rule->make(*this);
    if (fits(results))
        return results;
    undo();
    const std::string unknown = unknownType();
    m_whyNot = isRefused() ? reason()
        : !unknown.empty() ? unknown
        : results.empty()  ? "its rule does not cover these arguments"
        : !isComplete()    ? "a type or size of what its rule makes is not known before the model runs"
                           : "what its rule makes is of other types";
    return {};
}

} // namespace cutaway::rules::to_aten
