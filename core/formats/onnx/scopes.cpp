// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/scopes.h"

#include "core/formats/limits.h"
#include "core/ir/context.h"

#include <algorithm>
#include <charconv>

// Where a file says which modules a node belongs to:
//
// - torch's TorchScript exporter names nodes /layer1/layer1.0/conv1/Conv: a component for each module call, then the
//   operator. For a child of a container, the container's own component is repeated in front ("layer1.0"); for other
//   children the component is the attribute's name. If a module is called again, the second box is called relu_1.
//   An attribute may have such a name, too: the box counts as a second call if there is a box "relu" beside it and no
//   weight is called relu_1.*. If weights were folded and lost their names, numbered_boxes.h looks at the nodes.
// - Other exporters (tf2onnx, Keras, hand-written names) also use slashes, but none in front, and containers are not
//   repeated; their model/conv2d and model/conv2d_1 are two layers.
// - torch's dynamo exporter writes metadata: pkg.torch.onnx.name_scopes ['', 'body', 'body.1', 'relu'] and
//   pkg.torch.onnx.class_hierarchy of the same length, outermost first; the last entry is the operator. Older files
//   only have `namespace`: "body: torch.nn.Sequential/body.1: torch.nn.ReLU/relu: aten.relu.default".

namespace cutaway::formats::onnx {

namespace {

constexpr std::string_view namespaceKey = "namespace";

std::string_view find(std::span<const Text> metadata, std::string_view key)
{
    const auto found = std::ranges::find(metadata, key, &Text::key);
    return found == metadata.end() ? std::string_view() : found->text;
}

/// Returns the items of a printed Python list of strings: ['', 'it\'s', "a"].
std::vector<std::string> pythonStrings(std::string_view list)
{
    std::vector<std::string> items;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] != '\'' && list[i] != '"')
            continue;
        const char quote = list[i];
        std::string item;
        for (++i; i < list.size() && list[i] != quote; ++i) {
            if (list[i] == '\\' && i + 1 < list.size())
                ++i;
            item += list[i];
        }
        items.push_back(std::move(item));
    }
    return items;
}

/// Splits "path: class/path: class/…" into paths and classes.
void splitNamespace(std::string_view text, std::vector<std::string> &paths, std::vector<std::string> &classes)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('/'), text.size());
        const std::string_view segment = text.substr(0, end);
        const std::size_t colon = segment.find(": ");
        paths.emplace_back(segment.substr(0, colon));
        classes.emplace_back(colon == std::string_view::npos ? std::string_view() : segment.substr(colon + 2));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// A name that ends in a separator and a number: "relu_2" is {"relu", 2}, and "l@1" is {"l", 1}.
struct Numbered {
    std::string_view base;
    std::uint32_t number = 0;
};
std::optional<Numbered> numbered(std::string_view name, char separator)
{
    const std::size_t at = name.rfind(separator);
    if (at == std::string_view::npos || at == 0 || at + 1 == name.size() || name[at + 1] == '0')
        return std::nullopt;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + at + 1, name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size())
        return std::nullopt;
    return Numbered{name.substr(0, at), number};
}

/// Returns a module's attribute in its parent: its path without the parent's path.
std::string_view below(std::string_view parent, std::string_view path)
{
    const bool isBelow = path.size() > parent.size() && path.starts_with(parent) && path[parent.size()] == '.';
    return isBelow && !parent.empty() ? path.substr(parent.size() + 1) : path;
}

} // namespace

bool ScopeReader::reads(std::string_view key)
{
    return key == nameScopesKey || key == classesKey || key == namespaceKey;
}

ir::ScopeId ScopeReader::scope(std::string_view nodeName, std::span<const Text> metadata, ir::ScopeId outer)
{
    const auto found = metadata.empty() ? std::nullopt : fromMetadata(metadata);
    const ir::ScopeId scope = found ? *found : fromName(nodeName).value_or(ir::ScopeId{});
    return scope == ir::ScopeId{} ? outer : scope;
}

