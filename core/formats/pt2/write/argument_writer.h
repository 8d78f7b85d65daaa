// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/write/original.h"
#include "core/ir/model.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::formats::pt2 {

/// Writes operands as the Argument unions of the schema. Throws Unusable for what the schema cannot express.
class ArgumentWriter {
public:
    using NameOf = std::function<std::string_view(ir::ValueId)>;

    ArgumentWriter(const ir::Graph &graph, NameOf nameOf, bool bareInfinity)
        : m_graph(graph),
          m_context(graph.context()),
          m_nameOf(std::move(nameOf)),
          m_bareInfinity(bareInfinity)
    {
    }

    /// Writes an operand. `kind` is the union's member ("as_sym_ints"), if it is known and the operand fits;
    /// otherwise the kind follows from the operand. `where` is for messages.
    std::string write(const ir::Operand &operand, std::string_view kind, const std::string &where) const;

private:
    std::string value(ir::ValueId id, std::string_view kind) const;
    std::string list(const ir::List &list, std::string_view kind, const std::string &where) const;
    std::string items(const ir::List &list, std::string_view itemKind, const std::string &where) const;
    std::string item(const ir::Operand &operand, std::string_view kind, const std::string &where) const;
    std::string dict(const ir::Dict &dict, const std::string &where) const;
    std::string number(double x) const;
    std::string_view kindOf(const ir::Operand &item) const;
    std::string_view valueKind(ir::ValueId id) const;
    std::string_view listKind(const ir::List &list, std::string_view wanted) const;

    const ir::Graph &m_graph;
    const ir::Context &m_context;
    NameOf m_nameOf;
    bool m_bareInfinity;
};

/// Returns the target of a node that calls an operator: "torch.ops.aten.add.Tensor", "_operator.mul".
std::string targetOf(const ir::Context &context, ir::OpId op);

} // namespace cutaway::formats::pt2
