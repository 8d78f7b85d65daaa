// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/ops/schemas/schema.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace cutaway::formats::python {

/// The IR's types as code and operator schemas name them. There, a dtype, layout or memory format is an int.
class Types {
public:
    explicit Types(const ir::Model &model) : m_model(model), m_context(*model.context) { }
    Types(const Types &) = delete;
    Types &operator=(const Types &) = delete;
    virtual ~Types() = default;

    ir::TypeId tensor() { return m_context.type(ir::TensorType{}); }
    ir::TypeId number(ir::NumberType::Kind kind) { return m_context.type(ir::NumberType{kind, {}}); }
    ir::TypeId plain(ir::PlainType::Kind kind) { return m_context.type(ir::PlainType{kind}); }
    ir::TypeId compound(ir::CompoundType::Kind kind, std::vector<ir::TypeId> elements);

    /// Returns a type without parts: "int", "Tensor". Unknown for other names.
    virtual ir::TypeId named(std::string_view name);
    /// Returns the type of an operator's result, from its schema.
    ir::TypeId of(const ops::SchemaType &type);
    /// Returns the type of a constant; no type for other operands.
    virtual ir::TypeId ofConstant(const ir::Operand &operand);
    /// Returns the type of a tensor of the file, whose shape is known.
    ir::TypeId ofTensor(ir::TensorId tensor);
    /// Returns the type as matchOverload() uses it. Its texts are views of the context's names or of literals.
    const ops::SchemaType &schemaType(ir::TypeId type);

    bool isTensor(ir::TypeId type) const { return ir::tensorType(m_context, type); }
    const ir::CompoundType *compoundAt(ir::TypeId type) const
    {
        return std::get_if<ir::CompoundType>(&m_context.at(type));
    }

protected:
    /// Returns "List[…]", "Dict[…]" and the like with these elements; unknown if their number is wrong.
    ir::TypeId compoundNamed(std::string_view name, std::vector<ir::TypeId> elements);
    static bool isCompound(std::string_view name);

    virtual ops::SchemaType convert(const ir::Type &type);

    const ir::Model &m_model;
    ir::Context &m_context;

private:
    std::unordered_map<ir::TypeId, ops::SchemaType> m_schemaTypes;
};

} // namespace cutaway::formats::python
