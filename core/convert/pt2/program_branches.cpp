// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/convert/preparation.h"
#include "core/convert/pt2/program_translation.h"
#include "core/ir/context.h"
#include "core/passes/inlining.h"

#include <algorithm>

// torch.cond takes a tensor or Boolean and two graphs whose results are tensors of the same types, none of them an
// input or there twice. A number that a branch makes is a tensor until it is read.

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// What a number is as a result of a graph; nothing for what is no number.
std::optional<ir::TensorType> tensorTypeFor(const ir::Type &type)
{
    const auto *number = std::get_if<ir::NumberType>(&type);
    if (!number)
        return std::nullopt;
    ir::TensorType made;
    made.shape = ir::Shape();
    made.dtype = number->kind == ir::NumberType::Kind::Bool ? ir::DType::Bool
        : number->kind == ir::NumberType::Kind::Float       ? ir::DType::Float64
                                                            : ir::DType::Int64;
    return made;
}

} // namespace

/// A Boolean that was taken out of a tensor is that tensor.
Operand ProgramTranslation::conditionOf(const NodeRef &node)
{
    Operand given = made(node->arguments.front().value);
    const auto *value = given.as<ValueId>();
    const auto maker = value ? ir::ValueRef(m_graph.graph(), *value).producer() : std::nullopt;
    if (!maker || (*maker)->op != m_source.context->op("aten", "item", "default"))
        return given;
    const Operand tensor = (*maker)->arguments.front().value;
    return dtypeOf(tensor) == ir::DType::Bool ? tensor : given;
}

void ProgramTranslation::takeBranch(const NodeRef &node, std::size_t branch)
{
    const ir::Region &region = node.region(branch);
    const std::vector<Operand> given = passes::openedArguments(node, 1);
    for (std::size_t i = 0; i < region.inputs.size() && i < given.size(); ++i)
        m_values.insert_or_assign(region.inputs[i], made(given[i]));
    if (isRefused())
        return;
    lowerRegion(node->regions[branch]);
    for (std::size_t i = 0; i < node.outputCount() && i < region.outputs.size(); ++i)
        if (m_needed.contains(node.output(i)))
            m_values.insert_or_assign(node.output(i), made(region.outputs[i]));
}

/// A branch that only raises an error is not taken by whoever gets results.
void ProgramTranslation::lowerIf(const NodeRef &node)
{
    for (std::size_t i = 0; i < 2; ++i)
        if (raises(source(), node->regions[i]))
            return takeBranch(node, 1 - i);
    if (const auto flag = ops::asBool(fact(node->arguments.front().value)))
        return takeBranch(node, *flag ? 0 : 1);
    const Operand condition = conditionOf(node);
    std::vector<BranchResult> results;
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        if (!m_needed.contains(node.output(i)))
            continue;
        const auto type = typeOf(m_shapes.of(node.output(i)));
        const auto number = type ? tensorTypeFor(*type) : std::nullopt;
        if (!type || (!number && !std::holds_alternative<ir::TensorType>(*type)))
            return refuse(whyUnknown(node, "a result is no tensor or number of a type that both branches give it"));
        results.push_back({i, *type, number ? *number : std::get<ir::TensorType>(*type)});
    }
    if (isRefused())
        return;
    const ir::NodeId made = m_graph.add({"higher_order", "cond", {}, {{"", condition}, {"", ir::List{}}}});
    const int number = m_branches++;
    for (std::size_t i = 0; i < 2; ++i)
        lowerBranch(node, i,
                    m_graph.graph().addRegion(
                        made, m_source.context->name(formatted("{}_graph_{}", i == 0 ? "true" : "false", number))),
                    results);
    if (isRefused())
        return;
    m_graph.from(node);
    for (const BranchResult &result : results) {
        const std::string_view name = node.output(result.position).name();
        ValueId value = m_graph.addResult(made, result.tensor, name);
        if (std::holds_alternative<ir::NumberType>(result.type))
            value = m_graph.make({"aten", "item", "default", {{"self", value}}}, result.type, name);
        m_values.insert_or_assign(node.output(result.position), value);
    }
}

void ProgramTranslation::lowerBranch(const NodeRef &node, std::size_t branch, ir::RegionId region,
                                     const std::vector<BranchResult> &results)
{
    const ProgramGraph::Inside inside(m_graph, region);
    const ir::Region &from = node.region(branch);
    const std::vector<Operand> given = passes::openedArguments(node, 1);
    for (std::size_t i = 0; i < from.inputs.size() && i < given.size(); ++i)
        m_values.insert_or_assign(from.inputs[i], made(given[i]));
    lowerRegion(node->regions[branch]);
    m_graph.from(node);
    std::vector<Operand> outputs;
    for (const BranchResult &result : results) {
        const Operand made = this->made(from.outputs[result.position]);
        if (isRefused())
            return;
        outputs.push_back(branchOutput(made, result, region, outputs));
    }
    m_graph.graph().setOutputs(region, std::move(outputs));
}

/// A tensor that a node of the branch makes, and that is no other result.
Operand ProgramTranslation::branchOutput(const Operand &made, const BranchResult &result, ir::RegionId region,
                                         const std::vector<Operand> &others)
{
    const ir::Type type = result.tensor;
    if (std::holds_alternative<ir::NumberType>(result.type) && numberKind(made))
        return m_graph.make({"aten", "scalar_tensor", "default", {{"s", made}, {"dtype", *result.tensor.dtype}}}, type,
                            "scalar_tensor");
    if (!isTensor(made)) {
        refuse("a result of a branch is neither tensor nor number");
        return made;
    }
    const auto maker = ir::ValueRef(m_graph.graph(), *made.as<ValueId>()).producer();
    if (maker && (*maker)->parent == region && !std::ranges::contains(others, made))
        return made;
    return m_graph.copy(*made.as<ValueId>());
}

} // namespace cutaway::convert
