// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/blame.h"

#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/ir/names.h"
#include "core/ir/scope_tree.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::ValueId;
using Nodes = std::vector<NodeId>; ///< ascending

const ir::Graph &graphAfter(const History &history, std::size_t position)
{
    return history.modelAfter(position)->at(history.function()).graph;
}

bool isInState(const ir::Graph &graph, NodeId id) { return id.index < graph.nodeCount() && !graph.at(id).removed; }

bool isOutside(const ir::Definition &definition)
{
    return std::holds_alternative<ir::RegionInput>(definition) || std::holds_alternative<ir::Weight>(definition);
}

/// Whether an input or weight is in a state.
bool isInState(const ir::Graph &graph, ValueId id)
{
    return id.index < graph.valueCount() && isOutside(graph.at(id).definition);
}

bool haveCommon(const Nodes &nodes, const Nodes &wanted)
{
    return std::ranges::any_of(wanted, [&](NodeId node) { return std::ranges::binary_search(nodes, node); });
}

void add(Nodes &nodes, NodeId node)
{
    if (const auto place = std::ranges::lower_bound(nodes, node); place == nodes.end() || *place != node)
        nodes.insert(place, node);
}

void add(Nodes &nodes, const Nodes &more)
{
    for (const NodeId node : more)
        add(nodes, node);
}

class Blame {
public:
    explicit Blame(const History &history) : m_history(history)
    {
        for (std::size_t i = 0; i <= history.steps().size(); ++i)
            m_entries.push_back({.position = i, .nodes = {}, .event = {}});
    }

    std::vector<BlameEntry> of(NodeId node)
    {
        std::size_t first = 0;
        while (first < m_entries.size() && !isInState(graphAt(first), node))
            ++first;
        if (first == m_entries.size())
            return std::move(m_entries);
        m_entries[first].nodes = {node};
        for (std::size_t i = first; i > 0 && !m_entries[i].nodes.empty(); --i)
            goBack(i);
        for (std::size_t i = first + 1; i < m_entries.size() && !m_entries[i - 1].nodes.empty(); ++i)
            goOn(i);
        takeEvents([this](std::size_t i) { return transitionOfNodes(i); });
        return std::move(m_entries);
    }

    std::vector<BlameEntry> of(ValueId value)
    {
        for (std::size_t i = 0; i < m_entries.size(); ++i)
            if (const auto &graph = graphAt(i); value.index < graph.valueCount())
                if (const auto *result = std::get_if<ir::NodeResult>(&graph.at(value).definition))
                    return of(result->node);
        takeEvents([&](std::size_t i) {
            const bool isNow = isInState(graphAt(i), value);
            const bool was = i > 0 && isInState(graphAt(i - 1), value);
            return Transition{.wasMade = false, .isThere = isNow, .isOther = was && isNow && isOther(i, value)};
        });
        return std::move(m_entries);
    }

    std::vector<BlameEntry> of(ir::ScopeId scope)
    {
        for (NodeId id{0}; id.index < graphAt(0).nodeCount(); ++id.index)
            if (isInState(graphAt(0), id) && isIn(0, id, scope))
                m_entries[0].nodes.push_back(id);
        std::vector<bool> isOther(m_entries.size());
        for (std::size_t i = 1; i < m_entries.size(); ++i) {
            m_entries[i].nodes = m_entries[i - 1].nodes;
            isOther[i] = takeStep(i, scope);
        }
        takeEvents([&](std::size_t i) {
            return Transition{.wasMade = false, .isThere = !m_entries[i].nodes.empty(), .isOther = isOther[i]};
        });
        return std::move(m_entries);
    }

private:
    const ir::Graph &graphAt(std::size_t position) const { return graphAfter(m_history, position); }
    const diff::StepDifference &stepTo(std::size_t position) const { return m_history.steps()[position - 1].nodes; }

    const diff::StepLinks &linksTo(std::size_t position)
    {
        const auto known = m_links.find(position);
        return known != m_links.end()
            ? known->second
            : m_links.emplace(position, diff::StepLinks(graphAt(position - 1), graphAt(position), stepTo(position)))
                  .first->second;
    }

    /// Adds to the entry before `position` the nodes from which the nodes of the entry at `position` were made.
    void goBack(std::size_t position)
    {
        for (const NodeId node : m_entries[position].nodes)
            if (isInState(graphAt(position - 1), node))
                add(m_entries[position - 1].nodes, node);
            else
                add(m_entries[position - 1].nodes, linksTo(position).originsOf(node));
    }

