// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/losses.h"
#include "core/convert/operator_table.h"
#include "core/rules/lowering.h"

#include <expected>

namespace cutaway::convert {

/// Describes nodes of other domains than ONNX's own: the operators that the user's table names, and operators without a
/// rule. Collects the domains of these nodes.
class CustomNodes {
public:
    /// The arguments have to outlive the object.
    CustomNodes(const OperatorTable &table, ops::Signatures &signatures, Losses &losses)
        : m_table(table),
          m_signatures(signatures),
          m_losses(losses)
    {
    }

    /// Returns what the user's table has for the operator of the node; nullptr if it has nothing.
    const CustomOperator *inTable(const ir::NodeRef &node) const;
    /// Describes the node by which `custom`, an entry of the table, replaces the node that `l` reads. If an attribute
    /// gets no value, returns the reason as a clause.
    std::expected<rules::to_onnx::NewNode, std::string> ofTable(rules::to_onnx::Lowering &l,
                                                                const CustomOperator &custom);
    /// Describes a node of the same operator as the node that `l` reads, in the operator's own domain.
    rules::to_onnx::NewNode kept(rules::to_onnx::Lowering &l);

    /// Returns the domains of the nodes that were described so far, with their versions.
    const std::map<std::string, std::int64_t, std::less<>> &domains() const { return m_domains; }

private:
    std::string_view parameterOf(const ir::NodeRef &node, std::size_t position);

    const OperatorTable &m_table;
    ops::Signatures &m_signatures;
    Losses &m_losses;
    std::map<std::string, std::int64_t, std::less<>> m_domains;
};

} // namespace cutaway::convert
