// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/marks.h"

#include "core/diff/step_difference.h"
#include "core/layout/expansion.h"
#include "core/layout/outline.h"

#include <algorithm>
#include <map>

namespace cutaway::layout {

namespace {

using OfBox = Marks::OfBox;

constexpr double badgeHeight = 14;
constexpr double badgePadding = 5;
/// Limit of boxes to open; a pass that changes everything is shown at a coarse level.
constexpr std::size_t maxOpened = 40;

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

Mark markOf(bool was, bool is)
{
    return was && is ? Mark::None : is ? Mark::Added : was ? Mark::Removed : Mark::Absent;
}

/// Marks the inputs and outputs of the function: a graph that another program wrote may have others than the graph
/// before.
void markEnds(NodeMarks &marks, const ir::Graph &drawn, const ir::Graph &before, const ir::Graph &after)
{
    const auto inputsOf = [](const ir::Graph &graph) {
        const auto &inputs = graph.at(ir::Graph::body).inputs;
        return std::set<ir::ValueId>(inputs.begin(), inputs.end());
    };
    const std::set<ir::ValueId> was = inputsOf(before), is = inputsOf(after);
    for (const ir::Graph *graph : {&drawn, &before})
        for (const ir::ValueId input : graph->at(ir::Graph::body).inputs)
            if (const Mark mark = markOf(was.contains(input), is.contains(input)); mark != Mark::None)
                marks.inputs.emplace(input, mark);
    const auto countIn = [](const ir::Graph &graph) { return graph.at(ir::Graph::body).outputs.size(); };
    for (std::size_t i = 0; i < std::max(countIn(drawn), countIn(before)); ++i)
        marks.outputs.push_back(markOf(i < countIn(before), i < countIn(after)));
}

/// Returns the mark of an input or output of the function; None for other boxes.
Mark markOfEnd(const Subject &subject, const NodeMarks &nodes)
{
    if (const auto *input = std::get_if<InputSubject>(&subject))
        if (const auto found = nodes.inputs.find(input->value); found != nodes.inputs.end())
            return found->second;
    const auto *output = std::get_if<OutputSubject>(&subject);
    return output && output->region == ir::Graph::body && output->index < nodes.outputs.size()
        ? nodes.outputs[output->index]
        : Mark::None;
}

void count(OfBox &box, Mark mark)
{
    box.added += mark == Mark::Added ? 1 : 0;
    box.removed += mark == Mark::Removed ? 1 : 0;
    box.changed += mark == Mark::Changed ? 1 : 0;
    box.absent += mark == Mark::Absent ? 1 : 0;
}

/// Counts the marked nodes of each part, summed from the leaves up.
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
        around.absent += counts[i].absent;
    }
    return counts;
}

/// Returns the mark of a part. A new node around nodes that existed before is Changed, not Added.
Mark markOf(const Part &part, const OfBox &counts)
{
    if (part.nodes == 0)
        return Mark::None;
    if (counts.absent == part.nodes)
        return Mark::Absent;
    if (counts.added == part.nodes - counts.absent)
        return Mark::Added;
    if (counts.removed == part.nodes - counts.absent)
        return Mark::Removed;
    return counts.added + counts.removed + counts.changed > 0 ? Mark::Changed : Mark::None;
}

bool holds(const Outline &outline, std::uint32_t part, ir::NodeId node)
{
    const std::uint32_t at = outline.partOfNode[node.index];
    return at >= part && at < outline.parts[part].end;
}

/// Finds the lines in a picture of several states that neither of the two shown states has, since in neither of them a
/// node at the line's end reads the value.
class AbsentEdges {
public:
    AbsentEdges(const Diagram &diagram, const Outline &outline, const ir::Graph &graph, const NodeMarks &nodes)
        : m_diagram(diagram),
          m_outline(outline),
          m_graph(graph),
          m_nodes(nodes),
          m_any(!nodes.absent.empty() || !nodes.inputs.empty() || std::ranges::contains(nodes.outputs, Mark::Absent)
                || std::ranges::contains(nodes.nodes, Mark::Absent))
    {
        for (std::uint32_t i = 0; m_any && i < outline.parts.size(); ++i)
            m_parts.emplace(outline.parts[i].subject, i);
    }

    bool contains(const Edge &edge) const
    {
        return m_any && !edge.isBridge && !std::ranges::any_of(edge.values, [&](ir::ValueId value) {
                   return std::ranges::any_of(m_graph.at(value).uses,
                                              [&](const ir::Use &use) { return leadsTo(edge, value, use); });
               });
    }

private:
    bool leadsTo(const Edge &edge, ir::ValueId value, const ir::Use &use) const
    {
        const auto *node = std::get_if<ir::NodeId>(&use);
        const auto to = m_parts.find(m_diagram.boxes[edge.to].subject);
        if (!node || to == m_parts.end())
            return true; // a result of the function
        const bool leaves = m_diagram.boxes[edge.from].parent == edge.to;
        return m_nodes.of(*node) != Mark::Absent && !m_nodes.absent.contains({value, *node})
            && holds(m_outline, to->second, *node) != leaves;
    }