    /// Adds to the entry at `position` the nodes that the nodes of the previous entry became.
    void goOn(std::size_t position)
    {
        for (const NodeId node : m_entries[position - 1].nodes) {
            const bool isKept = isInState(graphAt(position), node);
            if (isKept)
                add(m_entries[position].nodes, node);
            if (!isKept || isOther(position, node)) // an earlier node may have become several
                add(m_entries[position].nodes, linksTo(position).madeFrom(node));
        }
        if (m_entries[position].nodes.empty())
            for (const NodeId node : m_entries[position - 1].nodes)
                for (const ValueId value : linksTo(position).readInsteadOf(node))
                    if (auto &instead = m_entries[position].instead; !std::ranges::contains(instead, value))
                        instead.push_back(value);
    }

    bool isOther(std::size_t position, NodeId node)
    {
        return std::ranges::binary_search(stepTo(position).changed, node) && linksTo(position).isOther(node);
    }

    Transition transitionOfNodes(std::size_t position)
    {
        BlameEntry &entry = m_entries[position];
        Transition transition{.isThere = !entry.nodes.empty()};
        if (position == 0)
            return transition;
        const Nodes &before = m_entries[position - 1].nodes;
        const bool isChanged =
            !m_history.steps()[position - 1].isDivision() && haveCommon(stepTo(position).changed, entry.nodes);
        transition.isOther = entry.nodes != before || isChanged;
        if (!transition.isOther)
            return transition;
        for (const NodeId node : entry.nodes) {
            const Nodes origins = linksTo(position).originsOf(node);
            const bool wasThere = isInState(graphAt(position - 1), node);
            transition.isMerged |= origins.size() + (wasThere ? 1 : 0) > 1;
            add(entry.from, origins);
            if (wasThere && !origins.empty())
                add(entry.from, node); // the node absorbed the nodes in `from`
        }
        return transition;
    }

    /// Whether the step changed the type of an input or weight, or its elements.
    bool isOther(std::size_t position, ValueId value) const
    {
        const ir::Value &was = graphAt(position - 1).at(value), &is = graphAt(position).at(value);
        const auto *weight = std::get_if<ir::Weight>(&was.definition), *now = std::get_if<ir::Weight>(&is.definition);
        return was.type != is.type || (weight && now && weight->tensor != now->tensor);
    }

    bool isIn(std::size_t position, NodeId node, ir::ScopeId scope) const
    {
        const ir::Graph &graph = graphAt(position);
        return ir::isWithin(graph.context(), graph.at(node).scope, scope);
    }

    /// Applies the step before the state at `position` to the entry's nodes of a module. Returns whether the step
    /// touched a node that is in the module before or after it.
    bool takeStep(std::size_t position, ir::ScopeId scope)
    {
        Nodes touched, there, left;
        for (const auto *nodes : {&stepTo(position).removed, &stepTo(position).changed, &stepTo(position).added})
            touched.insert(touched.end(), nodes->begin(), nodes->end());
        std::ranges::sort(touched);
        std::ranges::copy_if(touched, std::back_inserter(there), [&](NodeId node) {
            return isInState(graphAt(position), node) && isIn(position, node, scope);
        });
        Nodes &nodes = m_entries[position].nodes;
        const bool isOther = !there.empty() || haveCommon(nodes, touched);
        std::ranges::set_difference(nodes, touched, std::back_inserter(left));
        nodes.clear();
        std::ranges::set_union(left, there, std::back_inserter(nodes));
        return isOther;
    }

    template <class TransitionTo>
    void takeEvents(const TransitionTo &transitionTo)
    {
        bool wasMade = false;
        for (BlameEntry &entry : m_entries) {
            Transition transition = transitionTo(entry.position);
            transition.wasMade = std::exchange(wasMade, wasMade || transition.isThere);
            entry.event = eventOf(transition);
        }
    }

    const History &m_history;
    std::vector<BlameEntry> m_entries;
    std::map<std::size_t, diff::StepLinks> m_links; ///< by position of the state that the step made
};

// ---- sentences

/// Returns names as a list: "`a`, `b` and 3 more".
template <class Id>
std::string listed(const std::vector<Id> &ids, const std::function<std::string(Id)> &nameOf)
{
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, ids.size()); ++i)
        text += formatted("{}`{}`", i > 0 ? ", " : "", nameOf(ids[i]));
    return ids.size() > most ? formatted("{} and {} more", text, ids.size() - most) : text;
}

std::string nodeNames(const ir::Graph &graph, const Nodes &nodes)
{
    return listed<NodeId>(nodes, [&](NodeId node) { return nameIn({graph, node}); });
}

