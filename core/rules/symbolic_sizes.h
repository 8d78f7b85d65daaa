// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/rewrite/rewriter.h"

#include <optional>
#include <vector>

namespace cutaway::rules::to_aten {

/// Makes operands that stand for sizes in new nodes: a constant; a number, or a size of a tensor, among the operands of
/// the node or the inputs of the function; or else the result of new nodes that compute the formula of the size.
class SymbolicSizes {
public:
    /// New nodes are inserted before `node` and appended to `made`. Rewriter and list have to outlive the object.
    SymbolicSizes(rewrite::Rewriter &rewriter, const ir::NodeRef &node, std::vector<ir::NodeId> &made)
        : m_rewriter(rewriter),
          m_node(node),
          m_made(made)
    {
    }

    /// Returns an operand for a size; nothing if the size does not follow from the operands of the node or the
    /// function's inputs.
    std::optional<ir::Operand> operandOf(const ir::Dim &dim);

private:
    std::optional<ir::Operand> given(const ir::Dim &dim);
    std::optional<ir::Operand> givenIn(const ir::Operand &operand, const ir::Dim &dim);
    std::optional<ir::Operand> computed(const symbolic::Expr &expr);
    ir::Operand made(rewrite::Rewriter::Make make, const ir::Dim &dim);

    rewrite::Rewriter &m_rewriter;
    ir::NodeRef m_node;
    std::vector<ir::NodeId> &m_made;
    /// Sizes that were asked for before, and their operands.
    std::vector<std::pair<symbolic::Expr, ir::Operand>> m_known;
};

} // namespace cutaway::rules::to_aten
