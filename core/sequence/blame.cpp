// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/blame.h"

#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <utility>

namespace cutaway::sequence {

namespace {

using Names = std::vector<std::string>;

bool isIn(const ir::NodeRef &node, std::string_view module)
{
    const ir::Context &context = node.graph().context();
    ir::ScopeId scope = node->scope;
    while (scope != ir::ScopeId{} && context.text(context.at(scope).path) != module)
        scope = context.at(scope).parent;
    return scope != ir::ScopeId{};
}

/// Returns the nodes that a name stands for: a node, else the node that makes a value, else all nodes of a module.
Names nodesNamed(const ir::Graph &graph, const std::string &name)
{
    const auto isCalled = [&](const auto &each) { return ir::nameOf(each) == name; };
    Names makers, ofModule;
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        if (isCalled(node))
            return {name};
        if (std::ranges::any_of(node.outputs(), isCalled))
            makers.push_back(ir::nameOf(node));
        if (isIn(node, name))
            ofModule.push_back(ir::nameOf(node));
    }
    return makers.empty() ? ofModule : makers;
}

Error noSuchName(const ir::Graph &graph, const std::string &name)
{
    Names names;
    for (const ir::NodeRef node : ir::nodesOf(graph))
        names.push_back(ir::nameOf(node));
    const std::vector<std::string_view> views(names.begin(), names.end());
    return {
        ErrorKind::Unreadable,
        formatted("the graph has no node, value or module '{}'; similar nodes: {}", name, nearNames(name, views, 10)),
        {}};
}

/// The nodes of another step that are related to the nodes in question, without an event.
struct Related {
    std::vector<std::string> nodes;
    How how = How::Structure;
    bool isSure = true;
    bool isFused = false; ///< whether a node of a later step came also from other nodes than those in question
};

class Blame {
public:
    Blame(const FoundStep &found, Names nodes, const ir::Model &model, bool useProvenance, const Task &task)
        : m_found(found),
          m_nodes(std::move(nodes)),
          m_model(model),
          m_useProvenance(useProvenance),
          m_task{task.stop, {}},
          m_related(found.sequence().steps.size())
    {
    }

    Result<std::vector<BlameEntry>> run()
    {
        relateAll();
        std::vector<BlameEntry> history;
        const auto &steps = m_found.sequence().steps;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (m_task.stopRequested())
                return cancelled();
            CUTAWAY_TRY(const Related related, m_related[m_alike[i]]);
            history.push_back(
                {steps[i].address, related.nodes, eventOf(related, history), related.how, related.isSure});
        }
        return history;
    }

private:
    /// Finds the related nodes of each step. Steps with equal graphs share one answer. Answers do not depend on each
    /// other, so threads share the work; there are few threads, since each of them holds a graph.
    void relateAll()
    {
        constexpr std::size_t mostThreads = 8;
        const std::vector<std::size_t> distinct = distinctSteps();
        std::atomic<std::size_t> next = 0;
        const auto work = [&] {
            for (std::size_t at = next++; at < distinct.size() && !m_task.stopRequested(); at = next++)
                m_related[distinct[at]] = relatedIn(distinct[at]);
        };
        std::vector<std::jthread> others;
        const std::size_t threads =
            std::min({mostThreads, std::size_t{std::thread::hardware_concurrency()}, distinct.size()});
        while (others.size() + 1 < threads)
            others.emplace_back(work);
        work();
    }

