// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rewrite/layouts.h"
#include "core/rewrite/rewriter.h"
#include "core/rules/decomposition.h"

#include <expected>
#include <unordered_map>

namespace cutaway::convert {

/// Makes the nodes of which an operator without a rule is composed, for one node of the source at a time. The new nodes
/// are made in a copy of the model, in which nodes and values have the ids of the source; the source stays as it is.
class DecomposedNodes {
public:
    /// `shapes` have to outlive the object.
    DecomposedNodes(ir::Model source, ir::FunctionId function, const analysis::Shapes &shapes);

    struct Made {
        std::vector<ir::NodeRef> nodes;
        rules::to_aten::Parts results; ///< one operand for each result of the node; None for a result that is not read
    };
    /// Returns the nodes that replace `node`, which is a node of the source or one that was made here; the same nodes
    /// each time. If there are none, returns the reason as a clause, or "" if no rule decomposes its operator.
    std::expected<Made, std::string> of(ir::NodeId node);

    const ir::Graph &graph() const { return m_rewriter.graph(); }
    bool hasMade(ir::ValueId value) const { return m_facts.contains(value); }
    /// Returns the fact of a value that was made here.
    const ops::Fact &fact(ir::ValueId value) const { return m_facts.at(value); }
    ops::Call call(const ir::NodeRef &made) { return m_calls.of(made); }

private:
    std::expected<Made, std::string> takenApart(const ir::NodeRef &node);
    void setTypes(const ir::NodeRef &node);
    void setType(ir::ValueId value);
    void learn(const ir::NodeRef &made);

    const Task m_task;
    ir::Model m_model;
    rewrite::Rewriter m_rewriter;
    rewrite::Layouts m_layouts;
    ops::Signatures m_signatures;
    std::unordered_map<ir::NodeId, Made> m_made; ///< by the node that they replace
    std::unordered_map<ir::ValueId, ops::Fact> m_facts;
    ops::Calls m_calls;
};

} // namespace cutaway::convert
