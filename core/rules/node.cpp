// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/node.h"

#include "core/base/formatted.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace cutaway::rules {

std::optional<Node::Tensor> tensorIn(const ops::Fact &fact)
{
    const ops::TensorFact *known = ops::asTensor(fact);
    if (!known || !known->dtype || !known->shape)
        return std::nullopt;
    return Node::Tensor{*known->dtype, *known->shape};
}

std::string whyNoTensor(const ops::Fact &fact, std::string_view what)
{
    const ops::TensorFact *tensor = ops::asTensor(fact);
    return formatted("the {} of {} is not known", tensor && tensor->dtype ? "rank" : "dtype", what);
}

std::optional<ir::DType> dtypeIn(const ops::Fact &fact)
{
    const ops::TensorFact *known = ops::asTensor(fact);
    return known ? known->dtype : std::nullopt;
}

bool mayBeSame(const ops::Fact &a, const ops::Fact &b)
{
    const ops::TensorFact *x = ops::asTensor(a), *y = ops::asTensor(b);
    if (!x || !y)
        return true;
    const auto mayBeOne = [](const ir::Dim &left, const ir::Dim &right) { return !ops::isDifferent(left, right); };
    return (!x->dtype || !y->dtype || x->dtype == y->dtype)
        && (!x->shape || !y->shape || std::ranges::equal(*x->shape, *y->shape, mayBeOne));
}

Node::Node(const ir::NodeRef &node, ops::Call call, const ops::Signature *signature, Facts facts)
    : m_node(node),
      m_call(std::move(call)),
      m_signature(signature),
      m_facts(std::move(facts))
{
}

bool Node::isRead(std::size_t result) const
{
    return result < m_node.outputCount() && !m_node.output(result)->uses.empty();
}

const ir::Operand *Node::operand(Where where) const
{
    if (!where.name.empty())
        return ops::givenArgument(m_node, m_signature, where.name);
    return where.position ? ops::givenArgument(m_node, m_signature, *where.position) : nullptr;
}

std::string Node::spoken(Where where) const
{
    if (!where.name.empty())
        return formatted("'{}'", where.name);
    if (m_signature && where.position && *where.position < m_signature->schema.arguments.size())
        return formatted("'{}'", m_signature->schema.arguments[*where.position].name);
    const auto value = ir::valueOf(m_node.graph(), operand(where));
    return value && m_node.isOnnx() ? formatted("its input {}", value->name()) : "an argument";
}

Node::Tensor Node::neededTensor(const ops::Fact &fact, const std::string &what)
{
    auto known = tensorIn(asTensor(fact));
    if (!known)
        refuse(whyNoTensor(fact, what));
    return std::move(known).value_or(Tensor{});
}

ir::DType Node::neededDType(const ops::Fact &fact, const std::string &what)
{
    const auto known = dtypeIn(asTensor(fact));
    if (!known)
        refuse(whyNoTensor(fact, what));
    return known.value_or(Tensor{}.dtype);
}

ops::Fact Node::factOfResult(std::size_t position) const
{
    return position < resultCount() ? fact(m_node.output(position).id()) : ops::Fact();
}

Node::Tensor Node::tensor(Where where) { return neededTensor(at(where), spoken(where)); }

Node::Tensor Node::result(std::size_t position) { return neededTensor(factOfResult(position), "the result"); }

ir::DType Node::dtype(Where where) { return neededDType(at(where), spoken(where)); }

ir::DType Node::declaredDType(std::size_t position) { return neededDType(factOfResult(position), "the result"); }

std::int64_t Node::integer(Where where, std::optional<std::int64_t> byDefault)
{
    if (byDefault && !has(where))
        return *byDefault;
    const auto value = ops::asInt(at(where));
    return needed(value ? ops::number(*value) : std::nullopt, where);
}

double Node::number(Where where, std::optional<double> byDefault)
{
    return byDefault && !has(where) ? *byDefault : needed(ops::asFloat(at(where)), where);
}

std::string_view Node::text(std::string_view parameter, std::optional<std::string_view> byDefault) const
{
    return byDefault && !has(parameter) ? *byDefault : m_call.text(parameter);
}

bool Node::flag(Where where) { return needed(ops::asBool(at(where)), where); }

std::optional<Node::Numbers> Node::knownIntegers(Where where) const
{
    const ops::Fact &fact = at(where);
    const auto one = fact.as<ops::NumberFact>() ? ops::asInt(fact) : std::nullopt;
    const auto dims = one ? std::optional(std::vector{*one}) : ops::asInts(fact);
    return dims ? ops::numbers(*dims) : std::nullopt;
}

Node::Numbers Node::integers(Where where) { return needed(knownIntegers(where), where); }

Node::Numbers Node::numbersOf(std::span<const ir::Dim> dims, std::string_view what)
{
    Numbers numbers;
    for (const ir::Dim &dim : dims)
        numbers.push_back(known(ops::number(dim), formatted("'{}' is", what)));
    return numbers;
}

Node::Numbers consecutive(std::size_t first, std::size_t end)
{
    Node::Numbers numbers(std::max(end, first) - first);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::int64_t>(first));
    return numbers;
}

std::int64_t Node::axis(Where where, std::size_t rank)
{
    const auto found = ops::dimension(integer(where), std::max<std::size_t>(rank, 1));
    if (!found)
        refuse(formatted("{} is no dimension", spoken(where)));
    return static_cast<std::int64_t>(found.value_or(0));
}

std::optional<Node::Tensor> Node::knownTensor(Where where) const { return tensorIn(at(where)); }

std::optional<Node::Tensor> Node::knownResult(std::size_t position) const { return tensorIn(factOfResult(position)); }

Refusal Node::refuse(std::string reason)
{
    assert(!reason.empty());
    if (m_reason.empty())
        m_reason = std::move(reason);
    return {};
}

} // namespace cutaway::rules
