// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/ops/schemas/schema.h"

#include <functional>
#include <map>
#include <span>
#include <unordered_map>

namespace cutaway::formats::torchscript {

/// TorchScript's types as the representation's, and as operator schemas know them.
class Types {
public:
    Types(ir::Context &context, const Code &code) : m_context(context), m_code(code) { }

    /// "Dict[str, __torch__.a.C]"; a class that the code does not define is an opaque object. Final[T] is T.
    ir::TypeId of(const Tree &tree, ExpressionId syntax);
    /// Likewise from text, as pickles have it; unknown if it is not a type.
    ir::TypeId parsed(std::string_view text);
    /// An instance of a class.
    ir::TypeId ofClass(std::string_view qualifiedName);
    /// The type of a value that an operator returns, from its schema.
    ir::TypeId of(const ops::SchemaType &type);

    /// The type of a constant of the model: a tensor of known shape, a number, a list of the type of its items.
    ir::TypeId ofConstant(const ir::Model &model, const ir::Operand &operand);
    ir::TypeId ofTensor(const ir::Tensor &tensor);

    /// The type as overloads are matched by it. Its texts are views of the context's names or literals.
    const ops::SchemaType &schemaType(ir::TypeId type);

    ir::TypeId tensor();
    ir::TypeId number(ir::NumberType::Kind kind);
    ir::TypeId plain(ir::PlainType::Kind kind);
    ir::TypeId compound(ir::CompoundType::Kind kind, std::vector<ir::TypeId> elements);
    /// The type of a value that is `a` on one path and `b` on another: T and None become Optional[T].
    ir::TypeId join(ir::TypeId a, ir::TypeId b);
    /// The type of a value that is any of these; no type where they are of several, or none.
    ir::TypeId join(std::span<const ir::TypeId> types);

    const Code &code() const { return m_code; }

private:
    ir::CompoundType namedTuple(const ClassDefinition &definition);
    ops::SchemaType convert(const ir::Type &type);
    std::size_t sizeOf(const ir::CompoundType &type);

    ir::Context &m_context;
    const Code &m_code;
    std::map<std::string, ir::TypeId, std::less<>> m_classes; ///< leaves too
    std::unordered_map<ir::TypeId, ops::SchemaType> m_schemaTypes;
    int m_openTuples = 0; ///< named tuples being read, each a field of the one before
};

} // namespace cutaway::formats::torchscript
