// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/mapping.h"

#include "core/ir/names.h"
#include "core/sequence/matching/matching.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace cutaway::sequence {

namespace {

/// Returns, by the name of a node or of its result, the name of that node; for an item of a tuple, that of the node
/// that makes the tuple.
std::unordered_map<std::string, std::string> namesIn(const MappedGraph &graph)
{
    std::unordered_map<std::string, std::string> names;
    for (Index i = 0; i < graph.size(); ++i) {
        const std::string owner = graph.nameOf(graph.ownerOf(i));
        names[graph.nameOf(i)] = owner;
        for (const ir::ValueRef output : graph.node(i).outputs())
            names[std::string(output.name())] = owner;
    }
    return names;
}

/// Returns the recorded origins that are nodes of the earlier graph, each once.
std::vector<std::string> known(const std::vector<std::string> &recorded,
                               const std::unordered_map<std::string, std::string> &names)
{
    std::vector<std::string> origins;
    for (const std::string &name : recorded)
        if (const auto found = names.find(name); found != names.end() && !std::ranges::contains(origins, found->second))
            origins.push_back(found->second);
    return origins;
}

const std::vector<std::string> *recordOf(const MappedGraph &graph, Index i, const RecordedOrigins &recorded)
{
    if (const auto found = recorded.find(graph.nameOf(i)); found != recorded.end())
        return &found->second;
    for (const ir::ValueRef output : graph.node(i).outputs())
        if (const auto found = recorded.find(std::string(output.name())); found != recorded.end())
            return &found->second;
    return nullptr;
}

using nlohmann::json;

/// Collects the innermost names of a nested list of {name, from_node}.
void collectOrigins(const json &list, std::vector<std::string> &origins, int depth)
{
    constexpr int deepest = 200;
    if (!list.is_array() || depth > deepest)
        return;
    for (const json &entry : list) {
        if (!entry.is_object())
            continue;
        const auto inner = entry.find("from_node");
        const auto name = entry.find("name");
        if (inner != entry.end() && inner->is_array() && !inner->empty())
            collectOrigins(*inner, origins, depth + 1);
        else if (name != entry.end() && name->is_string())
            origins.push_back(name->get<std::string>());
    }
}

} // namespace

Mapping mapNodes(const ir::Model &a, const ir::Model &b, const RecordedOrigins &recorded, const Task &task)
{
    Mapping mapping;
    if (a.functions.empty() || b.functions.empty())
        return mapping;
    const ComputedValues values = computedValues(a, b, task);
    const MappedGraph graphA(a, values.a), graphB(b, values.b);
    const auto [found, fused] = match(graphA, graphB);
    const auto names = namesIn(graphA);
    std::set<std::string> used;
    for (Index i = 0; i < graphB.size(); ++i) {
        NodeOrigin pair{graphB.nameOf(i), {}, How::Structure, false};
        if (const auto *record = recordOf(graphB, i, recorded))
            pair = {pair.node, known(*record, names), How::Provenance, true};
        if (pair.from.empty() && found[i]) {
            pair = {pair.node, {}, found[i]->how, found[i]->isSure};
            std::vector<Index> parts = fused[i];
            parts.push_back(graphA.ownerOf(found[i]->node));
            std::ranges::sort(parts);
            std::ranges::transform(parts, std::back_inserter(pair.from),
                                   [&](Index part) { return graphA.nameOf(part); });
        }
        used.insert(pair.from.begin(), pair.from.end());
        mapping.pairs.push_back(std::move(pair));
    }
    for (Index i = 0; i < graphA.size(); ++i)
        if (graphA.ownerOf(i) == i && !used.contains(graphA.nameOf(i)))
            mapping.gone.push_back(graphA.nameOf(i));
    return mapping;
}

RecordedOrigins originsIn(const ir::Model &b)
{
    RecordedOrigins recorded;
    if (b.functions.empty())
        return recorded;
    for (const ir::NodeRef node : ir::nodesOf(b.functions.front().graph)) {
        const std::string_view text = node.metadata("from_node");
        if (text.empty())
            continue;
        std::vector<std::string> origins;
        collectOrigins(json::parse(text, nullptr, false), origins, 0);
        if (!origins.empty())
            recorded[ir::nameOf(node)] = std::move(origins);
    }
    return recorded;
}

RecordedOrigins originsBetween(const Sequence &sequence, std::size_t from, std::size_t to)
{
    const Step &earlier = sequence.steps[from], &later = sequence.steps[to];
    if (to == from + 1 && later.origins)
        return readOrigins(*later.origins);
    if (earlier.kind != Kind::PreGrad && earlier.kind != Kind::Dynamo)
        return {}; // only these two graphs have such a record
    for (const Record &record : sequence.records)
        if (record.name == provenanceRecord && record.line > later.line.value_or(0))
            return readProvenance(record).postToPre;
    return {};
}

Result<Mapping> mapAddresses(const std::string &a, const std::string &b, bool useProvenance, const Task &task)
{
    CUTAWAY_TRY(const ir::Model modelA, withSubject(a, open(a, task)));
    CUTAWAY_TRY(const ir::Model modelB, withSubject(b, open(b, task)));
    if (!useProvenance)
        return mapNodes(modelA, modelB, {}, task);
    RecordedOrigins recorded = originsIn(modelB);
    if (recorded.empty() && a.contains('#') && b.contains('#')) {
        const auto stepA = findStep(a, task), stepB = findStep(b, task);
        if (stepA && stepB && stepA->document.sources == stepB->document.sources
            && stepA->place.sequence == stepB->place.sequence)
            recorded = originsBetween(stepB->sequence(), stepA->place.step, stepB->place.step);
    }
    return mapNodes(modelA, modelB, recorded, task);
}

} // namespace cutaway::sequence
