// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/saved_subject.h"

#include "core/base/overloaded.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cutaway::desktop {
namespace {

using Kind = SavedSubject::Kind;
using views::Selection;

constexpr std::array<std::string_view, 9> kindNames{"node",  "module",   "region", "input", "output",
                                                    "group", "plumbing", "value",  "found"};

SavedSubject ofModule(const ir::Function &function, Kind kind, ir::ScopeId scope, ir::RegionId region)
{
    const ir::Context &context = function.graph.context();
    const ir::Scope &module = context.at(scope);
    return {kind, std::string(context.text(module.path)), {}, module.call, region.index};
}

SavedSubject ofValue(const ir::Function &function, Kind kind, ir::ValueId value)
{
    return {kind, std::string(ir::ValueRef(function.graph, value).name()), {}, value.index};
}

/// Returns the module call with the saved path and number; the root has the path "". Returns nothing if there is none.
std::optional<ir::ScopeId> scopeNamed(const ir::Context &context, const SavedSubject &saved)
{
    for (std::uint32_t i = 0; i < context.scopeCount(); ++i)
        if (const ir::Scope &scope = context.at(ir::ScopeId{i});
            context.text(scope.path) == saved.name && scope.call == saved.id)
            return ir::ScopeId{i};
    return {};
}

std::optional<ir::NodeId> nodeNamed(const ir::Graph &graph, const SavedSubject &saved)
{
    const auto isIt = [&](std::uint32_t i) {
        const ir::NodeRef node(graph, {i});
        return !node->removed && node.name() == saved.name && node.fullName() == saved.op;
    };
    if (saved.id < graph.nodeCount() && isIt(saved.id))
        return ir::NodeId{saved.id};
    std::optional<ir::NodeId> only;
    for (std::uint32_t i = 0; i < graph.nodeCount() && !saved.name.empty(); ++i)
        if (isIt(i)) {
            if (only)
                return {};
            only = ir::NodeId{i};
        }
    return only;
}

std::optional<ir::ValueId> valueNamed(const ir::Graph &graph, const SavedSubject &saved)
{
    const auto isIt = [&](std::uint32_t i) { return ir::ValueRef(graph, {i}).name() == saved.name; };
    if (saved.id < graph.valueCount() && isIt(saved.id))
        return ir::ValueId{saved.id};
    for (std::uint32_t i = 0; i < graph.valueCount() && !saved.name.empty(); ++i)
        if (isIt(i))
            return ir::ValueId{i};
    return {};
}

/// Returns the selection that `saved` names. It does not check that the function has a group, part, region or output.
std::optional<Selection> named(const ir::Function &function, const SavedSubject &saved)
{
    using Found = std::optional<Selection>;
    const ir::RegionId region{saved.region};
    const auto inScope = [&](auto make) {
        const auto scope = scopeNamed(function.graph.context(), saved);
        return scope ? Found(make(*scope)) : Found();
    };
    switch (saved.kind) {
    case Kind::Node:
        return nodeNamed(function.graph, saved);
    case Kind::Module:
        return inScope([&](ir::ScopeId scope) { return layout::ScopeSubject{scope, region}; });
    case Kind::Group:
        return inScope([&](ir::ScopeId scope) { return layout::GroupSubject{scope, region, saved.first, saved.last}; });
    case Kind::Plumbing:
        return inScope([&](ir::ScopeId scope) { return layout::PlumbingSubject{scope, region}; });
    case Kind::Found:
        return inScope([&](ir::ScopeId scope) {
            return layout::FoundSubject{scope,       region,     ir::NodeId{saved.first}, ir::NodeId{saved.last},
                                        saved.level, saved.times};
        });
    case Kind::Region:
        return ir::RegionId{saved.id};
    case Kind::Output:
        return layout::OutputSubject{saved.id, region};
    case Kind::Input:
        return valueNamed(function.graph, saved).transform([](ir::ValueId id) {
            return Selection(layout::InputSubject{id});
        });
    case Kind::Value:
        return valueNamed(function.graph, saved);
    }
    return {};
}

} // namespace

