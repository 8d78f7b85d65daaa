// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/decomposed_nodes.h"

#include "core/ops/operator.h"
#include "core/rules/rules.h"

namespace cutaway::convert {

DecomposedNodes::DecomposedNodes(ir::Model source, ir::FunctionId function, const analysis::Shapes &shapes)
    : m_model(std::move(source)),
      m_rewriter(
          m_model, function, [&shapes]() -> const analysis::Shapes & { return shapes; }, m_task),
      m_layouts(m_rewriter),
      m_signatures(*m_model.context),
      m_calls(m_model, m_signatures, [this, &shapes](ir::ValueId value) {
          const auto made = m_facts.find(value);
          return made == m_facts.end() ? &shapes.of(value) : &made->second;
      })
{
}

/// Returns what was made for a node, the same when asked again: a loop's condition is converted twice, and later nodes
/// read the first result.
std::expected<DecomposedNodes::Made, std::string> DecomposedNodes::of(ir::NodeId id)
{
    if (const auto known = m_made.find(id); known != m_made.end())
        return known->second;
    auto made = takenApart(m_rewriter.node(id));
    if (made)
        m_made.emplace(id, *made);
    return made;
}

std::expected<DecomposedNodes::Made, std::string> DecomposedNodes::takenApart(const ir::NodeRef &node)
{
    const rules::to_aten::MakeParts make = rules::decompositionOf(node.dialect(), node.opName());
    if (!make)
        return std::unexpected(std::string());
    m_rewriter.from({node});
    setTypes(node);
    rules::to_aten::Decomposition parts(m_rewriter, m_layouts, node, false);
    Made made{{}, parts.madeBy(make)};
    if (made.results.empty())
        return std::unexpected(parts.whyNot());
    for (const ir::NodeId each : parts.nodes()) {
        made.nodes.push_back(m_rewriter.node(each));
        learn(made.nodes.back());
    }
    // Readers of the node's results now read the new results, since rules ask which results are read.
    for (std::size_t i = 0; i < made.results.size(); ++i)
        if (!node.output(i)->uses.empty())
            m_rewriter.replaceUses(node.output(i), made.results[i]);
    return made;
}

/// Gives the values that the node reads and makes the types that analysis derived. A Rewriter knows only the recorded
/// types of values that each iteration of a loop makes, and TorchScript records no types of tensors. Loops are only
/// converted where the derived facts hold for each iteration.
void DecomposedNodes::setTypes(const ir::NodeRef &node)
{
    const std::vector<ir::Argument> arguments = node->arguments;
    for (const ir::Argument &each : arguments)
        ir::forEachValue(each.value, [this](ir::ValueId value) { setType(value); });
    for (std::size_t i = 0; i < node.outputCount(); ++i)
        setType(node.output(i));
}

void DecomposedNodes::setType(ir::ValueId value)
{
    const ops::TensorFact *known = hasMade(value) ? nullptr : ops::asTensor(m_rewriter.shapes().of(value));
    const ir::TensorType *given = ir::ValueRef(graph(), value).tensorType();
    if (!known || !known->dtype || (given && given->dtype && (given->shape || !known->shape)))
        return;
    ir::TensorType type = given ? *given : ir::TensorType();
    type.dtype = known->dtype;
    type.shape = known->shape;
    m_rewriter.setType(value, m_rewriter.context().type(type));
}

/// Derives the facts of a new node's results. The dtype is that of the result's type, since autocast may have decided
/// it.
void DecomposedNodes::learn(const ir::NodeRef &made)
{
    const ops::Operator *row = m_rewriter.row(made);
    ops::Facts facts = row && row->shape ? row->shape(m_calls.of(made)).facts : ops::Facts();
    for (std::size_t i = 0; i < made.outputCount(); ++i) {
        const ir::ValueRef output = made.output(i);
        ops::Fact fact = i < facts.size() ? std::move(facts[i]) : m_rewriter.fact(output.id());
        const ir::TensorType *type = output.tensorType();
        if (const auto *tensor = fact.as<ops::TensorFact>(); tensor && type && tensor->dtype != type->dtype) {
            ops::TensorFact typed = *tensor;
            typed.dtype = type->dtype;
            fact = ops::Fact(std::move(typed));
        }
        m_facts.insert_or_assign(output, std::move(fact));
    }
}

} // namespace cutaway::convert
