// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/module_tree.h"

#include "core/base/text.h"
#include "core/print/python_names.h"
#include "core/print/torch/dotted_path.h"
#include "core/print/torch/tensor_paths.h"

#include <algorithm>
#include <charconv>

namespace cutaway::print {

namespace {

/// How many more gaps than children the numbers of a Sequential may have. A gap, such as a dropout without effect in
/// evaluation, becomes an Identity.
constexpr std::size_t maxGaps = 4;

bool isNumbered(const ModuleNode &node)
{
    const auto isNumber = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t last = 0;
    for (const auto &child : node.children) {
        const std::string_view name = lastName(child->path);
        if (!std::ranges::all_of(name, isNumber) || name.size() > 6)
            return false;
        last = std::max(last, childNumber(*child));
    }
    return !node.children.empty() && last < node.children.size() * 2 + maxGaps;
}

} // namespace

std::size_t childNumber(const ModuleNode &child)
{
    const std::string_view name = lastName(child.path);
    std::size_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    return number;
}

ModuleTree::ModuleTree(const ir::Graph &graph, const ModulePlan &plan, const TensorPaths &paths)
    : m_root(std::make_unique<ModuleNode>())
{
    m_byPath.emplace("", m_root.get());
    m_root->call = &plan.root();
    addItems(plan.root(), graph, plan);
    for (const ir::TensorId tensor : paths.tensors())
        if (!plan.literal(tensor))
            at(parentPath(paths.of(tensor))).tensors.push_back(tensor);
    for (const auto &[path, node] : m_byPath)
        setForm(*node, plan);
}

const ModuleNode *ModuleTree::find(std::string_view path) const
{
    const auto known = m_byPath.find(path);
    return known == m_byPath.end() ? nullptr : known->second;
}

ModuleNode &ModuleTree::at(std::string_view path)
{
    if (const auto known = m_byPath.find(path); known != m_byPath.end())
        return *known->second;
    ModuleNode &parent = at(parentPath(path));
    ModuleNode &made = *parent.children.emplace_back(std::make_unique<ModuleNode>());
    made.path = path;
    m_byPath.emplace(made.path, &made);
    return made;
}

void ModuleTree::addItems(const ModuleCall &call, const ir::Graph &graph, const ModulePlan &plan)
{
    for (const PlanItem &item : call.items) {
        if (const auto *node = std::get_if<ir::NodeId>(&item)) {
            addLayer(*node, graph, plan);
            continue;
        }
        const ModuleCall &inner = *std::get<std::shared_ptr<const ModuleCall>>(item);
        ModuleNode &node = at(inner.path);
        if (!node.call)
            node.call = &inner;
        addItems(inner, graph, plan);
    }
}

void ModuleTree::addLayer(ir::NodeId node, const ir::Graph &graph, const ModulePlan &plan)
{
    if (const Layer *layer = plan.layer(node))
        at(layer->path).layer = layer;
    for (const ir::RegionId region : graph.at(node).regions)
        for (const ir::NodeId inner : graph.at(region).nodes)
            addLayer(inner, graph, plan);
}

void ModuleTree::setForm(ModuleNode &node, const ModulePlan &plan)
{
    if (node.layer) {
        node.form = ModuleNode::Form::Layer;
        return;
    }
    if (&node == m_root.get() || !node.tensors.empty() || !isNumbered(node))
        return;
    if (!node.call)
        node.form = ModuleNode::Form::List;
    else if (plan.isChain(*node.call) && node.call->items.size() == node.children.size())
        node.form = ModuleNode::Form::Sequential;
}

std::string ModuleTree::access(std::string_view from, std::string_view path) const
{
    std::string code = "self";
    const ModuleNode *above = find(from);
    for (std::string_view rest = pathFrom(from, path); !rest.empty();) {
        const std::string_view name = rest.substr(0, rest.find('.'));
        const bool isIndexed =
            above && (above->form == ModuleNode::Form::List || above->form == ModuleNode::Form::Sequential);
        if (isIndexed)
            code += "[" + std::string(name) + "]";
        else if (isIdentifier(name))
            code.append(".").append(name);
        else
            code.insert(0, "getattr(").append(", " + quote(name) + ")");
        const std::size_t done = static_cast<std::size_t>(name.data() - path.data()) + name.size();
        above = find(path.substr(0, done));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    return code;
}

} // namespace cutaway::print
