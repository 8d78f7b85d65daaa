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

    /// What an operator gives.
    ir::TypeId of(const ops::SchemaType &type);
    /// Of a constant; no type where it is none.
    ir::TypeId ofConstant(const ir::Operand &operand);
    ir::TypeId ofTensor(ir::TensorId tensor);
    /// For matching overloads. Texts are the context's or literals.
    ops::SchemaType schemaType(ir::TypeId type);
    /// A list of what has these types.
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
