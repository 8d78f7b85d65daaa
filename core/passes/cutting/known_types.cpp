// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/cutting/known_types.h"

namespace cutaway::passes {

KnownTypes::KnownTypes(const ir::Model &model, const analysis::Shapes &shapes)
    : m_model(model),
      m_shapes(shapes),
      m_sizes(model, {})
{
}

ir::TypeId KnownTypes::of(const ir::ValueRef &value) const
{
    const bool isKnown = value.id().index < m_shapes.facts.size();
    const ops::TensorFact *derived = isKnown ? ops::asTensor(m_shapes.of(value)) : nullptr;
    if (!derived || !derived->dtype)
        return value->type;
    const ir::TensorType *recorded = value.tensorType();
    ir::TensorType type = recorded ? *recorded : ir::TensorType();
    type.dtype = derived->dtype;
    if (derived->shape)
        type.shape = m_sizes.of(*derived->shape);
    return m_model.context->type(type);
}

} // namespace cutaway::passes
