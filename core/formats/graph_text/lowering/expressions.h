// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/read/statement.h"
#include "core/ir/context.h"
#include "core/ir/operands.h"

namespace cutaway::formats::graph_text {

/// Knows the names of a graph and the operands that they stand for.
class NameSource {
public:
    virtual ~NameSource() = default;
    virtual bool isDefined(std::string_view name) const = 0;
    /// The operand that a name stands for, also of one that nothing defines.
    virtual ir::Operand operandNamed(std::string_view name) = 0;
};

/// Makes operands of the expressions that torch.fx prints as arguments. Throws Unusable for others.
class Expressions {
public:
    /// isListing: see PrintedGraph.
    Expressions(ir::Context &context, NameSource &names, bool isListing)
        : m_context(context),
          m_names(names),
          m_isListing(isListing)
    {
    }

    ir::Operand operand(const python::Tree &tree, ExpressionId id);
    /// "torch.ops.aten.add.Tensor" of names that nothing in the graph defines; nothing for a value's attribute.
    std::optional<std::string> globalName(const python::Tree &tree, ExpressionId id) const;
    /// "layers.0.weight" of `getattr(self.layers, "0").weight`; nothing for what is no path from `self`.
    static std::optional<std::string> pathFromSelf(const python::Tree &tree, ExpressionId id);
    ir::Operand text(std::string_view bytes) { return ir::String{m_context.name(bytes)}; }

private:
    ir::Operand literal(const python::Literal &literal);
    ir::Operand name(const python::Tree &tree, const python::Expression &expression, std::string_view name);
    ir::Operand global(std::string_view name);
    ir::Operand call(const python::Tree &tree, ExpressionId id);
    ir::Operand device(const python::Tree &tree, const python::Call &call);
    ir::Operand slice(const python::Tree &tree, const std::optional<ExpressionId> (&parts)[3]);
    ir::Operand negative(const python::Tree &tree, ExpressionId id, const python::Unary &unary);
    ir::Operand list(const python::Tree &tree, const std::vector<ExpressionId> &items, ir::List::Kind kind);
    ir::Operand dict(const python::Tree &tree, const python::Dict &dict);

    ir::Context &m_context;
    NameSource &m_names;
    bool m_isListing;
};

/// "torch.ops.aten.add.Tensor" as an operator; nothing for a name of another kind.
std::optional<ir::OpId> torchOperator(ir::Context &context, std::string_view name);

} // namespace cutaway::formats::graph_text
