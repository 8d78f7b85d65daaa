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

/// TorchScript's types as types of the IR, and in the form that operator schemas use.
class Types final : public python::Types {
public:
    Types(const ir::Model &model, const Code &code) : python::Types(model), m_code(code) { }

    using python::Types::of;
    /// Returns the type of "Dict[str, __torch__.a.C]"; a class without definition is an opaque object. Final[T] is T.
    ir::TypeId of(const Tree &tree, ExpressionId syntax);
    /// Returns the type that a text is, as in pickles; unknown if it is none.
    ir::TypeId parsed(std::string_view text);
    /// Returns the type of an instance of a class.
    ir::TypeId ofClass(std::string_view qualifiedName);
    ir::TypeId named(std::string_view name) override { return ofClass(name); }

    /// Returns the type of a constant of the model, which may be an object: a tensor of known shape, a number, a list
    /// with the type of its items.
    ir::TypeId ofConstant(const ir::Operand &operand) override;

    /// Returns the type of a value that has type `a` on one path and `b` on another: T and None become Optional[T].
    ir::TypeId join(ir::TypeId a, ir::TypeId b);
    /// Returns the join of all these types; no type if two have no join, or there are no types.
    ir::TypeId join(std::span<const ir::TypeId> types);

    const Code &code() const { return m_code; }

private:
    ir::CompoundType namedTuple(const ClassDefinition &definition);
    std::size_t sizeOf(const ir::CompoundType &type);

    const Code &m_code;
    std::map<std::string, ir::TypeId, std::less<>> m_classes; ///< by name, including types without fields
    int m_openTuples = 0; ///< the number of named tuples that are being read; each is a field of the previous one
};

} // namespace cutaway::formats::torchscript