std::optional<SavedSubject> savedSubject(const ir::Function &function, const Selection &selection)
{
    using Saved = std::optional<SavedSubject>;
    return std::visit(Overloaded{[](std::monostate) { return Saved(); },
                                 [&](ir::NodeId id) {
                                     const ir::NodeRef node(function.graph, id);
                                     return Saved({Kind::Node, std::string(node.name()), node.fullName(), id.index});
                                 },
                                 [&](const layout::ScopeSubject &module) {
                                     return Saved(ofModule(function, Kind::Module, module.scope, module.region));
                                 },
                                 [](ir::RegionId region) { return Saved({Kind::Region, {}, {}, region.index}); },
                                 [&](const layout::InputSubject &input) {
                                     return Saved(ofValue(function, Kind::Input, input.value));
                                 },
                                 [](const layout::OutputSubject &output) {
                                     return Saved({Kind::Output, {}, {}, output.index, output.region.index});
                                 },
                                 [&](const layout::GroupSubject &group) {
                                     SavedSubject saved = ofModule(function, Kind::Group, group.scope, group.region);
                                     saved.first = group.first;
                                     saved.last = group.last;
                                     return Saved(saved);
                                 },
                                 [&](const layout::FoundSubject &part) {
                                     SavedSubject saved = ofModule(function, Kind::Found, part.scope, part.region);
                                     saved.first = part.first.index;
                                     saved.last = part.last.index;
                                     saved.level = part.level;
                                     saved.times = part.times;
                                     return Saved(saved);
                                 },
                                 [&](const layout::PlumbingSubject &part) {
                                     return Saved(ofModule(function, Kind::Plumbing, part.scope, part.region));
                                 },
                                 [&](ir::ValueId value) { return Saved(ofValue(function, Kind::Value, value)); }},
                      selection);
}

std::optional<Selection> found(const ir::Function &function, const SavedSubject &saved)
{
    const auto selection = named(function, saved);
    return selection && views::isThere(function, *selection) ? selection : std::nullopt;
}

void write(JsonWriter &json, const SavedSubject &saved)
{
    const bool isModule = saved.kind == Kind::Module || saved.kind == Kind::Group || saved.kind == Kind::Plumbing
        || saved.kind == Kind::Found;
    json.beginObject();
    json.member("kind", kindNames[std::size_t(saved.kind)]);
    if (saved.kind != Kind::Region && saved.kind != Kind::Output)
        json.member(isModule ? "path" : "name", saved.name);
    if (saved.kind == Kind::Node)
        json.member("op", saved.op);
    json.member(saved.kind == Kind::Output ? "index" : isModule ? "call" : "id", saved.id);
    if (isModule || saved.kind == Kind::Output)
        json.member("region", saved.region);
    if (saved.kind == Kind::Group || saved.kind == Kind::Found) {
        json.member("first", saved.first);
        json.member("last", saved.last);
    }
    if (saved.kind == Kind::Found) {
        json.member("level", saved.level);
        json.member("times", saved.times);
    }
    json.endObject();
}

SavedSubject readSubject(ir::JsonReader &reader, const ir::Json &json)
{
    constexpr std::size_t any = std::numeric_limits<std::uint32_t>::max();
    SavedSubject saved;
    const std::string kind = reader.text(json, "kind");
    const auto known = std::ranges::find(kindNames, std::string_view(kind));
    if (reader.failed())
        return saved;
    if (known == kindNames.end()) {
        reader.failWith("'" + kind + "' is nothing that a session has");
        return saved;
    }
    saved.kind = static_cast<Kind>(known - kindNames.begin());
    saved.name = reader.text(json, json.contains("path") ? "path" : "name");
    saved.op = reader.text(json, "op");
    for (const char *key : {"id", "call", "index"})
        if (json.contains(key))
            saved.id = reader.index(json, key, any, "things");
    saved.region = reader.index(json, "region", any, "regions");
    saved.first = reader.index(json, "first", any, "things");
    saved.last = reader.index(json, "last", any, "things");
    saved.level = reader.index(json, "level", any, "parts");
    saved.times = reader.index(json, "times", any, "blocks");
    return saved;
}

} // namespace cutaway::desktop
