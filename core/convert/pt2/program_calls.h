// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/losses.h"
#include "core/convert/pt2/program_values.h"
#include "core/passes/left_nodes.h"

namespace cutaway::convert {

/// Adds calls of torch's operators to a torch.export program.
class ProgramCalls {
public:
    /// The arguments have to outlive the object.
    ProgramCalls(const ir::Model &source, ir::FunctionId function, const analysis::Shapes &shapes,
                 ProgramValues &values, Losses &losses);

    /// Adds a call of the node's own operator, whose results stand for those of the node, or refuses the node.
    void add(const ir::NodeRef &node);

private:
    void addArguments(const ir::NodeRef &node, const ops::Schema &schema, ProgramNode &call);
    void addNode(const ir::NodeRef &node, const ProgramNode &call);

    const analysis::Shapes &m_shapes;
    ProgramValues &m_values;
    Losses &m_losses;
    passes::LeftNodes m_left;
};

} // namespace cutaway::convert
