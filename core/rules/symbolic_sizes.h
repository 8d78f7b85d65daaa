// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/rewrite/rewriter.h"

#include <optional>
#include <vector>

namespace cutaway::rules::to_aten {

/// The operands that sizes are in new nodes: numbers, the size of a tensor or the number that a node reads, or else
/// computed of such ones as the formula of the size says.
class SymbolicSizes {
public:
    /// `made` gets the nodes that are made, before `node`. Rewriter and list have to outlive the object.
    SymbolicSizes(rewrite::Rewriter &rewriter, const ir::NodeRef &node, std::vector<ir::NodeId> &made)
        : m_rewriter(rewriter),
          m_node(node),
          m_made(made)
    {
    }

    /// Nothing: the size does not follow from what the node or the function reads.
    std::optional<ir::Operand> operandOf(const ir::Dim &dim);

private:
    std::optional<ir::Operand> given(const ir::Dim &dim);
    std::optional<ir::Operand> givenIn(const ir::Operand &operand, const ir::Dim &dim);
    std::optional<ir::Operand> computed(const symbolic::Expr &expr);
    ir::Operand made(rewrite::Rewriter::Make make, const ir::Dim &dim);

    rewrite::Rewriter &m_rewriter;
    ir::NodeRef m_node;
    std::vector<ir::NodeId> &m_made;
    std::vector<std::pair<symbolic::Expr, ir::Operand>> m_known; ///< operands of sizes that were asked for before
};

} // namespace cutaway::rules::to_aten
