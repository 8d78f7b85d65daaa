// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/selection.h"

#include "core/base/overloaded.h"
#include "core/ir/homes.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"
#include "core/ir/scope_tree.h"
#include "core/layout/expansion.h"

#include <algorithm>

namespace cutaway::views {
namespace {

/// Returns a node that is drawn inside the module's box, directly in its region; nothing if there is none.
std::optional<ir::NodeId> nodeWithin(const ir::Function &function, const layout::ScopeSubject &module)
{
    for (const ir::NodeRef node : ir::nodesOf(function.graph, module.region))
        if (ir::isWithin(function.graph.context(), node->scope, module.scope))
            return node;
    return {};
}

/// Returns the node of a module that has only this one, and therefore no box; nothing if it has more.
std::optional<ir::NodeId> onlyNodeIn(const ir::Function &function, const layout::ScopeSubject &module)
{
    const ir::Context &context = function.graph.context();
    const auto isInside = [&](ir::ScopeId scope) { return ir::isWithin(context, scope, module.scope); };
    const auto &nodes = function.graph.at(module.region).nodes;
    std::optional<ir::NodeId> only;
    for (const ir::NodeId node : nodes) {
        if (!isInside(function.graph.at(node).scope))
            continue;
        if (only)
            return {}; // most modules end here
        only = node;
    }
    // A node without a module of its own may be drawn in this one, so the homes of all nodes are counted.
    return only && std::ranges::count_if(ir::homesOf(function.graph, module.region), isInside) == 1 ? only
                                                                                                    : std::nullopt;
}

std::vector<layout::Subject> enclosingRegion(const ir::Graph &graph, const layout::Outline &outline,
                                             ir::RegionId region)
{
    const auto owner = graph.at(region).owner;
    if (!owner)
        return {};
    std::vector<layout::Subject> boxes = layout::enclosing(outline, *owner);
    boxes.emplace_back(*owner);
    return boxes;
}

std::vector<layout::Subject> insideRegion(const ir::Graph &graph, const layout::Outline &outline, ir::RegionId region)
{
    std::vector<layout::Subject> boxes = enclosingRegion(graph, outline, region);
    if (!boxes.empty())
        boxes.emplace_back(region);
    return boxes;
}

std::vector<layout::Subject> enclosingModule(const ir::Function &function, const layout::Outline &outline,
                                             const layout::ScopeSubject &module)
{
    const auto inner = nodeWithin(function, module);
    if (!inner)
        return {};
    std::vector<layout::Subject> boxes = layout::enclosing(outline, *inner);
    std::erase_if(boxes, [&](const layout::Subject &box) {
        const auto inside = [&](const auto &b) {
            return b.region == module.region && ir::isWithin(function.graph.context(), b.scope, module.scope);
        };
        const auto *scope = std::get_if<layout::ScopeSubject>(&box);
        const auto *group = std::get_if<layout::GroupSubject>(&box);
        const auto *plumbing = std::get_if<layout::PlumbingSubject>(&box);
        const auto *found = std::get_if<layout::FoundSubject>(&box);
        return (scope && inside(*scope)) || (group && inside(*group)) || (plumbing && inside(*plumbing))
            || (found && inside(*found));
    });
    return boxes;
}

/// Returns the boxes around `box`, whose first node is `first`, outermost first.
std::vector<layout::Subject> boxesAround(const layout::Outline &outline, const layout::Subject &box, ir::NodeId first)
{
    std::vector<layout::Subject> boxes = layout::enclosing(outline, first);
    boxes.erase(std::ranges::find(boxes, box), boxes.end());
    return boxes;
}

std::optional<layout::Subject> maker(const ir::ValueRef &value)
{
    if (const auto node = value.producer())
        return node->id();
    if (std::holds_alternative<ir::RegionInput>(value->definition))
        return layout::InputSubject{value};
    for (const ir::Use &use : value->uses)
        if (const auto *node = std::get_if<ir::NodeId>(&use))
            return *node;
    return {};
}

ir::ScopeId regionScope(const ir::Graph &graph, ir::RegionId region)
{
    const auto owner = graph.at(region).owner;
    return owner ? graph.at(*owner).scope : ir::ScopeId{};
}

} // namespace

Selection toSelection(const layout::Subject &subject)
{
    return std::visit([](const auto &s) { return Selection(s); }, subject);
}

bool isThere(const ir::Function &function, const Selection &selection)
{
    const ir::Graph &graph = function.graph;
    const auto isRegion = [&](ir::RegionId region) {
        const auto owner = region.index < graph.regionCount() ? graph.at(region).owner : std::nullopt;
        return region == ir::Graph::body || (owner && !graph.at(*owner).removed);
    };
    const auto isValue = [&](ir::ValueId value) {
        return value.index < graph.valueCount()
            && !std::holds_alternative<ir::NoDefinition>(graph.at(value).definition);
    };
    const auto isNode = [&](ir::NodeId node) { return node.index < graph.nodeCount() && !graph.at(node).removed; };
    return std::visit(Overloaded{[](std::monostate) { return true; }, isNode, isRegion,
                                 [&](ir::ValueId value) {
                                     const auto made = isValue(value) ? maker({graph, value}) : std::nullopt;
                                     const auto *node = made ? std::get_if<ir::NodeId>(&*made) : nullptr;
                                     return made && (!node || isNode(*node));
                                 },
                                 [&](const layout::InputSubject &input) { return isValue(input.value); },
                                 [&](const layout::OutputSubject &output) {
                                     return isRegion(output.region)
                                         && output.index < graph.at(output.region).outputs.size();
                                 },
                                 [&](const auto &box) { return isRegion(box.region); }},
                      selection);
}

std::optional<layout::Subject> subjectOf(const ir::Function &function, const Selection &selection)
{
    using Found = std::optional<layout::Subject>;
    return std::visit(Overloaded{[](std::monostate) { return Found{}; },
                                 [&](ir::ValueId value) { return maker({function.graph, value}); },
                                 [&](const layout::ScopeSubject &module) {
                                     const auto node = onlyNodeIn(function, module);
                                     return node ? Found(*node) : Found(module);
                                 },
                                 [](const auto &box) { return Found(box); }},
                      selection);
}

std::vector<layout::Subject> enclosingBoxes(const ir::Function &function, const layout::Outline &outline,
                                            const layout::Subject &subject)
{
    const ir::Graph &graph = function.graph;
    return std::visit(
        Overloaded{[&](ir::NodeId node) { return layout::enclosing(outline, node); },
                   [&](const layout::ScopeSubject &module) { return enclosingModule(function, outline, module); },
                   [&](ir::RegionId region) { return enclosingRegion(graph, outline, region); },
                   [&](const layout::OutputSubject &output) { return insideRegion(graph, outline, output.region); },
                   [&](const layout::InputSubject &input) {
                       const auto *in = std::get_if<ir::RegionInput>(&graph.at(input.value).definition);
                       return in ? insideRegion(graph, outline, in->region) : std::vector<layout::Subject>{};
                   },
                   [&](const layout::FoundSubject &part) { return boxesAround(outline, part, part.first); },
                   [&](const auto &part) { // a group of modules, or the plumbing of a module
                       if constexpr (requires { part.first.has_value(); })
                           if (part.first)
                               return boxesAround(outline, part, *part.first);
                       const layout::ScopeSubject around{part.scope, part.region};
                       std::vector<layout::Subject> boxes = enclosingModule(function, outline, around);
                       if (part.scope != ir::ScopeId{})
                           boxes.emplace_back(around);
                       return boxes;
                   }},
        subject);
}

ir::ScopeId scopeOf(const ir::Function &function, const Selection &selection)
{
    const ir::Graph &graph = function.graph;
    if (const auto *module = std::get_if<layout::ScopeSubject>(&selection))
        return module->scope;
    const auto subject = subjectOf(function, selection);
    if (!subject)
        return {};
    return std::visit(Overloaded{[&](ir::NodeId node) { return graph.at(node).scope; },
                                 [](const auto &part) { return part.scope; },
                                 [&](ir::RegionId region) { return regionScope(graph, region); },
                                 [&](const layout::OutputSubject &out) { return regionScope(graph, out.region); },
                                 [&](const layout::InputSubject &input) {
                                     const auto *in = std::get_if<ir::RegionInput>(&graph.at(input.value).definition);
                                     return in ? regionScope(graph, in->region) : ir::ScopeId{};
                                 }},
                      *subject);
}

std::vector<ir::ScopeId> chainTo(const ir::Context &context, ir::ScopeId scope)
{
    std::vector<ir::ScopeId> chain;
    for (; scope != ir::ScopeId{}; scope = context.at(scope).parent)
        chain.push_back(scope);
    std::ranges::reverse(chain);
    return chain;
}

std::optional<ir::TensorId> largestWeight(const ir::Model &model, const ir::NodeRef &node)
{
    std::optional<ir::TensorId> largest;
    std::int64_t most = -1;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) {
            const auto weight = ir::ValueRef(node.graph(), value).weight();
            if (!weight || weight->index >= model.tensors.size())
                return;
            if (const std::int64_t count = ir::elementCount(model.at(*weight)).value_or(0); count > most) {
                most = count;
                largest = weight;
            }
        });
    return largest;
}

} // namespace cutaway::views
