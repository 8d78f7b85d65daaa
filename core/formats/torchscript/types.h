// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/types.h"
#include "core/formats/torchscript/code.h"

#include <functional>
#include <map>
#include <span>
#include <string>

namespace cutaway::formats::torchscript {

/// TorchScript's types as the representation's, and as operator schemas know them.
class Types final : public python::Types {
public:
    Types(const ir::Model &model, const Code &code) : python::Types(model), m_code(code) { }

    using python::Types::of;
    /// "Dict[str, __torch__.a.C]"; a class that the code does not define is an opaque object. Final[T] is T.
    ir::TypeId of(const Tree &tree, ExpressionId syntax);
    /// Likewise from text, as pickles have it; unknown if it is not a type.
    ir::TypeId parsed(std::string_view text);
    /// An instance of a class.
    ir::TypeId ofClass(std::string_view qualifiedName);
    ir::TypeId named(std::string_view name) override { return ofClass(name); }

    /// The type of a constant of the model, of objects too: a tensor of known shape, a number, a list of the type of
    /// its items.
    ir::TypeId ofConstant(const ir::Operand &operand) override;

    /// The type of a value that is `a` on one path and `b` on another: T and None become Optional[T].
    ir::TypeId join(ir::TypeId a, ir::TypeId b);
    /// The type of a value that is any of these; no type where they are of several, or none.
    ir::TypeId join(std::span<const ir::TypeId> types);

    const Code &code() const { return m_code; }

private:
    ir::CompoundType namedTuple(const ClassDefinition &definition);
    std::size_t sizeOf(const ir::CompoundType &type);

    const Code &m_code;
    std::map<std::string, ir::TypeId, std::less<>> m_classes; ///< by name; the types without fields, too
    int m_openTuples = 0; ///< named tuples being read, each a field of the one before
};

} // namespace cutaway::formats::torchscript