std::optional<ir::ScopeId> ScopeReader::fromMetadata(std::span<const Text> metadata)
{
    const std::string_view scopes = find(metadata, nameScopesKey), classes = find(metadata, classesKey);
    const std::string_view nameSpace = find(metadata, namespaceKey);
    if (scopes.empty() && nameSpace.empty())
        return std::nullopt;
    const std::string key = scopes.empty() ? std::string(nameSpace) : std::string(scopes) + '\n' + std::string(classes);
    const auto [entry, isNew] = m_byMetadata.try_emplace(key);
    if (!isNew)
        return entry->second;
    std::vector<std::string> paths = pythonStrings(scopes), names = pythonStrings(classes);
    if (scopes.empty())
        splitNamespace(nameSpace, paths, names);
    if (!paths.empty())
        paths.pop_back(); // removes the operator
    names.resize(paths.size());
    return entry->second = fromModules(paths, names);
}

ir::ScopeId ScopeReader::fromModules(std::span<const std::string> paths, std::span<const std::string> classes)
{
    ir::ScopeId scope;
    std::string_view parent;
    for (std::size_t i = 0; i < std::min<std::size_t>(paths.size(), limits::maxNesting); ++i) {
        const auto call = numbered(paths[i], '@');
        const std::string_view path = call ? call->base : std::string_view(paths[i]);
        noteClass(path, classes[i]);
        if (path.empty())
            continue; // this is the model itself
        scope = m_model.context->childScope(scope, below(parent, path), classes[i], call ? call->number : 0);
        parent = path;
    }
    return scope;
}

void ScopeReader::noteClass(std::string_view path, std::string_view className)
{
    const auto found = m_model.modulesByPath.find(m_model.context->name(path));
    const ir::ModuleId module = found == m_model.modulesByPath.end() ? ir::ModuleId{} : found->second;
    if (path.empty() || module != ir::ModuleId{})
        m_model.modules.edit(module.index).className = m_model.context->name(className);
}

std::optional<ir::ScopeId> ScopeReader::fromName(std::string_view nodeName)
{
    const std::size_t slash = nodeName.rfind('/');
    if (slash == std::string_view::npos || slash == 0)
        return std::nullopt;
    const std::string_view prefix = nodeName.substr(0, slash);
    if (prefix == m_lastPrefix)
        return m_lastScope;
    m_lastPrefix = prefix;
    return m_lastScope = scopeOf(prefix).scope;
}

ScopeReader::Scope ScopeReader::scopeOf(std::string_view prefix)
{
    if (const auto known = m_byPrefix.find(prefix); known != m_byPrefix.end())
        return known->second;
    Scope scope;
    std::size_t start = 0;
    for (int depth = 0; start < prefix.size() && depth < limits::maxNesting; ++depth) {
        const std::size_t end = std::min(prefix.find('/', start), prefix.size());
        const std::string_view upToHere = prefix.substr(0, end);
        if (const auto known = m_byPrefix.find(upToHere); known != m_byPrefix.end())
            scope = known->second;
        else if (end > start)
            m_byPrefix.emplace(upToHere,
                               scope = child(scope, prefix.substr(0, start), prefix.substr(start, end - start)));
        start = end + 1;
    }
    return scope;
}

ScopeReader::Scope ScopeReader::child(const Scope &parent, std::string_view parentPrefix, std::string_view component)
{
    const std::string_view name = below(parent.component, component);
    const auto call = numbered(name, '_');
    const std::string_view base = component.substr(0, component.rfind('_'));
    if (call && isRepeatedCall(parent.scope, parentPrefix, base, name)) {
        const ir::ScopeId scope = m_model.context->childScope(parent.scope, call->base, {}, call->number);
        m_numberedBoxes.emplace(scope,
                                NumberedBox{m_model.context->childScope(parent.scope, call->base), std::string(name)});
        return {scope, base};
    }
    return {m_model.context->childScope(parent.scope, name), component};
}

bool ScopeReader::isRepeatedCall(ir::ScopeId parent, std::string_view parentPrefix, std::string_view base,
                                 std::string_view name) const
{
    const bool isOfTorch = parentPrefix.starts_with('/');
    if (!isOfTorch || !m_byPrefix.contains(std::string(parentPrefix) + std::string(base)))
        return false;
    const std::string_view parentPath = m_model.context->text(m_model.context->at(parent).path);
    const std::string path = parentPath.empty() ? std::string(name) : std::string(parentPath) + "." + std::string(name);
    return !m_model.modulesByPath.contains(m_model.context->name(path));
}

} // namespace cutaway::formats::onnx
