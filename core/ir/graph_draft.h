// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"

namespace cutaway::ir {

/// A graph as a parser reads it: values may be used before they are defined, and ids of nodes may be in any order.
/// The ValueIds in its operands, and those that the caller stores, are indices into `values`.
struct GraphDraft {
    struct DraftValue {
        NameId name;
        TypeId type;
        std::optional<TensorId> weight; ///< set for values that are listed in a region's `weights`
    };
    struct DraftRegion;
    struct DraftNode {
        NodeId id;
        NodeDraft node;
        std::vector<ValueId> outputs;
        std::vector<DraftRegion> regions;
    };
    struct DraftRegion {
        NameId name;
        std::vector<ValueId> inputs;
        std::vector<ValueId> weights;
        std::vector<DraftNode> nodes;
        std::vector<Operand> outputs;
    };

    std::vector<DraftValue> values;
    DraftRegion body;
    std::uint32_t nodeCount = 0; ///< at least this many ids are allocated; unused ones become removed nodes
};

struct BuiltGraph {
    Graph graph;
    std::vector<ValueId> values; ///< the ValueId of each of the draft's values
};

/// Builds the graph; every value must be defined exactly once. Errors: a node id that occurs twice, is lower than the
/// id of the enclosing node, or is far above the number of nodes.
Result<BuiltGraph> buildGraph(std::shared_ptr<Context> context, GraphDraft draft);

/// Replaces each value in an operand by `replace(id)`, also within nested lists.
template <class Replace>
void replaceIds(Operand &operand, const Replace &replace)
{
    std::visit(
        [&](auto &x) {
            if constexpr (requires { x = replace(x); })
                x = replace(x);
            else if constexpr (requires { x.items; })
                for (Operand &item : x.items)
                    replaceIds(item, replace);
        },
        operand.v);
}

} // namespace cutaway::ir