    /// Returns one step for each group of steps that share an answer, and sets m_alike.
    std::vector<std::size_t> distinctSteps()
    {
        const auto &steps = m_found.sequence().steps;
        std::map<std::pair<bool, std::uint64_t>, std::size_t> firsts;
        std::vector<std::size_t> distinct;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto key = std::pair(i < m_found.place.step, steps[i].outline ? steps[i].outline->fingerprint : i);
            const std::size_t first = isOwn(i) ? m_found.place.step : firsts.emplace(key, i).first->second;
            if (first == i)
                distinct.push_back(i);
            m_alike.push_back(first);
        }
        return distinct;
    }

    Result<Related> relatedIn(std::size_t i) const
    {
        if (isOwn(i))
            return Related{m_nodes, How::Name, true, false};
        const Step &step = m_found.sequence().steps[i];
        CUTAWAY_TRY(const ir::Model other, withSubject(step.address, openStep(step, m_task)));
        return i < m_found.place.step ? originsIn(other, i) : productsIn(other, i);
    }

    bool isOwn(std::size_t i) const
    {
        return i == m_found.place.step || isEqual(m_found.sequence().steps[i], m_found.step());
    }

    static bool isEqual(const Step &a, const Step &b)
    {
        return a.text && b.text && a.outline && b.outline && a.outline->fingerprint == b.outline->fingerprint;
    }

    /// Returns the origins of the nodes of step `to` in step `from`, as `later`, the graph of step `to`, or else the
    /// log records them.
    RecordedOrigins recorded(const ir::Model &later, std::size_t from, std::size_t to) const
    {
        if (!m_useProvenance)
            return {};
        RecordedOrigins origins = sequence::originsIn(later);
        return origins.empty() ? originsBetween(m_found.sequence(), from, to) : origins;
    }

    Related originsIn(const ir::Model &earlier, std::size_t i) const
    {
        const Mapping mapping = mapNodes(earlier, m_model, recorded(m_model, i, m_found.place.step), m_task);
        Related related;
        for (const NodeOrigin &pair : mapping.pairs)
            if (std::ranges::contains(m_nodes, pair.node))
                for (const std::string &origin : pair.from)
                    add(related, origin, pair);
        return related;
    }

    static void add(Related &related, const std::string &node, const NodeOrigin &pair)
    {
        if (std::ranges::contains(related.nodes, node))
            return;
        related.nodes.push_back(node);
        related.how = pair.how;
        related.isSure = related.isSure && pair.isSure;
    }

    Related productsIn(const ir::Model &later, std::size_t i) const
    {
        Related related;
        for (const NodeOrigin &pair : mapNodes(m_model, later, recorded(later, m_found.place.step, i), m_task).pairs) {
            const auto isAsked = [this](const std::string &node) { return std::ranges::contains(m_nodes, node); };
            if (std::ranges::none_of(pair.from, isAsked))
                continue;
            add(related, pair.node, pair);
            related.isFused |= !std::ranges::all_of(pair.from, isAsked);
        }
        return related;
    }

    std::optional<passes::Event> eventOf(const Related &related, const std::vector<BlameEntry> &history) const
    {
        const bool isMade = std::ranges::any_of(history, [](const BlameEntry &entry) { return !entry.nodes.empty(); });
        const bool isOther = !history.empty() && related.nodes != history.back().nodes;
        // All nodes of earlier steps became the nodes in question, so if they get fewer, some were joined.
        const bool isFewer = !history.empty() && history.size() <= m_found.place.step
            && related.nodes.size() < history.back().nodes.size();
        return passes::eventOf({.wasMade = isMade,
                                .isThere = !related.nodes.empty(),
                                .isOther = isOther,
                                .isMerged = related.isFused || isFewer});
    }

    const FoundStep &m_found;
    Names m_nodes;
    const ir::Model &m_model;
    bool m_useProvenance;
    Task m_task;                            ///< without reports of progress, since several threads use it
    std::vector<std::size_t> m_alike;       ///< by step: the step whose answer it shares
    std::vector<Result<Related>> m_related; ///< by step
};

} // namespace

Result<std::vector<BlameEntry>> blameOf(const std::string &address, const std::string &name, bool useProvenance,
                                        const Task &task)
{
    CUTAWAY_TRY(const FoundStep found, findStep(address, task));
    CUTAWAY_TRY(const ir::Model model, withSubject(address, openStep(found.step(), task)));
    if (model.functions.empty())
        return unreadable("the file has no graph");
    const ir::Graph &graph = model.functions.front().graph;
    Names nodes = nodesNamed(graph, name);
    if (nodes.empty())
        return std::unexpected(noSuchName(graph, name));
    return Blame(found, std::move(nodes), model, useProvenance, task).run();
}

} // namespace cutaway::sequence
