// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/calls.h"

#include "core/ir/opsets.h"

namespace cutaway::ops {

Calls::Calls(const ir::Model &model, Signatures &signatures, Known known)
    : m_model(model),
      m_signatures(signatures),
      m_known(std::move(known))
{
}

Call Calls::of(const ir::NodeRef &node)
{
    m_graph = &node.graph();
    return {node, m_signatures, *this, ir::opsetIn(m_model, node.graph(), node.dialect())};
}

const Fact &Calls::fact(ir::ValueId id) const
{
    const ir::ValueRef value(*m_graph, id);
    if (const Fact *known = m_known ? m_known(id) : nullptr)
        return *known;
    if (const auto weight = value.weight(); weight && weight->index < m_model.tensors.size())
        return weightFact(*weight);
    const auto [known, isNew] = m_types.try_emplace(value->type);
    if (isNew)
        known->second = ops::factOf(value.graph().context(), value->type);
    return known->second;
}

const Fact &Calls::weightFact(ir::TensorId weight) const
{
    const auto [known, isNew] = m_weights.try_emplace(weight);
    if (isNew) {
        const ir::Tensor &tensor = m_model.at(weight);
        known->second = tensorFact(tensor.dtype, ir::Shape(tensor.shape.begin(), tensor.shape.end()));
    }
    return known->second;
}

} // namespace cutaway::ops
