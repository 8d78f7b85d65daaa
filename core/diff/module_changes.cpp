// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/module_changes.h"

#include "core/ir/context.h"

#include <map>

namespace cutaway::diff {

namespace {

using Counter = std::size_t ModuleChanges::*;

class ModuleCounts {
public:
    void add(const Side &side, ir::NodeId node, Counter counter)
    {
        const ir::Context &context = side.graph().context();
        ++(at("").*counter);
        std::string_view last;
        for (ir::ScopeId id = side.graph().at(node).scope; id != ir::ScopeId{}; id = context.at(id).parent)
            if (const auto path = context.text(context.at(id).path); path != last && !path.empty()) {
                ++(at(path).*counter);
                last = path;
            }
    }

    std::vector<ModuleChanges> take()
    {
        std::vector<ModuleChanges> all;
        for (auto &[path, changes] : m_byPath)
            all.push_back(std::move(changes));
        return all;
    }

private:
    ModuleChanges &at(std::string_view path)
    {
        ModuleChanges &changes = m_byPath[std::string(path)];
        changes.path = path;
        return changes;
    }

    std::map<std::string, ModuleChanges> m_byPath;
};

} // namespace

std::vector<ModuleChanges> moduleChanges(const Side &a, const Side &b, const Difference &difference)
{
    ModuleCounts counts;
    for (const Pair &pair : difference.pairs)
        if (!pair.changes.empty())
            counts.add(a, pair.a, &ModuleChanges::changed);
    for (const ir::NodeId node : difference.onlyA)
        counts.add(a, node, &ModuleChanges::onlyA);
    for (const ir::NodeId node : difference.onlyB)
        counts.add(b, node, &ModuleChanges::onlyB);
    return counts.take();
}

} // namespace cutaway::diff
