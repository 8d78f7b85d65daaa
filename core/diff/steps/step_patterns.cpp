// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/steps/step_patterns.h"

#include "core/base/formatted.h"
#include "core/ir/node_ref.h"
#include "core/ir/scope_tree.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

// A little change is a set of nodes that hang together by StepLinks: nodes that are gone, the nodes that they became,
// and all else that became these. New nodes that were made from nothing hang together where one reads the other, and
// nodes that are gone where the same constants stand for them. Changes with the same operators on both sides are equal.

namespace cutaway::diff {

namespace {

using ir::Graph;
using ir::NodeId;

/// Disjoint sets of nodes, which are joined pair by pair.
class Sets {
public:
    void add(NodeId node) { m_parents.emplace(node, node); }
    bool has(NodeId node) const { return m_parents.contains(node); }
    void join(NodeId a, NodeId b)
    {
        const NodeId x = rootOf(a), y = rootOf(b);
        m_parents[std::max(x, y)] = std::min(x, y);
    }
    NodeId rootOf(NodeId node)
    {
        while (m_parents.at(node) != node)
            node = m_parents[node] = m_parents.at(m_parents.at(node));
        return node;
    }

private:
    std::unordered_map<NodeId, NodeId> m_parents;
};

struct LittleChange {
    StepPattern::Kind kind = StepPattern::Kind::Replaced;
    StepPattern::Operators before, after;
    auto operator<=>(const LittleChange &) const = default;
};

void addOperator(StepPattern::Operators &operators, std::string_view name)
{
    const auto found = std::ranges::find(operators, name, &std::pair<std::string, std::size_t>::first);
    if (found == operators.end())
        operators.emplace_back(name, 1);
    else
        ++found->second;
}

class LittleChanges {
public:
    LittleChanges(const Graph &before, const Graph &after, const StepDifference &step)
        : m_before(before),
          m_after(after),
          m_step(step),
          m_links(before, after, step)
    {
        for (const auto *nodes : {&step.removed, &step.added})
            for (const NodeId node : *nodes)
                m_sets.add(node);
        for (const NodeId node : step.changed)
            if (m_links.isOther(node))
                m_sets.add(node);
    }

    /// Returns the changes that have a node in the module.
    std::vector<LittleChange> findIn(ir::ScopeId module)
    {
        join();
        std::map<NodeId, std::vector<NodeId>> sets; // by the root of the set; the nodes in ascending order
        for (const NodeId node : allNodes())
            sets[m_sets.rootOf(node)].push_back(node);
        std::vector<LittleChange> found;
        for (const auto &[root, nodes] : sets)
            if (std::ranges::any_of(nodes, [&](NodeId node) { return isIn(node, module); }))
                found.push_back(changeOf(nodes));
        return found;
    }

private:
    std::vector<NodeId> allNodes() const
    {
        std::vector<NodeId> nodes;
        for (const auto *list : {&m_step.removed, &m_step.changed, &m_step.added})
            std::ranges::copy_if(*list, std::back_inserter(nodes), [this](NodeId node) { return m_sets.has(node); });
        std::ranges::sort(nodes);
        return nodes;
    }

    bool isIn(NodeId node, ir::ScopeId module) const
    {
        const Graph &graph = isNew(node) ? m_after : m_before;
        return ir::isWithin(graph.context(), graph.at(node).scope, module);
    }

    bool isGone(NodeId node) const { return std::ranges::binary_search(m_step.removed, node); }
    bool isNew(NodeId node) const { return std::ranges::binary_search(m_step.added, node); }

    LittleChange changeOf(const std::vector<NodeId> &nodes) const
    {
        LittleChange change;
        for (const NodeId node : nodes) {
            const bool isKept = !isGone(node) && !isNew(node);
            const bool isOtherDialect = isKept && isInOtherDialect(node);
            const auto nameIn = [&](const Graph &graph) {
                const ir::NodeRef ref(graph, node);
                return isOtherDialect ? ref.fullName() : std::string(ref.opName());
            };
            if (!isNew(node))
                addOperator(change.before, nameIn(m_before));
            if (!isGone(node))
                addOperator(change.after, nameIn(m_after));
        }
        change.kind = kindOf(nodes.front(), change);
        return change;
    }

    /// Whether a changed node has an operator of another dialect: operators of two dialects may have one name, and then
    /// the dialects are what differs.
    bool isInOtherDialect(NodeId node) const
    {
        const ir::NodeRef was(m_before, node), is(m_after, node);
        return was->op != is->op && was.opName() == is.opName();
    }

    void join()
    {
        for (const NodeId node : m_step.removed)
            for (const NodeId made : m_links.madeFrom(node))
                m_sets.join(node, made);
        for (const NodeId node : m_step.changed)
            for (const NodeId made : m_links.madeFrom(node))
                if (m_sets.has(node))
                    m_sets.join(node, made);
        for (const NodeId node : m_step.added)
            if (m_links.originsOf(node).empty())
                joinWithNew(node);
        std::map<std::vector<ir::ValueId>, NodeId> folded;
        for (const NodeId node : m_step.removed)
            if (isFolded(node))
                m_sets.join(node, folded.emplace(m_links.readInsteadOf(node), node).first->second);
    }

    void joinWithNew(NodeId node)
    {
        for (const ir::Argument &argument : m_after.at(node).arguments)
            ir::forEachValue(argument.value, [&](ir::ValueId value) {
                const auto *result = std::get_if<ir::NodeResult>(&m_after.at(value).definition);
                if (result && std::ranges::binary_search(m_step.added, result->node)
                    && m_links.originsOf(result->node).empty())
                    m_sets.join(node, result->node);
            });
    }

