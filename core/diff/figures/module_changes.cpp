// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/figures/module_changes.h"

#include "core/ir/context.h"

#include <map>

namespace cutaway::diff {

namespace {

using Counter = std::size_t ModuleChanges::*;
using ByPath = std::map<std::string, ModuleChanges>;

void add(ModuleChanges &sum, const ModuleChanges &more)
{
    sum.changed += more.changed;
    sum.onlyA += more.onlyA;
    sum.onlyB += more.onlyB;
}

/// The counts of one side, by ScopeId.
class ScopeCounts {
public:
    explicit ScopeCounts(const Side &side) : m_side(side), m_counts(side.graph().context().scopeCount()) { }

    void count(ir::NodeId node, Counter counter) { ++(m_counts[m_side.graph().at(node).scope.index].*counter); }

    void addTo(ByPath &modules)
    {
        const ir::Context &context = m_side.graph().context();
        for (std::size_t i = m_counts.size(); i-- > 0;) { // submodules have higher ids than the modules around them
            const ir::Scope &scope = context.at(ir::ScopeId{static_cast<std::uint32_t>(i)});
            if (m_counts[i] == ModuleChanges())
                continue;
            if (i > 0)
                add(m_counts[scope.parent.index], m_counts[i]);
            const std::string path(context.text(scope.path));
            ModuleChanges &module = modules[path];
            module.path = path;
            add(module, m_counts[i]);
        }
    }

private:
    const Side &m_side;
    std::vector<ModuleChanges> m_counts;
};

} // namespace

std::vector<ModuleChanges> moduleChanges(const Side &a, const Side &b, const Difference &difference)
{
    ScopeCounts ofA(a), ofB(b);
    for (const Pair &pair : difference.pairs)
        if (!pair.changes.empty())
            ofA.count(pair.a, &ModuleChanges::changed);
    for (const ir::NodeId node : difference.onlyA)
        ofA.count(node, &ModuleChanges::onlyA);
    for (const ir::NodeId node : difference.onlyB)
        ofB.count(node, &ModuleChanges::onlyB);
    for (const Region &region : difference.regions) {
        for (const ir::NodeId node : region.a.nodes)
            ofA.count(node, &ModuleChanges::onlyA);
        for (const ir::NodeId node : region.b.nodes)
            ofB.count(node, &ModuleChanges::onlyB);
    }
    ByPath modules;
    ofA.addTo(modules);
    ofB.addTo(modules);
    std::vector<ModuleChanges> all;
    for (auto &[path, changes] : modules)
        all.push_back(std::move(changes));
    return all;
}

} // namespace cutaway::diff
