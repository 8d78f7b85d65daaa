// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/part_changes.h"

#include "core/ir/node_ref.h"
#include "core/layout/outline.h"

#include <algorithm>
#include <optional>

namespace cutaway::report {

namespace {

/// The partner in A of each node of B that is matched.
using Partners = std::vector<std::optional<ir::NodeId>>; ///< by NodeId of B

class PartCounter {
public:
    explicit PartCounter(const Comparison &comparison)
        : m_comparison(comparison),
          m_outline(layout::withNamedParts(layout::outlineOf(comparison.a.function(), false), comparison.a.function())),
          m_counts(m_outline.parts.size())
    {
    }

    std::vector<PartChanges> count()
    {
        if (m_outline.found.empty())
            return {};
        const diff::Difference &difference = m_comparison.difference;
        Partners partners(m_comparison.b.graph().nodeCount());
        for (const diff::Pair &pair : difference.pairs) {
            partners[pair.b.index] = pair.a;
            if (!pair.changes.empty())
                add(partOf(pair.a), &PartChanges::changed);
        }
        std::vector<bool> isAdded(partners.size());
        const auto take = [&](const std::vector<ir::NodeId> &a, const std::vector<ir::NodeId> &b) {
            for (const ir::NodeId node : a)
                add(partOf(node), &PartChanges::onlyA);
            for (const ir::NodeId node : b)
                isAdded[node.index] = true;
        };
        take(difference.onlyA, difference.onlyB);
        for (const diff::Region &region : difference.regions)
            take(region.a.nodes, region.b.nodes);
        addNodesOfB(ir::Graph::body, partners, isAdded);
        return changedParts();
    }

private:
    std::uint32_t partOf(ir::NodeId nodeOfA) const { return m_outline.partOfNode[nodeOfA.index]; }
    std::uint32_t parentOf(std::uint32_t part) const { return m_outline.parts[part].parent; }

    void add(std::uint32_t part, std::size_t PartChanges::*count)
    {
        for (; part != 0; part = parentOf(part))
            ++(m_counts[part].*count);
    }

    /// Returns the innermost part that contains both `a` and `b`. Parts are in preorder, so the later one of two does
    /// not contain the other.
    std::uint32_t around(std::uint32_t a, std::uint32_t b) const
    {
        while (a != b)
            (a > b ? a : b) = parentOf(std::max(a, b));
        return a;
    }

    /// Adds the nodes of a region that only B has, each to the part around the matched nodes before and after it.
    void addNodesOfB(ir::RegionId region, const Partners &partners, const std::vector<bool> &isAdded)
    {
        std::optional<std::uint32_t> before;
        std::size_t waiting = 0;
        const auto place = [&](std::optional<std::uint32_t> behind) {
            const std::uint32_t part =
                before && behind ? around(*before, *behind) : before.value_or(behind.value_or(0));
            for (; waiting > 0; --waiting)
                add(part, &PartChanges::onlyB);
        };
        for (const ir::NodeRef node : ir::nodesOf(m_comparison.b.graph(), region)) {
            if (const auto partner = partners[node.id().index]) {
                place(partOf(*partner));
                before = partOf(*partner);
            } else if (isAdded[node.id().index]) {
                ++waiting;
            }
            for (const ir::RegionId inner : node->regions)
                addNodesOfB(inner, partners, isAdded);
        }
        place(std::nullopt);
    }

    std::vector<PartChanges> changedParts()
    {
        std::vector<PartChanges> changed;
        for (std::uint32_t i = 1; i < m_outline.parts.size(); ++i) {
            const layout::Part &part = m_outline.parts[i];
            PartChanges &counts = m_counts[i];
            if (!std::holds_alternative<layout::FoundSubject>(part.subject)
                || counts.changed + counts.onlyA + counts.onlyB == 0)
                continue;
            counts.name = m_outline.found[part.found].name;
            counts.nodes = part.nodes;
            changed.push_back(counts);
            if (counts.isReplaced())
                i = part.end - 1;
        }
        return changed;
    }

    const Comparison &m_comparison;
    layout::Outline m_outline;
    std::vector<PartChanges> m_counts;
};

} // namespace

std::vector<PartChanges> partChanges(const Comparison &comparison) { return PartCounter(comparison).count(); }

std::string partText(const PartChanges &part)
{
    if (part.isReplaced())
        return part.onlyB > 0 ? "replaced" : "removed";
    std::string text;
    const auto add = [&](std::size_t count, std::string_view what) {
        if (count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + std::string(what);
    };
    add(part.changed, " changed");
    add(part.onlyA, " removed");
    add(part.onlyB, " added");
    return text;
}

} // namespace cutaway::report
