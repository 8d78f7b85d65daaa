// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/torch/module_plan.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::print {

struct CodeSource;
class IntegerTensors;

/// The number of times that a forward() reads each value, and the values that its loops assign.
class ValueReads {
public:
    /// `source` and `call` must outlive this object.
    ValueReads(const CodeSource &source, const ModuleCall &call);

    /// Counts the reads in the nodes of the call. Tensors that stand for numbers are written where they are read.
    void count(IntegerTensors &integers);

    std::size_t of(ir::ValueId value) const;
    /// Whether a loop assigns to the value, so that it is not the same everywhere.
    bool isVariable(ir::ValueId value) const { return m_variables.contains(value); }
    bool hasVariables() const { return !m_variables.empty(); }
    void addVariable(ir::ValueId value) { m_variables.insert(value); }
    /// Whether the node is in this forward() and reads nothing that a loop assigns to.
    bool isSteady(const ir::NodeRef &node) const;

private:
    void collect(ir::NodeId node);
    void countNode(ir::NodeId node, IntegerTensors &integers);
    void count(const ir::Operand &operand);

    const CodeSource &m_source;
    const ir::Graph &m_graph;
    const ModuleCall &m_call;
    std::unordered_map<ir::ValueId, std::size_t> m_reads;
    std::unordered_set<ir::NodeId> m_nodes; ///< the nodes of this forward()
    std::unordered_set<ir::ValueId> m_variables;
};

} // namespace cutaway::print
