// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/calls.h"

#include "core/ir/opsets.h"

namespace cutaway::ops {

Calls::Calls(const ir::Model &model, Signatures &signatures, Known known)
    : m_model(model),
      m_signatures(signatures),
      m_known(std::move(known)),
      m_source{.fact = [this](ir::ValueId id) -> const Fact & { return factOf(ir::ValueRef(*m_graph, id)); },
               .freshSize = [](std::string_view, const ir::Dim &) -> ir::Dim { return ir::UnknownDim{}; },
               .tensor = [this](ir::TensorId id) -> Fact { return factOf(id); },
               .size = [](const symbolic::Expr &expr) -> ir::Dim { return expr; }}
{
}

Call Calls::of(const ir::NodeRef &node)
{
    m_graph = &node.graph();
    return {node, m_signatures, m_source, ir::opsetIn(m_model, node.graph(), node.dialect())};
}

const Fact &Calls::factOf(const ir::ValueRef &value)
{
    if (const Fact *known = m_known ? m_known(value) : nullptr)
        return *known;
    if (const auto weight = value.weight(); weight && weight->index < m_model.tensors.size())
        return factOf(*weight);
    const auto [known, isNew] = m_types.try_emplace(value->type);
    if (isNew)
        known->second = ops::factOf(value.graph().context(), value->type);
    return known->second;
}

const Fact &Calls::factOf(ir::TensorId weight)
{
    const auto [known, isNew] = m_weights.try_emplace(weight);
    if (isNew) {
        const ir::Tensor &tensor = m_model.at(weight);
        known->second = tensorFact(tensor.dtype, ir::Shape(tensor.shape.begin(), tensor.shape.end()));
    }
    return known->second;
}

} // namespace cutaway::ops