    const Diagram &m_diagram;
    const Outline &m_outline;
    const ir::Graph &m_graph;
    const NodeMarks &m_nodes;
    bool m_any;
    std::map<Subject, std::uint32_t> m_parts;
};

/// Returns the mark of a line: that of an end that was added, removed or is absent; between nodes that stay, that of
/// the reads.
Mark markOf(const Edge &edge, const Diagram &diagram, const Marks &marks, const NodeMarks &nodes)
{
    for (const std::uint32_t end : {edge.from, edge.to})
        if (const Mark mark = marks.boxes[end].mark; mark != Mark::None && mark != Mark::Changed)
            return mark;
    const auto *reader = std::get_if<ir::NodeId>(&diagram.boxes[edge.to].subject);
    if (!reader)
        return Mark::None;
    const auto all = [&](const std::set<NodeMarks::Read> &reads) {
        return std::ranges::all_of(edge.values, [&](ir::ValueId value) { return reads.contains({value, *reader}); });
    };
    return all(nodes.added) ? Mark::Added : all(nodes.removed) ? Mark::Removed : Mark::None;
}

NodeMarks nodeMarks(const ir::Graph &before, const ir::Graph &after)
{
    const diff::StepDifference difference = diff::stepDifference(before, after);
    NodeMarks marks;
    marks.nodes.resize(after.nodeCount(), Mark::None);
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

} // namespace

NodeMarks marksBetween(const ir::Graph &before, const ir::Graph &after)
{
    NodeMarks marks = nodeMarks(before, after);
    markEnds(marks, after, before, after);
    return marks;
}

NodeMarks marksWithin(const ir::Graph &drawn, const ir::Graph &before, const ir::Graph &after)
{
    const auto has = [](const ir::Graph &graph, ir::NodeId id) {
        return id.index < graph.nodeCount() && !graph.at(id).removed;
    };
    NodeMarks marks = nodeMarks(before, after);
    marks.nodes.resize(drawn.nodeCount(), Mark::None);
    markEnds(marks, drawn, before, after);
    for (ir::NodeId id{0}; id.index < drawn.nodeCount(); ++id.index) {
        if (!has(before, id) && !has(after, id))
            marks.nodes[id.index] = Mark::Absent;
        else if (!drawn.sharesNode(after, id))
            for (const ir::ValueId value : readBy(drawn, id))
                if (!(has(before, id) && readBy(before, id).contains(value))
                    && !(has(after, id) && readBy(after, id).contains(value)))
                    marks.absent.emplace(value, id);
    }
    return marks;
}

Marks marksOf(const Diagram &diagram, const ir::Graph &graph, const Outline &outline, const NodeMarks &nodes)
{
    const std::vector<OfBox> counts = countsOf(outline, nodes);
    std::map<Subject, OfBox> known;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (const Mark mark = markOf(outline.parts[i], counts[i]); mark != Mark::None) {
            OfBox box = counts[i];
            box.mark = mark;
            known.emplace(outline.parts[i].subject, box);
        }
    Marks marks;
    for (const Box &box : diagram.boxes) {
        const auto found = known.find(box.subject);
        OfBox own = found == known.end() ? OfBox{} : found->second;
        // A box without nodes (an empty branch, an input or output of a loop) gets the mark of the box around it.
        if (own.mark == Mark::None && box.parent && marks.boxes[*box.parent].mark != Mark::Changed)
            own.mark = marks.boxes[*box.parent].mark;
        if (const Mark end = markOfEnd(box.subject, nodes); end != Mark::None)
            own.mark = end;
        marks.boxes.push_back(own);
    }
    const AbsentEdges absent(diagram, outline, graph, nodes);
    for (const Edge &edge : diagram.edges)
        marks.edges.push_back(absent.contains(edge) ? Mark::Absent : markOf(edge, diagram, marks, nodes));
    return marks;
}

Expansion withMarkedShown(Expansion expansion, const Outline &outline, const NodeMarks &nodes)
{
    std::size_t opened = 0;
    for (std::uint32_t node = 0; node < nodes.nodes.size() && opened < maxOpened; ++node) {
        if (nodes.nodes[node] == Mark::None || nodes.nodes[node] == Mark::Absent || node >= outline.partOfNode.size())
            continue;
        for (std::uint32_t part = outline.parts[outline.partOfNode[node]].parent; part != 0;
             part = outline.parts[part].parent)
            opened += expansion.open.insert(outline.parts[part].subject).second ? 1 : 0;
    }
    return expansion;
}

std::string badgeText(const Box &box, const Marks::OfBox &marks)
{
    if (box.kind == Box::Kind::Node && !box.open && marks.added + marks.removed + marks.changed <= 1)
        switch (marks.mark) {
        case Mark::Added:
            return "+";
        case Mark::Removed:
            return "−";
        case Mark::Changed:
            return "~";
        case Mark::Absent:
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