std::string goneSentence(const ir::Graph &graph, const BlameEntry &entry)
{
    if (entry.instead.empty())
        return "gone";
    return formatted(
        "gone, {} {} read instead",
        listed<ValueId>(entry.instead, [&](ValueId value) { return ir::nameOf(ir::ValueRef(graph, value)); }),
        entry.instead.size() == 1 ? "is" : "are");
}

std::string fusedSentence(const History &history, const BlameEntry &entry)
{
    const ir::Graph &before = graphAfter(history, entry.position - 1), &after = graphAfter(history, entry.position);
    return formatted("{} fused into {}", nodeNames(before, entry.from), nodeNames(after, entry.nodes));
}

std::string changedSentence(const History &history, const BlameEntry &entry)
{
    if (entry.from.empty())
        return "changed";
    const ir::Graph &before = graphAfter(history, entry.position - 1), &after = graphAfter(history, entry.position);
    return formatted("{} became {}", nodeNames(before, entry.from), nodeNames(after, entry.nodes));
}

/// Returns the names of the nodes of the first and the last state.
std::set<std::string> allNodeNames(const History &history)
{
    std::set<std::string> names;
    for (const std::size_t position : {std::size_t{0}, history.steps().size()}) {
        const ir::Graph &graph = graphAfter(history, position);
        for (NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
            if (isInState(graph, id))
                names.insert(nameIn({graph, id}));
    }
    return names;
}

std::optional<Subject> findIn(const ir::Graph &graph, std::string_view name)
{
    for (NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (isInState(graph, id) && ir::nameOf(ir::NodeRef(graph, id)) == name)
            return id;
    for (ValueId id{0}; id.index < graph.valueCount(); ++id.index)
        if (!std::holds_alternative<ir::NoDefinition>(graph.at(id).definition)
            && ir::nameOf(ir::ValueRef(graph, id)) == name)
            return id;
    return std::nullopt;
}

} // namespace

std::string_view name(Event event)
{
    constexpr std::array<std::string_view, 5> names{"made", "kept", "changed", "fused", "gone"};
    return names[std::to_underlying(event)];
}

std::optional<Event> eventOf(const Transition &transition)
{
    if (!transition.isThere)
        return transition.wasMade ? std::optional(Event::Gone) : std::nullopt;
    if (!transition.wasMade)
        return Event::Made;
    if (!transition.isOther)
        return Event::Kept;
    return transition.isMerged ? Event::Fused : Event::Changed;
}

std::vector<BlameEntry> blameOf(const History &history, const Subject &subject)
{
    return std::visit([&](auto id) { return Blame(history).of(id); }, subject);
}

std::vector<std::size_t> changesOf(std::span<const BlameEntry> entries)
{
    std::vector<std::size_t> changes;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto &event = entries[i].event;
        if (event && event != Event::Kept && (event != Event::Gone || entries[i - 1].event != Event::Gone))
            changes.push_back(i);
    }
    return changes;
}

Result<Subject> findSubject(const History &history, std::string_view name)
{
    for (std::size_t position = history.steps().size() + 1; position-- > 0;)
        if (const auto found = findIn(graphAfter(history, position), name))
            return *found;
    const ir::Context &context = graphAfter(history, 0).context();
    for (ir::ScopeId id{1}; id.index < context.scopeCount(); ++id.index)
        if (context.text(context.at(id).path) == name)
            return id;
    const auto names = allNodeNames(history);
    const std::vector<std::string_view> views(names.begin(), names.end());
    return unreadable(
        formatted("no state has a node, value or module '{}'; similar nodes: {}", name, nearNames(name, views, 10)));
}

std::string nameIn(const ir::NodeRef &node)
{
    const bool isOfResult = node.name().empty() && node.outputCount() > 0;
    return isOfResult ? ir::nameOf(node.output(0)) : ir::nameOf(node);
}

std::string sentence(const History &history, const Subject &subject, const BlameEntry &entry)
{
    if (!entry.event || *entry.event == Event::Kept)
        return {};
    switch (*entry.event) {
    case Event::Made:
        return "made";
    case Event::Gone:
        return goneSentence(graphAfter(history, entry.position), entry);
    case Event::Fused:
        return fusedSentence(history, entry);
    default:
        break;
    }
    const auto *scope = std::get_if<ir::ScopeId>(&subject);
    const std::string line = scope ? diff::lineOf(patternsOf(history, entry.position, *scope)) : "";
    return line.empty() ? changedSentence(history, entry) : line;
}

std::vector<diff::StepPattern> patternsOf(const History &history, std::size_t position, ir::ScopeId module)
{
    const ir::Graph &before = graphAfter(history, position - 1), &after = graphAfter(history, position);
    return diff::patternsOf(before, after, history.steps()[position - 1].nodes, module);
}

} // namespace cutaway::passes
