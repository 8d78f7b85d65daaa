// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/read/statement.h"
#include "core/ir/context.h"
#include "core/ir/operands.h"

namespace cutaway::formats::graph_text {

/// Looks up the operands that names stand for.
class NameSource {
public:
    virtual ~NameSource() = default;
    virtual bool isDefined(std::string_view name) const = 0;
    /// Returns the operand that a name stands for, also if nothing defines the name.
    virtual ir::Operand operandNamed(std::string_view name) = 0;
};

/// Makes operands of the expressions that torch.fx prints as arguments. Throws Unusable for others.
class Expressions {
public:
    /// For `isListing` see PrintedGraph.
    Expressions(ir::Context &context, NameSource &names, bool isListing)
        : m_context(context),
          m_names(names),
          m_isListing(isListing)
    {
    }

    ir::Operand operand(const python::Tree &tree, ExpressionId id);
    /// Returns "torch.ops.aten.add.Tensor" for names that the graph does not define; nothing for a value's attribute.
    std::optional<std::string> globalName(const python::Tree &tree, ExpressionId id) const;
    /// Returns "layers.0.weight" for `getattr(self.layers, "0").weight`; nothing if it is no path from `self`.
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

/// Returns the operator that "torch.ops.aten.add.Tensor" names; nothing for names of another kind.
std::optional<ir::OpId> torchOperator(ir::Context &context, std::string_view name);

} // namespace cutaway::formats::graph_text
