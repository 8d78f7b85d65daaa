// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/found/found_names.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::layout {

namespace {

using Path = std::vector<std::string_view>;

/// Returns the path in a name without its last part, which is of the weight or value itself. In torch's
/// "/layer1/layer1.0/conv1/Conv_output_0" the container is named once.
Path pathOf(std::string_view name)
{
    Path path;
    if (name.contains("::"))
        return path;
    for (std::size_t end; (end = name.find_first_of("./")) != std::string_view::npos; name.remove_prefix(end + 1))
        if (const std::string_view part = name.substr(0, end); !part.empty() && (path.empty() || path.back() != part))
            path.push_back(part);
    return path;
}

class SharedPath {
public:
    void add(std::string_view name)
    {
        const Path path = pathOf(name);
        if (path.empty())
            return;
        if (!m_path)
            m_path = path;
        const auto [end, ignored] = std::ranges::mismatch(*m_path, path);
        m_path->erase(end, m_path->end());
    }

    std::string print() const
    {
        std::string text;
        if (m_path)
            for (const std::string_view part : *m_path)
                text += (text.empty() ? "" : ".") + std::string(part);
        return text;
    }

private:
    std::optional<Path> m_path; ///< the common path so far; nothing if there was no name yet
};

/// Appends numbers to the names of parts that have the same name.
void numberAlike(std::vector<FoundName> &found)
{
    std::map<std::string, std::uint32_t> times;
    for (const FoundName &part : found)
        ++times[part.name];
    std::map<std::string, std::uint32_t> before;
    for (FoundName &part : found)
        if (times[part.name] > 1)
            part.name += " " + std::to_string(++before[part.name]);
}

void dropKnownPaths(const ir::Graph &graph, const Targets &targets, Outline &outline)
{
    const std::string whole = commonPath(graph, graph.at(ir::Graph::body).nodes, targets);
    std::vector<std::string> paths;
    std::ranges::transform(outline.found, std::back_inserter(paths), &FoundName::path);
    std::vector<std::string_view> around(outline.parts.size(), whole); // by part: its path, or the one around it
    for (std::size_t i = 1; i < outline.parts.size(); ++i) {
        const Part &part = outline.parts[i];
        around[i] = around[part.parent];
        if (const auto *module = std::get_if<ScopeSubject>(&part.subject)) {
            around[i] = graph.context().text(graph.context().at(module->scope).path);
        } else if (std::holds_alternative<FoundSubject>(part.subject)) {
            if (paths[part.found] == around[i])
                outline.found[part.found].path.clear();
            else if (!paths[part.found].empty())
                around[i] = paths[part.found];
        }
    }
}

} // namespace

Targets targetsOf(const ir::Function &function)
{
    Targets targets;
    for (const ir::FunctionInput &input : function.inputs)
        if (const std::string_view target = function.graph.context().text(input.target); !target.empty())
            if (const auto *value = input.value.as<ir::ValueId>())
                targets.emplace(*value, target);
    return targets;
}

std::string commonPath(const ir::Graph &graph, std::span<const ir::NodeId> nodes, const Targets &targets)
{
    SharedPath ofWeights, ofResults;
    for (const ir::NodeId id : nodes) {
        const ir::NodeRef node(graph, id);
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, [&](ir::ValueId read) {
                if (const ir::ValueRef value(graph, read); value.weight())
                    ofWeights.add(targets.contains(read) ? targets.at(read) : value.name());
            });
        for (const ir::ValueRef output : node.outputs())
            ofResults.add(output.name());
    }
    const std::string path = ofWeights.print();
    return path.empty() ? ofResults.print() : path;
}

void makeNamesDistinct(const ir::Graph &graph, const Targets &targets, Outline &outline)
{
    numberAlike(outline.found);
    dropKnownPaths(graph, targets, outline);
}

} // namespace cutaway::layout
