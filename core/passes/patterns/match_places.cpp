// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/patterns/match_places.h"

#include <algorithm>

// New nodes stand before the last node of the match, or before the first node outside of the match that reads one of
// its results, if that is earlier. Everything that the match reads has to be computed there already. There is no such
// position if a node outside both reads a result of the match and computes something that the match reads. Results of
// other matches are computed at the positions of their replacements.

namespace cutaway::passes {

using ir::NodeId;
using ir::RegionId;
using ir::ValueId;

MatchPlaces::MatchPlaces(analysis::Reading &reading) : m_graph(reading.graph()), m_nodes(reading.nodes())
{
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        m_positions.emplace(m_nodes[i], i);
}

bool MatchPlaces::isLast(const Match &match, NodeId node) const
{
    return std::ranges::all_of(match.nodes, [&](NodeId other) { return position(other) <= position(node); });
}

std::optional<NodeId> MatchPlaces::of(const Pattern &pattern, const Match &match) const
{
    const RegionId region = m_graph.at(match.nodes.front()).parent;
    const auto place = [this](NodeId node) { return position(node); };
    NodeId next = std::ranges::max(match.nodes, {}, place);
    const std::vector<ValueId> results = resultsOf(pattern, match);
    for (const ValueId result : results)
        for (const ir::Use &use : m_graph.at(result).uses)
            if (const auto outside = reader(use, region); outside && !std::ranges::contains(match.nodes, *outside))
                next = std::ranges::min(next, *outside, {}, place);
    bool fits = true;
    for (const ir::Operand &input : inputsOf(pattern, match))
        forEachValue(input, [&](ValueId value) { fits = fits && isThere(value, region, position(next)); });
    for (const ValueId result : results)
        if (const auto read = m_readAt.find(result); read != m_readAt.end())
            fits = fits && position(next) < read->second;
    return fits ? std::optional(next) : std::nullopt;
}

void MatchPlaces::take(const Pattern &pattern, const Match &match, NodeId next)
{
    m_taken.insert(match.nodes.begin(), match.nodes.end());
    for (const ValueId result : resultsOf(pattern, match))
        m_madeAt.emplace(result, position(next));
    for (const ir::Operand &input : inputsOf(pattern, match))
        forEachValue(input, [&](ValueId value) {
            std::size_t &first = m_readAt.try_emplace(value, position(next)).first->second;
            first = std::min(first, position(next));
        });
}

/// Returns the node of the region that is `node`, or contains it.
NodeId MatchPlaces::around(NodeId node, RegionId region) const
{
    while (m_graph.at(node).parent != region)
        node = *m_graph.at(m_graph.at(node).parent).owner;
    return node;
}

/// Returns the node of the region that is the reader in `use`, or contains it; nothing if the region itself returns the
/// value.
std::optional<NodeId> MatchPlaces::reader(const ir::Use &use, RegionId region) const
{
    if (const auto *node = std::get_if<NodeId>(&use))
        return around(*node, region);
    const RegionId returning = std::get<RegionId>(use);
    return returning == region ? std::nullopt : std::optional(around(*m_graph.at(returning).owner, region));
}

/// Whether the value has been computed before the position `next`, even if a match that makes the value is not replaced
/// in the end.
bool MatchPlaces::isThere(ValueId value, RegionId region, std::size_t next) const
{
    if (const auto made = m_madeAt.find(value); made != m_madeAt.end() && made->second > next)
        return false;
    const auto *result = std::get_if<ir::NodeResult>(&m_graph.at(value).definition);
    return !result || m_graph.at(result->node).parent != region || position(result->node) < next;
}

std::vector<ValueId> resultsOf(const Pattern &pattern, const Match &match)
{
    std::vector<ValueId> results;
    for (const ir::FunctionOutput &output : pattern.before.outputs)
        results.push_back(*match.values.at(*output.value.as<ValueId>()).as<ValueId>());
    return results;
}

std::vector<ir::Operand> inputsOf(const Pattern &pattern, const Match &match)
{
    std::vector<ir::Operand> inputs;
    for (const ir::FunctionInput &input : pattern.before.inputs)
        inputs.push_back(match.values.at(*input.value.as<ValueId>()));
    return inputs;
}

} // namespace cutaway::passes
