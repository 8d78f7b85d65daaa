// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/scope_texts.h"

#include "core/ir/context.h"

#include <ranges>
#include <utility>

namespace cutaway::formats::onnx {

namespace {

void appendPythonString(std::string &list, std::string_view text)
{
    list += list.size() > 1 ? ", '" : "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            list += '\\';
        list += c;
    }
    list += '\'';
}

} // namespace

ScopeTexts::ScopeTexts(const ir::Model &model, const ir::Function &function)
    : m_model(model),
      m_reader(m_mirror),
      m_read(function.graph.nodeCount())
{
    for (const ir::Module &module : model.modules)
        m_mirror.moduleAt(model.context->text(module.path));
    readNames(function.graph, ir::Graph::body, {});
    m_read = settledScopes(model, function.graph, std::move(m_read), m_reader.numberedBoxes(), *m_mirror.context);
}

/// Reads the names of the nodes in a region. `outer` is the scope of the node that has the region.
void ScopeTexts::readNames(const ir::Graph &graph, ir::RegionId region, ir::ScopeId outer)
{
    for (const ir::NodeRef node : ir::nodesOf(graph, region)) {
        m_read[node.id().index] = m_reader.scope(node.name(), {}, mirrored(outer));
        for (const ir::RegionId inner : node->regions)
            readNames(graph, inner, node->scope);
    }
}

ir::ScopeId ScopeTexts::mirrored(ir::ScopeId scope)
{
    if (scope == ir::ScopeId{})
        return {};
    if (const auto known = m_mirrored.find(scope); known != m_mirrored.end())
        return known->second;
    const ir::Scope &original = m_model.context->at(scope);
    const ir::ScopeId parent = mirrored(original.parent);
    return m_mirrored[scope] = m_mirror.context->childScope(parent, m_model.context->text(original.name),
                                                            m_model.context->text(original.className), original.call);
}

std::vector<std::pair<std::string, std::string>> ScopeTexts::of(const ir::NodeRef &node)
{
    const bool isEnough =
        m_read[node.id().index] == mirrored(node->scope) && m_model.modules[0].className == ir::NameId{};
    return isEnough ? std::vector<std::pair<std::string, std::string>>() : metadataOf(node);
}

std::vector<std::pair<std::string, std::string>> ScopeTexts::metadataOf(const ir::NodeRef &node) const
{
    const ir::Context &context = *m_model.context;
    std::vector<ir::ScopeId> chain;
    for (ir::ScopeId at = node->scope; at != ir::ScopeId{}; at = context.at(at).parent)
        chain.push_back(at);
    std::string paths = "[", classes = "[";
    appendPythonString(paths, {});
    appendPythonString(classes, context.text(m_model.modules[0].className));
    for (const ir::ScopeId id : chain | std::views::reverse) {
        const ir::Scope &scope = context.at(id);
        const std::string call = scope.call > 0 ? "@" + std::to_string(scope.call) : "";
        appendPythonString(paths, std::string(context.text(scope.path)) + call);
        appendPythonString(classes, context.text(scope.className));
    }
    appendPythonString(paths, node.opName());
    appendPythonString(classes, node.opName());
    return {{std::string(nameScopesKey), paths + "]"}, {std::string(classesKey), classes + "]"}};
}

} // namespace cutaway::formats::onnx
