// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/marks.h"

#include "core/diff/step_difference.h"
#include "core/layout/outline.h"

#include <algorithm>
#include <map>

namespace cutaway::layout {

namespace {

using OfBox = Marks::OfBox;

constexpr double badgeHeight = 14;
constexpr double badgePadding = 5;
constexpr std::size_t mostOpened = 40; ///< boxes; a pass that changes everything is looked at from afar

std::set<ir::ValueId> readBy(const ir::Graph &graph, ir::NodeId node)
{
    std::set<ir::ValueId> values;
    for (const ir::Argument &argument : graph.at(node).arguments)
        forEachValue(argument.value, [&](ir::ValueId value) { values.insert(value); });
    return values;
}

void setMarks(std::vector<Mark> &marks, const std::vector<ir::NodeId> &nodes, Mark mark)
{
    for (const ir::NodeId node : nodes)
        marks[node.index] = mark;
}

void count(OfBox &box, Mark mark)
{
    box.added += mark == Mark::Added ? 1 : 0;
    box.removed += mark == Mark::Removed ? 1 : 0;
    box.changed += mark == Mark::Changed ? 1 : 0;
}

/// Counts up the tree, from the leaves; by part.
std::vector<OfBox> countsOf(const Outline &outline, const NodeMarks &nodes)
{
    std::vector<OfBox> counts(outline.parts.size());
    for (std::size_t i = outline.parts.size(); i-- > 0;) {
        const Part &part = outline.parts[i];
        if (const auto *node = std::get_if<ir::NodeId>(&part.subject))
            count(counts[i], nodes.of(*node));
        if (i == 0)
            break;
        OfBox &around = counts[part.parent];
        around.added += counts[i].added;
        around.removed += counts[i].removed;
        around.changed += counts[i].changed;
    }
    return counts;
}

Mark markOf(const Part &part, const OfBox &counts, const NodeMarks &nodes)
{
    if (const auto *node = std::get_if<ir::NodeId>(&part.subject))
        if (const Mark own = nodes.of(*node); own != Mark::None)
            return own;
    if (part.nodes == 0)
        return Mark::None;
    if (counts.added == part.nodes)
        return Mark::Added;
    if (counts.removed == part.nodes)
        return Mark::Removed;
    return counts.added + counts.removed + counts.changed > 0 ? Mark::Changed : Mark::None;
}

/// Adding or removing one end is adding or removing the line; between two nodes that stay, what is read may differ.
Mark markOf(const Edge &edge, const Diagram &diagram, const Marks &marks, const NodeMarks &nodes)
{
    for (const std::uint32_t end : {edge.from, edge.to})
        if (const Mark mark = marks.boxes[end].mark; mark == Mark::Added || mark == Mark::Removed)
            return mark;
    const auto *reader = std::get_if<ir::NodeId>(&diagram.boxes[edge.to].subject);
    if (!reader)
        return Mark::None;
    const auto all = [&](const std::set<NodeMarks::Read> &reads) {
        return std::ranges::all_of(edge.values, [&](ir::ValueId value) { return reads.contains({value, *reader}); });
    };
    return all(nodes.added) ? Mark::Added : all(nodes.removed) ? Mark::Removed : Mark::None;
}

} // namespace

NodeMarks marksBetween(const ir::Graph &before, const ir::Graph &after)
{
    const diff::StepDifference difference = diff::stepDifference(before, after);
    NodeMarks marks{.nodes = std::vector<Mark>(after.nodeCount(), Mark::None), .added = {}, .removed = {}};
    setMarks(marks.nodes, difference.added, Mark::Added);
    setMarks(marks.nodes, difference.removed, Mark::Removed);
    setMarks(marks.nodes, difference.changed, Mark::Changed);
    for (const ir::NodeId node : difference.changed) {
        const std::set<ir::ValueId> was = readBy(before, node), is = readBy(after, node);
        for (const ir::ValueId value : is)
            if (!was.contains(value))
                marks.added.emplace(value, node);
        for (const ir::ValueId value : was)
            if (!is.contains(value))
                marks.removed.emplace(value, node);
    }
    return marks;
}

ir::Model bothStates(const ir::Model &before, const ir::Model &after, ir::FunctionId function)
{
    ir::Model both = after;
    both.functions[function.index].graph.restore(before.at(function).graph);
    return both;
}

Marks marksOf(const Diagram &diagram, const ir::Function &function, const NodeMarks &nodes)
{
    const Outline outline = outlineOf(function, false);
    const std::vector<OfBox> counts = countsOf(outline, nodes);
    std::map<Subject, OfBox> known;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (const Mark mark = markOf(outline.parts[i], counts[i], nodes); mark != Mark::None) {
            OfBox box = counts[i];
            box.mark = mark;
            known.emplace(outline.parts[i].subject, box);
        }
    Marks marks;
    for (const Box &box : diagram.boxes) {
        const auto found = known.find(box.subject);
        marks.boxes.push_back(found == known.end() ? OfBox{} : found->second);
    }
    for (const Edge &edge : diagram.edges)
        marks.edges.push_back(markOf(edge, diagram, marks, nodes));
    return marks;
}

Expansion withMarkedShown(Expansion expansion, const ir::Model &model, ir::FunctionId function, const NodeMarks &nodes)
{
    const Outline outline = outlineOf(model.at(function), false);
    std::size_t opened = 0;
    for (std::uint32_t node = 0; node < nodes.nodes.size() && opened < mostOpened; ++node) {
        if (nodes.nodes[node] == Mark::None || node >= outline.partOfNode.size())
            continue;
        for (std::uint32_t part = outline.parts[outline.partOfNode[node]].parent; part != 0;
             part = outline.parts[part].parent)
            opened += expansion.open.insert(outline.parts[part].subject).second ? 1 : 0;
    }
    return expansion;
}

std::string badgeText(const Box &box, const Marks::OfBox &marks)
{
    if (box.kind == Box::Kind::Node && !box.open)
        switch (marks.mark) {
        case Mark::Added:
            return "+";
        case Mark::Removed:
            return "−";
        case Mark::Changed:
            return "~";
        case Mark::None:
            return {};
        }
    std::string text;
    const std::pair<const char *, std::uint32_t> counts[] = {
        {"+", marks.added}, {"−", marks.removed}, {"~", marks.changed}};
    for (const auto &[sign, count] : counts)
        if (count > 0)
            text += (text.empty() ? "" : " ") + std::string(sign) + std::to_string(count);
    return text;
}

Rect badgeRect(const Box &box, double textWidth)
{
    const double width = std::max(textWidth + 2 * badgePadding, badgeHeight);
    return {box.rect.right() - width - badgePadding, box.rect.y - badgeHeight / 2, width, badgeHeight};
}

} // namespace cutaway::layout
