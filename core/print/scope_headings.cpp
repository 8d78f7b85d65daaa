// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/scope_headings.h"

#include "core/base/text.h"
#include "core/ir/context.h"

namespace cutaway::print {

namespace {
constexpr std::uint32_t fewNodes = 4;
} // namespace

ScopeHeadings::ScopeHeadings(const ir::Graph &graph)
    : m_context(graph.context()),
      m_nodes(m_context.scopeCount()),
      m_hasChildren(m_context.scopeCount())
{
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::Node &node = graph.at(ir::NodeId{i});
        if (node.removed)
            continue;
        ++m_nodes[node.scope.index];
        for (ir::ScopeId at = node.scope; at != ir::ScopeId{}; at = m_context.at(at).parent) {
            const ir::ScopeId parent = m_context.at(at).parent;
            if (m_hasChildren[parent.index])
                break; // further ancestors are marked already
            m_hasChildren[parent.index] = true;
        }
    }
}

std::string ScopeHeadings::of(ir::ScopeId id) const
{
    if (!m_hasChildren[id.index] && m_nodes[id.index] <= fewNodes)
        id = m_context.at(id).parent;
    const ir::Scope &scope = m_context.at(id);
    const std::string call = scope.call > 0 ? " (call " + std::to_string(scope.call + 1) + ")" : "";
    return id == ir::ScopeId{} ? "(top level)" : sanitized(m_context.text(scope.path)) + call;
}

} // namespace cutaway::print
