// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/blame.h"

#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/ir/names.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace cutaway::sequence {

namespace {

using Event = BlameEntry::Event;

std::vector<std::string> nodeNames(const ir::Model &model)
{
    std::vector<std::string> names;
    if (!model.functions.empty())
        for (const ir::NodeRef node : ir::nodesOf(model.functions.front().graph))
            names.push_back(ir::nameOf(node));
    return names;
}

/// The nodes of one other step, without an event.
struct Related {
    std::vector<std::string> nodes;
    How how = How::Structure;
    bool isSure = true;
    bool isFused = false; ///< a node of a later step came from other nodes, too
};

class Blame {
public:
    Blame(const FoundStep &found, std::string node, const ir::Model &model, bool useProvenance, const Task &task)
        : m_found(found),
          m_node(std::move(node)),
          m_model(model),
          m_useProvenance(useProvenance),
          m_task(task)
    {
    }

    Result<std::vector<BlameEntry>> run()
    {
        std::vector<BlameEntry> history;
        const auto &steps = m_found.sequence().steps;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (m_task.stopRequested())
                return cancelled();
            CUTAWAY_TRY(const Related related, relatedIn(i));
            const std::vector<std::string> before = history.empty() ? std::vector<std::string>() : history.back().nodes;
            history.push_back(
                {steps[i].address, related.nodes, eventOf(related, before, history), related.how, related.isSure});
        }
        return history;
    }

private:
    /// Steps with equal graphs have one answer.
    Result<Related> relatedIn(std::size_t i)
    {
        const Step &step = m_found.sequence().steps[i], &own = m_found.step();
        if (i == m_found.place.step || isEqual(step, own))
            return Related{{m_node}, How::Name, true, false};
        const bool isEarlier = i < m_found.place.step;
        const auto key = std::pair(isEarlier, step.outline ? step.outline->fingerprint : i);
        if (const auto known = m_known.find(key); known != m_known.end())
            return known->second;
        CUTAWAY_TRY(const ir::Model other, withSubject(step.address, openStep(step, m_task)));
        Related related = isEarlier ? originsIn(other, i) : productsIn(other, i);
        m_known.emplace(key, related);
        return related;
    }

    static bool isEqual(const Step &a, const Step &b)
    {
        return a.text && b.text && a.outline && b.outline && a.outline->fingerprint == b.outline->fingerprint;
    }

    /// The origins that the log records between two steps, the earlier one first.
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
        const auto found = std::ranges::find(mapping.pairs, m_node, &NodeOrigin::node);
        return found == mapping.pairs.end() ? Related() : Related{found->from, found->how, found->isSure, false};
    }

    Related productsIn(const ir::Model &later, std::size_t i) const
    {
        Related related;
        for (const NodeOrigin &pair : mapNodes(m_model, later, recorded(later, m_found.place.step, i), m_task).pairs) {
            if (!std::ranges::contains(pair.from, m_node))
                continue;
            related.nodes.push_back(pair.node);
            related.how = pair.how;
            related.isSure = related.isSure && pair.isSure;
            related.isFused |= pair.from.size() > 1;
        }
        return related;
    }

    static std::optional<Event> eventOf(const Related &related, const std::vector<std::string> &before,
                                        const std::vector<BlameEntry> &history)
    {
        const bool isMade = std::ranges::any_of(history, [](const BlameEntry &entry) { return !entry.nodes.empty(); });
        if (related.nodes.empty())
            return isMade ? std::optional(Event::Gone) : std::nullopt;
        if (!isMade)
            return Event::Made;
        if (related.nodes == before)
            return Event::Kept;
        return related.isFused ? Event::Fused : Event::Changed;
    }

    const FoundStep &m_found;
    std::string m_node;
    const ir::Model &m_model;
    bool m_useProvenance;
    const Task &m_task;
    std::map<std::pair<bool, std::uint64_t>, Related> m_known;
};

} // namespace

std::string_view name(BlameEntry::Event event)
{
    constexpr std::array<std::string_view, 5> names{"made", "kept", "changed", "fused", "gone"};
    return names[std::to_underlying(event)];
}

Result<std::vector<BlameEntry>> blameOf(const std::string &address, const std::string &node, bool useProvenance,
                                        const Task &task)
{
    CUTAWAY_TRY(const FoundStep found, findStep(address, task));
    CUTAWAY_TRY(const ir::Model model, withSubject(address, openStep(found.step(), task)));
    const std::vector<std::string> names = nodeNames(model);
    if (!std::ranges::contains(names, node)) {
        const std::vector<std::string_view> views(names.begin(), names.end());
        return unreadable(formatted("the graph has no node '{}'; similar ones: {}", node, nearNames(node, views)));
    }
    return Blame(found, node, model, useProvenance, task).run();
}

} // namespace cutaway::sequence
