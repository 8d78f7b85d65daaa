// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/ops/schemas/schema.h"

#include <span>
#include <vector>

namespace cutaway::formats::fx {

/// The representation's types, as operator schemas know them. A dtype, layout or memory format is an int there.
class Types {
public:
    explicit Types(const ir::Model &model) : m_model(model), m_context(*model.context) { }

    ir::TypeId tensor() { return m_context.type(ir::TensorType{}); }
    ir::TypeId number(ir::NumberType::Kind kind) { return m_context.type(ir::NumberType{kind, {}}); }
    ir::TypeId plain(ir::PlainType::Kind kind) { return m_context.type(ir::PlainType{kind}); }
    ir::TypeId compound(ir::CompoundType::Kind kind, std::vector<ir::TypeId> elements);

    /// The type of a value that an operator returns, from its schema.
    ir::TypeId of(const ops::SchemaType &type);
    /// The type of a constant; no type for other operands.
    ir::TypeId ofConstant(const ir::Operand &operand);
    ir::TypeId ofTensor(ir::TensorId tensor);
    /// The type as overloads are matched by it. Its texts are views of the context's names or literals.
    ops::SchemaType schemaType(ir::TypeId type);
    /// The type of a list of items of these types.
    ir::TypeId listOf(std::span<const ir::TypeId> items);

    bool isTensor(ir::TypeId type) const { return ir::tensorType(m_context, type); }
    const ir::CompoundType *compoundAt(ir::TypeId type) const
    {
        return std::get_if<ir::CompoundType>(&m_context.at(type));
    }

private:
    const ir::Model &m_model;
    ir::Context &m_context;
};

} // namespace cutaway::formats::fx