    /// Whether only new constants are read in place of the removed node.
    bool isFolded(NodeId gone) const
    {
        const auto &instead = m_links.readInsteadOf(gone);
        return !instead.empty() && std::ranges::all_of(instead, [this](ir::ValueId value) {
            const bool wasThere = value.index < m_before.valueCount();
            return !wasThere && std::holds_alternative<ir::Weight>(m_after.at(value).definition);
        });
    }

    StepPattern::Kind kindOf(NodeId first, const LittleChange &change) const
    {
        using Kind = StepPattern::Kind;
        if (change.before.empty())
            return Kind::New;
        if (change.after.empty())
            return isFolded(first) ? Kind::Folded : Kind::Gone;
        return change.before == change.after ? Kind::Changed : Kind::Replaced;
    }

    const Graph &m_before;
    const Graph &m_after;
    const StepDifference &m_step;
    StepLinks m_links;
    Sets m_sets;
};

/// Returns the nodes of the body that were moved: all nodes that stay, but for a longest sequence of them that is in
/// the same order before and after.
std::vector<NodeId> movedNodes(const Graph &before, const Graph &after)
{
    std::unordered_map<NodeId, std::size_t> places;
    for (const NodeId node : before.at(Graph::body).nodes)
        places.emplace(node, places.size());
    struct Staying {
        NodeId node;
        std::size_t place = 0, length = 0; ///< the position before, and the length of the longest ordered sequence that
                                           ///< ends there
    };
    std::vector<Staying> staying;
    std::vector<std::size_t> ends; // by length: the first position at which a sequence of this length ends
    for (const NodeId node : after.at(Graph::body).nodes)
        if (const auto known = places.find(node); known != places.end()) {
            const auto end = std::ranges::lower_bound(ends, known->second);
            staying.push_back({node, known->second, static_cast<std::size_t>(end - ends.begin()) + 1});
            if (end == ends.end())
                ends.push_back(known->second);
            else
                *end = known->second;
        }
    std::vector<NodeId> moved;
    std::size_t length = ends.size(), next = places.size();
    for (const Staying &each : staying | std::views::reverse)
        if (each.length == length && each.place < next) {
            --length;
            next = each.place;
        } else {
            moved.push_back(each.node);
        }
    std::ranges::reverse(moved);
    return moved;
}

/// Counts changes, where equal ones count together, in the order in which they are first met.
class PatternCounts {
public:
    void add(const LittleChange &change)
    {
        const auto [place, isNew] = m_places.emplace(change, m_patterns.size());
        if (isNew)
            m_patterns.push_back({change.kind, change.before, change.after, 0});
        ++m_patterns[place->second].count;
    }
    bool isEmpty() const { return m_patterns.empty(); }
    std::vector<StepPattern> take() { return std::move(m_patterns); }

private:
    std::vector<StepPattern> m_patterns;
    std::map<LittleChange, std::size_t> m_places;
};

std::size_t nodesOf(const StepPattern &pattern)
{
    std::size_t nodes = 0;
    for (const auto *side : {&pattern.before, &pattern.after})
        for (const auto &[name, count] : *side)
            nodes += count;
    return nodes;
}

std::string print(const StepPattern::Operators &operators)
{
    constexpr std::size_t most = 4, longest = 40;
    std::string text;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto &[name, count] = operators[i];
        text += i == 0 ? "" : " + ";
        if (i == most)
            return text + "…";
        text +=
            (count > 1 ? formatted("{} ", count) : "") + (name.size() > longest ? name.substr(0, longest) + "…" : name);
    }
    return text;
}

} // namespace

std::string_view name(StepPattern::Kind kind)
{
    constexpr std::array<std::string_view, 6> names{"replaced", "folded", "gone", "new", "changed", "moved"};
    return names[std::to_underlying(kind)];
}

std::vector<StepPattern> patternsOf(const Graph &before, const Graph &after, const StepDifference &step,
                                    ir::ScopeId module)
{
    PatternCounts counts;
    for (const LittleChange &change : LittleChanges(before, after, step).findIn(module))
        counts.add(change);
    if (counts.isEmpty())
        for (const NodeId node : movedNodes(before, after))
            if (ir::isWithin(after.context(), after.at(node).scope, module)) {
                const StepPattern::Operators moved{{std::string(ir::NodeRef(after, node).opName()), 1}};
                counts.add({StepPattern::Kind::Moved, moved, moved});
            }
    std::vector<StepPattern> patterns = counts.take();
    std::ranges::stable_sort(patterns, std::greater(),
                             [](const StepPattern &pattern) { return std::pair(pattern.count, nodesOf(pattern)); });
    return patterns;
}

std::string print(const StepPattern &pattern)
{
    using Kind = StepPattern::Kind;
    const std::string count = pattern.count > 1 ? formatted("{} × ", pattern.count) : "";
    const std::string before = print(pattern.before), after = print(pattern.after);
    switch (pattern.kind) {
    case Kind::Replaced:
        return count + before + " → " + after;
    case Kind::Folded:
        return count + before + " → constant";
    case Kind::Gone:
        return count + before + " gone";
    case Kind::New:
        return count + after + " new";
    case Kind::Changed:
        return count + before + " changed";
    case Kind::Moved:
        break;
    }
    return count + before + " moved";
}

std::string lineOf(std::span<const StepPattern> patterns, std::size_t most)
{
    std::string line;
    for (const StepPattern &pattern : patterns.first(std::min(most, patterns.size())))
        line += (line.empty() ? "" : "; ") + print(pattern);
    if (patterns.size() > most)
        line += formatted("; and {} more", patterns.size() - most);
    return line;
}

} // namespace cutaway::diff
