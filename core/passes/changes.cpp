// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/history.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

bool isSame(const ir::Graph &before, const ir::Graph &after, ir::NodeId id)
{
    const ir::Node &a = before.at(id);
    const ir::Node &b = after.at(id);
    const auto sameType = [&](ir::ValueId value) { return before.at(value).type == after.at(value).type; };
    return a.op == b.op && a.name == b.name && a.scope == b.scope && a.parent == b.parent && a.arguments == b.arguments
        && a.outputs == b.outputs && a.regions == b.regions && std::ranges::all_of(a.outputs, sameType);
}

} // namespace

NodeChanges changesBetween(const ir::Graph &before, const ir::Graph &after)
{
    NodeChanges changes;
    for (std::uint32_t i = 0; i < after.nodeCount(); ++i) {
        const ir::NodeId id{i};
        if (before.sharesNode(after, id))
            continue;
        const bool was = i < before.nodeCount() && !before.at(id).removed;
        const bool is = !after.at(id).removed;
        if (was && !is)
            changes.removed.push_back(id);
        else if (is && !was)
            changes.added.push_back(id);
        else if (is && !isSame(before, after, id))
            changes.changed.push_back(id);
    }
    return changes;
}

} // namespace cutaway::passes
