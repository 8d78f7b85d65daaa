// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/expansion.h"

#include "core/ir/node_ref.h"
#include "core/layout/outline.h"

#include <algorithm>
#include <map>
#include <string>

namespace cutaway::layout {

namespace {

bool isRegion(const Part &part) { return std::holds_alternative<ir::RegionId>(part.subject); }

/// Returns the number of boxes that opening a part adds: those of its regions count, those of plumbing do not.
std::size_t boxesWithin(const Outline &outline, std::uint32_t part)
{
    std::size_t count = 0;
    forEachChild(outline, part, [&](std::uint32_t child) {
        count += (isPlumbing(outline.parts[child]) ? 0 : 1)
            + (isRegion(outline.parts[child]) ? outline.parts[child].working : 0);
    });
    return count;
}

/// Appends the parts that become visible when a part is opened.
void collectWithin(const Outline &outline, std::uint32_t part, std::vector<std::uint32_t> &out)
{
    forEachChild(outline, part, [&](std::uint32_t child) {
        if (isRegion(outline.parts[child]))
            forEachChild(outline, child, [&](std::uint32_t inner) { out.push_back(inner); });
        else
            out.push_back(child);
    });
}

bool isFound(const Part &part) { return std::holds_alternative<FoundSubject>(part.subject); }

/// Whether a part is a module: one that the file has, or one that was found.
bool isModule(const Part &part) { return std::holds_alternative<ScopeSubject>(part.subject) || isFound(part); }

/// Whether a part is a module that contains one other part, plumbing aside.
bool isWrapper(const Part &part) { return isModule(part) && part.working == 1; }

/// Whether a part is a module that contains only nodes and plumbing.
bool isLeaf(const Outline &outline, std::uint32_t part)
{
    bool isPlain = isModule(outline.parts[part]);
    forEachChild(outline, part, [&](std::uint32_t child) {
        const Part &inside = outline.parts[child];
        isPlain = isPlain && (std::holds_alternative<ir::NodeId>(inside.subject) || isPlumbing(inside));
    });
    return isPlain;
}

/// Returns the largest number of boxes that a diagram may have once the part is opened. The nodes of a module without
/// submodules are wanted least, so they get half of the budget once the diagram shows enough other boxes.
std::size_t budgetFor(const Outline &outline, std::uint32_t part, std::size_t boxes, std::size_t budget)
{
    constexpr std::size_t few = 4; ///< a picture of less than a quarter of the budget shows nothing yet
    return isLeaf(outline, part) && boxes > budget / few ? budget / 2 : budget;
}

/// Returns a text that is equal for parts that are opened together or not at all, so that equal things look equal.
std::string kindOf(const ir::Graph &graph, const Outline &outline, const Part &part)
{
    if (const auto *node = std::get_if<ir::NodeId>(&part.subject))
        return "node " + ir::NodeRef(graph, *node).fullName();
    if (isFound(part))
        return "found " + outline.found[part.found].kind;
    const auto *scope = std::get_if<ScopeSubject>(&part.subject);
    if (!scope)
        return "group";
    const std::string_view className = graph.context().text(graph.context().at(scope->scope).className);
    return "module " + (className.empty() ? std::to_string(part.children) : std::string(className));
}

/// Whether a level has one module and hardly anything else: closed, it would show nothing.
bool isModuleAlone(const Outline &outline, const std::vector<std::uint32_t> &level)
{
    constexpr std::ptrdiff_t few = 3;
    const auto working = std::ranges::count_if(level, [&](std::uint32_t i) { return !isPlumbing(outline.parts[i]); });
    const auto holders = std::ranges::count_if(
        level, [&](std::uint32_t i) { return outline.parts[i].canOpen() && !isPlumbing(outline.parts[i]); });
    return holders == 1 && working <= few;
}

/// Whether a part is opened if the budget allows it. A repetition stays closed, unless it was found in the graph and
/// its level has hardly anything else.
bool isOpened(const Part &part, bool isAlone)
{
    return part.canOpen() && !isPlumbing(part) && (!part.repeats || (isAlone && isFound(part)));
}

} // namespace

Expansion readableExpansion(const ir::Graph &graph, const Outline &outline, std::size_t boxBudget)
{
    Expansion expansion;
    std::vector<std::uint32_t> level;
    collectWithin(outline, 0, level);
    std::size_t boxes = boxesWithin(outline, 0);
    while (!level.empty()) {
        std::map<std::string, std::vector<std::uint32_t>> kinds;
        const bool isAlone = isModuleAlone(outline, level);
        for (const std::uint32_t part : level)
            if (isOpened(outline.parts[part], isAlone))
                kinds[kindOf(graph, outline, outline.parts[part])].push_back(part);
        std::vector<std::pair<std::size_t, std::vector<std::uint32_t>>> costs;
        for (auto &[kind, parts] : kinds) {
            std::size_t cost = 0;
            for (const std::uint32_t part : parts)
                cost += boxesWithin(outline, part);
            costs.emplace_back(cost, std::move(parts));
        }
        std::ranges::stable_sort(costs, {}, [](const auto &entry) { return entry.first; });
        level.clear();
        for (const auto &[cost, parts] : costs) {
            const bool opensThrough =
                std::ranges::all_of(parts, [&](std::uint32_t part) { return isWrapper(outline.parts[part]); });
            if (boxes + cost > budgetFor(outline, parts.front(), boxes, boxBudget) && !opensThrough
                && (!isAlone || outline.parts[parts.front()].repeats))
                continue;
            boxes += cost;
            for (const std::uint32_t part : parts) {
                expansion.open.insert(outline.parts[part].subject);
                collectWithin(outline, part, level);
            }
        }
    }
    return expansion;
}

Expansion readableExpansion(const ir::Model &model, ir::FunctionId function, std::size_t boxBudget)
{
    return readableExpansion(model.at(function).graph, outlineOf(model.at(function), false), boxBudget);
}

Expansion expansionToDepth(const Outline &outline, int depth)
{
    Expansion expansion;
    // Only modules count as levels: groups and regions open together with the part around them. Plumbing stays closed.
    std::vector<int> levels(outline.parts.size(), 0);
    for (std::size_t i = 1; i < outline.parts.size(); ++i) {
        const Part &part = outline.parts[i];
        const bool counts = isModule(part);
        levels[i] = levels[part.parent] + (counts ? 1 : 0);
        if (part.canOpen() && levels[i] <= depth && depth > 0 && !isPlumbing(part))
            expansion.open.insert(part.subject);
    }
    return expansion;
}

Expansion expansionToDepth(const ir::Model &model, ir::FunctionId function, int depth)
{
    return expansionToDepth(outlineOf(model.at(function), false), depth);
}

std::vector<Subject> enclosing(const Outline &outline, ir::NodeId node)
{
    std::vector<Subject> subjects;
    if (node.index >= outline.partOfNode.size())
        return subjects;
    for (std::uint32_t part = outline.parts[outline.partOfNode[node.index]].parent; part != 0;
         part = outline.parts[part].parent)
        subjects.push_back(outline.parts[part].subject);
    std::ranges::reverse(subjects);
    return subjects;
}

} // namespace cutaway::layout
