// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"

namespace cutaway::ir {

/// A graph as a reader finds it: values may be read before they are defined, nodes stand in any order of their ids.
/// ValueIds in its operands are indices of `values`, here and in what the caller keeps beside it.
struct GraphDraft {
    struct DraftValue {
        NameId name;
        TypeId type;
        std::optional<TensorId> weight; ///< for values listed in a region's `weights`
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
    std::uint32_t nodeCount = 0; ///< at least this many ids are taken, the ones without a node as if removed
};

struct BuiltGraph {
    Graph graph;
    std::vector<ValueId> values; ///< for each of the draft's values its id
};

/// Makes the graph; every value must be defined once. Errors: a node's id that is taken, smaller than that of the node
/// it stands in, or far beyond the number of nodes.
Result<BuiltGraph> buildGraph(std::shared_ptr<Context> context, GraphDraft draft);

/// Replaces each id in an operand, lists opened, by what `replace(id)` gives for it.
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
