// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation.h"

#include <algorithm>

// Propagation through a graph once more, with something else given. It walks the same way as the first time, but a node
// of which is known beforehand what it would find is not looked at: that is taken over from the earlier propagation.
//
// What a node finds follows from the node itself, which has not changed, and from
//  - the facts of its operands, which are compared with those that it saw earlier, with the storages they lie in;
//  - how many storages and symbols had been made, because it numbers its own from there on;
//  - what is written to and read from while code runs: attributes, objects that contain others, autocast contexts,
//    bound symbols in its arguments. Whoever comes by one of these counts an access.
// A node is repeatable if it was looked at once, in code that surely runs, without an access, and has no regions and
// calls nobody: then only the first two matter. All others are looked at each time, and what they find is compared, so
// behind one that finds the same again nodes are taken over as before. Nodes in regions are nodes like all others, but
// those of loops have mostly been looked at more than once.
//
// Earlier facts are there as they were in the end. A fact that changed only once, when it was found, is what all its
// readers saw; if it was written to later, or was found in several turns, its maker and readers are looked at.
//
// A storage more in one node, where a view has become a copy, shifts all numbers behind it, and all is looked at from
// there on. Comparing costs a fraction of a rule, and notes are some bytes per node.

namespace cutaway::analysis {

namespace {

using ops::Fact;
using Access = Trace::Visit::Kind;

/// Equal for whoever reads it: also where it lies. Containers of tensors are not compared.
bool isSame(const Fact &a, const Fact &b)
{
    const auto *x = a.as<ops::TensorFact>(), *y = b.as<ops::TensorFact>();
    if (x && y)
        return x->storage == y->storage && *x == *y
            && (x->strides == y->strides || (x->strides && y->strides && *x->strides == *y->strides));
    bool holdsTensors = a.as<ops::DictFact>();
    ops::forEachTensor(a, [&](const ops::TensorFact &) { holdsTensors = true; });
    return !holdsTensors && a == b;
}

} // namespace

Trace::Count Inference::count() const { return {static_cast<std::uint32_t>(storages.size()), fresh}; }

void Propagation::noteChange(ir::ValueId value)
{
    std::uint8_t &changes = m_shapes.trace.changes[value.index];
    changes = changes == 0 ? 1 : 2;
    if (m_earlier)
        m_same[value.index] = m_earlier->trace.changes[value.index] == 1
            && isSame(m_earlier->facts[value.index], m_shapes.facts[value.index]);
}

void Propagation::noteVisit(const ir::NodeRef &node, const Trace::Count &before, bool isAlone)
{
    Trace::Visit &visit = m_shapes.trace.visits[node.id().index];
    const bool isRepeatable = isAlone && visit.kind == Access::None && m_runs == Runs::Surely && node->regions.empty();
    visit = {before, m_inference.count(), isRepeatable ? Access::Repeatable : Access::Entangled};
}

bool Propagation::isRepeated(const ir::NodeRef &node) const
{
    if (!m_earlier || m_runs != Runs::Surely || !m_autocasts.empty())
        return false;
    const Trace::Visit &visit = m_earlier->trace.visits[node.id().index];
    if (visit.kind != Access::Repeatable || visit.before != m_inference.count())
        return false;
    bool sawSame = true;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) { sawSame = sawSame && m_same[value.index]; });
    return sawSame && std::ranges::all_of(node->outputs, [this](ir::ValueId output) {
               return m_earlier->trace.changes[output.index] == 1;
           });
}

void Propagation::takeOver(const ir::NodeRef &node)
{
    const Trace::Visit &earlier = m_earlier->trace.visits[node.id().index];
    Trace::Visit &visit = m_shapes.trace.visits[node.id().index];
    visit = visit.kind == Access::None ? earlier : Trace::Visit{{}, {}, Access::Entangled};
    const auto storages = m_earlier->storages.begin();
    m_inference.storages.insert(m_inference.storages.end(), storages + earlier.before.storages,
                                storages + earlier.after.storages);
    m_inference.fresh = earlier.after.symbols;
    m_shapes.costs[node.id().index] = m_earlier->costs[node.id().index];
    for (const ir::ValueId output : node->outputs) {
        m_origins.erase(output);
        set(output, m_earlier->facts[output.index]);
    }
    if (const auto found = m_earlierStops.find(node); found != m_earlierStops.end())
        stop(node, found->second->reason, found->second->isContradiction, found->second->hidesCost);
}

} // namespace cutaway::analysis
