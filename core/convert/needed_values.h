// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/convert/written_values.h"
#include "core/ir/model.h"

#include <unordered_set>

namespace cutaway::convert {

/// Whether a fact is a number that is known before the model runs.
bool isKnownNumber(const ops::Fact &fact);

/// The values from which a function's results are computed. Nodes that only check or print make none of them; numbers,
/// dtypes and texts that are known before the model runs need no node.
class NeededValues {
public:
    /// The arguments have to outlive the object.
    NeededValues(const ir::Function &function, const analysis::Shapes &shapes, const WrittenValues &written);

    bool contains(ir::ValueId value) const { return m_values.contains(value); }
    /// Whether the node makes a needed value, or may write to one that no node makes.
    bool areMadeBy(const ir::NodeRef &node) const;

private:
    void need(const ir::Operand &operand);
    void needWrites(const ir::Function &function);
    void mark(ir::RegionId region);

    const ir::Graph &m_graph;
    const analysis::Shapes &m_shapes;
    const WrittenValues &m_written;
    std::unordered_set<ir::ValueId> m_values;
    /// Needed nodes that write in place, and the nodes in whose regions they lie.
    std::unordered_set<ir::NodeId> m_writes;
};

} // namespace cutaway::convert
