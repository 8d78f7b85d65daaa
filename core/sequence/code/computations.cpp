// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/code/computations.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ops/network/activation.h"
#include "core/ops/operator.h"
#include "core/ops/program/container.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cutaway::sequence {

namespace {

/// Functions of kernels with other names than the operators that they compute. The activation relu is written as a
/// maximum.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> otherNames{{{"max", "maximum"},
                                                                                   {"max", "relu"},
                                                                                   {"maximum", "relu"},
                                                                                   {"min", "minimum"},
                                                                                   {"max2", "amax"},
                                                                                   {"min2", "amin"},
                                                                                   {"max_with_index", "argmax"},
                                                                                   {"min_with_index", "argmin"},
                                                                                   {"invert", "logical_not"}}};

std::optional<std::variant<ir::ValueId, double>> operandIn(const ir::Operand &operand)
{
    if (const auto *value = operand.as<ir::ValueId>())
        return *value;
    if (const auto *number = operand.as<std::int64_t>())
        return static_cast<double>(*number);
    if (const auto *number = operand.as<double>())
        return *number;
    return std::nullopt;
}

} // namespace

bool isOperation(std::string_view operation, const Computation &node)
{
    return node.kind == ops::OperatorKind(operation) || std::ranges::any_of(otherNames, [&](const auto &other) {
               return other.first == operation && node.kind == ops::OperatorKind(other.second);
           });
}

bool maySwap(const Computation &node) { return node.commutes || node.kind == ops::kind::relu; }

Computations::Computations(const ir::Function &function)
{
    const ir::Graph &graph = function.graph;
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        Computation computation = computationOf(node);
        std::string kernel(graph.context().text(node.scope().path));
        for (const ir::ValueRef output : node.outputs()) {
            if (computation.isMoving)
                m_origins.emplace(output, std::get<ir::ValueId>(computation.operands.front()));
            m_producers.emplace(output, node);
            computation.results.push_back(originOf(output));
        }
        if (computation.results.size() > mostValues)
            computation.results.clear();
        m_byKernel[std::move(kernel)].push_back(std::move(computation));
    }
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto value = ir::valueOf(graph, &input.value))
            m_inputs.emplace(value->name(), *value);
}

const std::vector<Computation> &Computations::of(const std::string &kernel) const
{
    static const std::vector<Computation> none;
    const auto found = m_byKernel.find(kernel);
    return found == m_byKernel.end() ? none : found->second;
}

ir::ValueId Computations::originOf(ir::ValueId value) const
{
    const auto found = m_origins.find(value);
    return found == m_origins.end() ? value : found->second;
}

std::optional<ir::NodeId> Computations::producerOf(ir::ValueId value) const
{
    const auto found = m_producers.find(value);
    return found == m_producers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<ir::ValueId> Computations::input(std::string_view name) const
{
    const auto found = m_inputs.find(name);
    return found == m_inputs.end() ? std::nullopt : std::optional(found->second);
}

Computation Computations::computationOf(const ir::NodeRef &node) const
{
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    Computation computation{node, ops::kindOf(node), row && row->traits.commutes, false, {}, {}};
    std::size_t values = 0;
    for (const ir::Argument &argument : node->arguments) {
        auto operand = operandIn(argument.value);
        if (auto *value = operand ? std::get_if<ir::ValueId>(&*operand) : nullptr)
            *value = originOf(*value);
        if (operand)
            computation.operands.push_back(*operand);
        ir::forEachValue(argument.value, [&](ir::ValueId) { ++values; });
    }
    const bool isFirst =
        !computation.operands.empty() && std::holds_alternative<ir::ValueId>(computation.operands.front());
    const bool moves = row
        && (row->pattern == ops::Pattern::Moving || row->pattern == ops::Pattern::Picking || row->traits.keepsElements);
    computation.isMoving = isFirst && values == 1 && (moves || computation.kind == ops::kind::getItem);
    return computation;
}

} // namespace cutaway::sequence
