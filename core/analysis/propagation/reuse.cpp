// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/reuse.h"

#include <algorithm>
#include <cassert>
#include <iterator>

// Propagation through a graph once more, with something else given. It visits the nodes in the same order as the first
// time, but a node that would certainly find the same again is not visited: its findings are taken over from the
// earlier propagation.
//
// The findings at a node follow from the node itself, which has not changed, and from
//
// - the facts of its operands, and the storages that these lie in, which are compared with those of the earlier visit;
// - how many storages and symbols had been made, since the node numbers its own from there on;
// - state that code writes and reads while it runs: attributes, objects that contain others, autocast contexts, bound
//   symbols in the node's arguments. All of this is Shared state, which counts each access.
//
// A node is repeatable if it was visited once, in code that certainly runs, without an access to Shared state, and has
// no regions and makes no call: then only the first two matter. All other nodes are visited each time, and their
// findings are compared, so that after a node that finds the same again nodes are taken over as before. The same holds
// for nodes in regions, but those of loops have mostly been visited more than once.
//
// Earlier facts are known as they were in the end. A fact that changed only once, when it was found, is what all its
// readers saw; if it was written to later, or was found in several iterations, its maker and readers are visited.
//
// If a node makes one storage more, since a view has become a copy, all numbers after it are shifted, and all nodes
// from there on are visited. A comparison takes a fraction of the time of a rule, and the trace some bytes per node.

namespace cutaway::analysis {

namespace {

using ops::Fact;
using VisitKind = Trace::Visit::Kind;

/// Whether two facts are equal for every reader, storages and strides included. Containers of tensors never are, as
/// they are not compared.
bool isSameFact(const Fact &a, const Fact &b)
{
    const auto *x = a.as<ops::TensorFact>(), *y = b.as<ops::TensorFact>();
    if (x && y)
        return x->storage == y->storage && *x == *y && x->strides == y->strides;
    bool holdsTensors = a.as<ops::DictFact>();
    ops::forEachTensor(a, [&](const ops::TensorFact &) { holdsTensors = true; });
    return !holdsTensors && a == b;
}

} // namespace

Reuse::Reuse(const ir::Graph &graph, const Shapes *earlier)
    : m_earlier(earlier),
      m_isSame(earlier ? graph.valueCount() : 0)
{
    assert(!earlier || earlier->facts.size() == graph.valueCount());
    m_trace.changes.resize(graph.valueCount());
    m_trace.visits.resize(graph.nodeCount());
    for (const Stop &stop : earlier ? std::span(earlier->stops) : std::span<const Stop>())
        m_stops.emplace(stop.node, &stop);
    for (const NodeNeed &need : earlier ? std::span(earlier->needs) : std::span<const NodeNeed>())
        m_needs.emplace(need.node, &need);
}

const Fact *Reuse::onlyFactOf(ir::ValueId value) const
{
    return m_earlier && m_earlier->trace.changes[value.index] == 1 ? &m_earlier->of(value) : nullptr;
}

void Reuse::noteFact(ir::ValueId value, const Fact &fact)
{
    std::uint8_t &changes = m_trace.changes[value.index];
    changes = changes == 0 ? 1 : 2;
    if (!m_earlier)
        return;
    const Fact *earlier = onlyFactOf(value);
    m_isSame[value.index] = earlier && isSameFact(*earlier, fact);
}

bool Reuse::isRepeated(const ir::NodeRef &node, const Trace::Count &count) const
{
    if (!m_earlier)
        return false;
    const Trace::Visit &visit = m_earlier->trace.visits[node.id().index];
    if (visit.kind != VisitKind::Repeatable || visit.before != count)
        return false;
    bool seesSame = true;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) { seesSame = seesSame && m_isSame[value.index]; });
    return seesSame
        && std::ranges::all_of(node->outputs, [this](ir::ValueId output) { return onlyFactOf(output) != nullptr; });
}

Reuse::Found Reuse::takeOver(ir::NodeId node)
{
    const Trace::Visit &earlier = m_earlier->trace.visits[node.index];
    Trace::Visit &visit = m_trace.visits[node.index];
    visit = visit.kind == VisitKind::None ? earlier : Trace::Visit{{}, {}, VisitKind::Entangled};
    const auto stop = m_stops.find(node);
    Found found{.storages = std::span(m_earlier->storages)
                                .subspan(earlier.before.storages, earlier.after.storages - earlier.before.storages),
                .symbols = std::span(m_earlier->dataSizes)
                               .subspan(earlier.before.symbols, earlier.after.symbols - earlier.before.symbols),
                .cost = m_earlier->costs[node.index],
                .stop = stop == m_stops.end() ? nullptr : stop->second};
    const auto [first, last] = m_needs.equal_range(node);
    std::transform(first, last, std::back_inserter(found.needs), [](const auto &need) { return *need.second; });
    return found;
}

void Reuse::noteVisit(ir::NodeId node, const Trace::Count &before, const Trace::Count &after, bool isAlone)
{
    Trace::Visit &visit = m_trace.visits[node.index];
    const bool isRepeatable = isAlone && visit.kind == VisitKind::None;
    visit = {before, after, isRepeatable ? VisitKind::Repeatable : VisitKind::Entangled};
}

} // namespace cutaway::analysis
