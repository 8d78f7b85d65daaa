// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/matching.h"

#include "core/ir/opsets.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/network/activation.h"
#include "core/ops/tensor/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace cutaway::passes {

using ir::NodeRef;
using ir::Operand;

bool Matching::isPlain(const NodeRef &node)
{
    return (node.dialect() == "aten" || node.dialect() == "onnx") && !m_reading.isRemoved(node)
        && node.outputCount() == 1 && node->regions.empty() && m_reading.isPure(node)
        && !m_reading.written().contains(node.output(0));
}

const Operand *Matching::operand(const NodeRef &node, std::size_t position)
{
    return m_reading.argument(node, ops::Position(position));
}

const Operand *Matching::operand(const NodeRef &node, std::string_view attribute, std::size_t position)
{
    const Operand *named = node.argument(attribute);
    return named ? named : operand(node, position);
}

std::optional<NodeRef> Matching::maker(const Operand *operand, const NodeRef &reader)
{
    const auto node = ir::valueOf(m_reading.graph(), operand).and_then(&ir::ValueRef::producer);
    return node && (*node)->parent == reader->parent && node->isOnnx() == reader.isOnnx() && isPlain(*node)
        ? node
        : std::nullopt;
}

std::optional<NodeRef> Matching::ownMaker(const Operand *operand, const NodeRef &reader)
{
    const auto node = maker(operand, reader);
    return node && m_reading.useCount(node->output(0)) == 1 ? node : std::nullopt;
}

std::optional<NodeRef> Matching::onlyReader(const NodeRef &node)
{
    const auto &uses = node.output(0)->uses;
    const auto *reader = uses.size() == 1 ? std::get_if<ir::NodeId>(&uses.front()) : nullptr;
    const bool isBeside = reader && m_reading.node(*reader)->parent == node->parent;
    return isBeside && isPlain(m_reading.node(*reader)) ? std::optional(m_reading.node(*reader)) : std::nullopt;
}

std::optional<ops::TensorFact> Matching::tensor(const Operand &operand)
{
    const ops::Fact fact = m_reading.proven(operand);
    const ops::TensorFact *known = ops::asTensor(fact);
    return known && known->shape && known->dtype ? std::optional(*known) : std::nullopt;
}

bool Matching::haveOneType(const Operand &a, const Operand &b)
{
    const auto x = tensor(a), y = tensor(b);
    return x && y && x->dtype == y->dtype && x->shape->size() == y->shape->size()
        && std::ranges::equal(*x->shape, *y->shape, ops::isSame);
}

bool Matching::broadcastsTo(const Operand &operand, const Operand &to)
{
    const auto a = tensor(operand), b = tensor(to);
    if (!a || !b || a->dtype != b->dtype || a->shape->size() > b->shape->size())
        return false;
    return std::ranges::equal(*a->shape, *b->shape | std::views::drop(b->shape->size() - a->shape->size()),
                              [](const ir::Dim &x, const ir::Dim &y) { return ops::isOne(x) || ops::isSame(x, y); });
}

std::optional<std::vector<double>> Matching::numbers(const Operand *operand, std::int64_t limit)
{
    if (!operand)
        return std::nullopt;
    if (const auto *real = operand->as<double>())
        return std::vector{*real};
    if (const auto *whole = operand->as<std::int64_t>())
        return std::vector{static_cast<double>(*whole)};
    const auto id = m_reading.constant(*operand);
    if (!id || !ir::isNumeric(m_reading.model().at(*id).dtype))
        return std::nullopt;
    const auto count = ir::elementCount(m_reading.model().at(*id));
    if (!count || *count > limit)
        return std::nullopt;
    const auto elements = ir::numbersOf(m_reading.model(), *id);
    if (!elements)
        return std::nullopt;
    return std::visit([](const auto &list) { return std::vector<double>(list.begin(), list.end()); }, *elements);
}

std::optional<double> Matching::number(const Operand *operand)
{
    const auto all = numbers(operand, 1);
    return all && all->size() == 1 ? std::optional(all->front()) : std::nullopt;
}

bool Matching::isAbout(const Operand *operand, double wanted)
{
    const auto found = number(operand);
    const auto constant = found ? m_reading.constant(*operand) : std::nullopt;
    const bool isHalf = constant && ir::bitWidth(m_reading.model().at(*constant).dtype).value_or(64) <= 16;
    return found && std::abs(*found - wanted) <= (isHalf ? 4e-3 : 1e-6) * std::abs(wanted);
}

std::optional<std::vector<std::int64_t>> Matching::wholes(const Operand *operand)
{
    const auto sizes = operand ? ops::asInts(m_reading.proven(*operand)) : std::nullopt;
    if (!sizes)
        return std::nullopt;
    std::vector<std::int64_t> result;
    for (const ir::Dim &size : *sizes) {
        const auto number = ops::number(size);
        if (!number)
            return std::nullopt;
        result.push_back(*number);
    }
    return result;
}

bool Matching::isPlainArithmetic(const NodeRef &node)
{
    const Operand *alpha = m_reading.argument(node, "alpha"), *rounding = node.argument("rounding_mode");
    return (!alpha || number(alpha) == 1.0) && (!rounding || rounding->as<ir::None>());
}

const Operand *Matching::besideNumber(const NodeRef &node, double wanted)
{
    for (const std::size_t side : {0U, 1U})
        if (isAbout(operand(node, 1 - side), wanted))
            return operand(node, side);
    return nullptr;
}

std::optional<Matching::Scaled> Matching::scaled(const NodeRef &node)
{
    const ops::OperatorKind kind = m_reading.kind(node);
    if ((kind != ops::kind::mul && kind != ops::kind::div) || !isPlainArithmetic(node))
        return std::nullopt;
    for (const std::size_t side : {0U, 1U}) {
        const auto factor = number(operand(node, 1 - side));
        const Operand *other = operand(node, side);
        if (!factor || !other || *factor == 0 || !std::isfinite(*factor) || (kind == ops::kind::div && side == 1))
            continue;
        return Scaled{other, kind == ops::kind::mul ? *factor : 1 / *factor};
    }
    return std::nullopt;
}

std::optional<Matching::Bounds> Matching::bounds(const NodeRef &node)
{
    const ops::OperatorKind kind = m_reading.kind(node);
    if (kind == ops::kind::relu)
        return Bounds{.low = 0};
    if (kind != ops::kind::clamp)
        return std::nullopt;
    Bounds bounds;
    if (node.isOnnx() && opset(node) < 11) // before opset 11 the bounds are attributes of float32, without infinities
        bounds = {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
    for (const auto &[name, position, bound] :
         {std::tuple("min", 1U, &bounds.low), std::tuple("max", 2U, &bounds.high)}) {
        const Operand *given = operand(node, name, position);
        const auto known = given ? number(given) : *bound;
        if (!known || std::isnan(*known))
            return std::nullopt;
        *bound = *known;
    }
    return bounds;
}

std::int64_t Matching::opset(const NodeRef &node)
{
    return node.isOnnx() ? ir::opsetIn(m_reading.model(), node.graph(), "onnx")
                         : std::numeric_limits<std::int64_t>::max();
}

} // namespace cutaway::passes
