// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/page/page_data.h"

#include "core/analysis/module_sums.h"
#include "core/base/formatted.h"
#include "core/base/json_writer.h"
#include "core/drawing/colour_scale.h"
#include "core/layout/expansion.h"
#include "core/report/cells.h"
#include "core/report/page/part_sections.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <unordered_map>

namespace cutaway::report {

namespace {

/// A table of distinct texts, in the order in which they were first asked for.
class TextTable {
public:
    std::size_t operator[](std::string text)
    {
        const auto [at, isNew] = m_index.try_emplace(std::move(text), m_texts.size());
        if (isNew)
            m_texts.push_back(&at->first);
        return at->second;
    }
    const std::vector<const std::string *> &all() const { return m_texts; }

private:
    std::unordered_map<std::string, std::size_t> m_index;
    std::vector<const std::string *> m_texts; ///< pointers to the keys of the map, which do not move
};

std::int64_t pixel(double x) { return std::llround(x); }

/// Returns, by part, the number of elements of the parameters that the nodes of the part read, each parameter once.
std::vector<double> parametersOf(const PageStates &states, const layout::Outline &outline)
{
    const ir::Model &model = states.drawn();
    const ir::Graph &graph = states.function().graph;
    const analysis::ParameterReads reads(model, graph);
    std::vector<std::set<ir::TensorId>> seen(outline.parts.size());
    std::vector<double> counts(outline.parts.size());
    for (std::uint32_t i = 0; i < outline.parts.size(); ++i)
        if (const auto *node = std::get_if<ir::NodeId>(&outline.parts[i].subject))
            reads.forEach(graph.at(*node), [&](ir::TensorId tensor) {
                const auto elements = static_cast<double>(ir::elementCount(model.at(tensor)).value_or(0));
                for (std::uint32_t part = i;; part = outline.parts[part].parent) {
                    if (seen[part].insert(tensor).second)
                        counts[part] += elements;
                    if (part == 0)
                        break;
                }
            });
    return counts;
}

class DataWriter {
public:
    DataWriter(const PageStates &states, const layout::Outline &outline, const std::vector<layout::PartPlane> &planes)
        : m_states(states),
          m_outline(outline),
          m_planes(planes),
          m_hasTime(states.first().estimate.has_value()),
          m_hasTimes(states.times().timing() != nullptr)
    {
        m_texts[""];
        for (std::uint32_t i = 0; i < outline.parts.size(); ++i)
            m_partOf.emplace(outline.parts[i].subject, i);
        m_planeOf.resize(outline.parts.size());
        for (std::size_t i = 0; i < planes.size(); ++i)
            m_planeOf[planes[i].part] = i;
        if (states.count() == 1)
            m_parameters = parametersOf(states, outline);
    }

    PageData write()
    {
        m_out.beginObject();
        writeNames();
        writePlanes();
        writeParts();
        writeOpen();
        writeMarks();
        writeOtherLines();
        writePalettes();
        m_out.list("texts", m_texts.all(), [this](const std::string *text) { m_out.value(*text); });
        m_out.endObject();
        return {m_out.take(), m_inspector.take()};
    }

private:
    void writeNames()
    {
        std::vector<std::pair<std::string_view, std::string_view>> figures{{"FLOPs", "FLOP"}, {"memory traffic", "B"}};
        if (m_hasTime)
            figures.emplace_back("least time", "s");
        if (m_hasTimes)
            figures.emplace_back("measured time", "s");
        if (!m_parameters.empty())
            figures.emplace_back("parameters", "");
        m_out.member("colour", m_hasTimes ? (m_hasTime ? 3 : 2) : -1);
        m_out.list("figures", figures, [this](const auto &figure) {
            m_out.beginObject();
            m_out.member("name", figure.first);
            m_out.member("unit", figure.second);
            m_out.endObject();
        });
        m_out.list("states", m_states.titles());
        m_out.member("note", m_states.first().example.note);
    }

    // ---- planes

    void writePlanes()
    {
        TextTable shapes, lines;
        JsonWriter all;
        all.beginArray();
        for (const layout::PartPlane &plane : m_planes) {
            all.beginArray();
            all.value(std::uint64_t{shapes[shapeOf(plane.diagram)]});
            all.value(std::uint64_t{lines[linesOf(plane.diagram)]});
            all.beginArray();
            for (const layout::Box &box : plane.diagram.boxes) {
                const auto part = m_partOf.find(box.subject);
                all.value(part == m_partOf.end() ? std::int64_t{-1} : std::int64_t{part->second});
            }
            all.endArray();
            all.endArray();
        }
        all.endArray();
        m_out.list("shapes", shapes.all(), [this](const std::string *shape) { m_out.raw(*shape); });
        m_out.list("lines", lines.all(), [this](const std::string *each) { m_out.raw(*each); });
        m_out.key("planes");
        m_out.raw(all.text());
    }

    std::string shapeOf(const layout::Diagram &diagram)
    {
        JsonWriter out;
        out.beginArray();
        out.value(pixel(diagram.bounds.width));
        out.value(pixel(diagram.bounds.height));
        out.beginArray();
        for (const layout::Box &box : diagram.boxes)
            for (const std::int64_t number : {pixel(box.rect.x), pixel(box.rect.y), pixel(box.rect.width),
                                              pixel(box.rect.height), formOf(box), std::int64_t(box.category)})
                out.value(number);
        out.endArray();
        out.beginArray();
        for (const layout::Edge &edge : diagram.edges)
            writeEdge(out, edge);
        out.endArray();
        out.endArray();
        return out.take();
    }

    static std::int64_t formOf(const layout::Box &box)
    {
        const auto *found = std::get_if<layout::FoundSubject>(&box.subject);
        const bool isStack = std::holds_alternative<layout::GroupSubject>(box.subject) || (found && found->times > 0);
        return std::int64_t(box.kind) + (isStack ? 8 : 0) + (found ? 16 : 0);
    }

    void writeEdge(JsonWriter &out, const layout::Edge &edge)
    {
        const bool isStub = edge.form == layout::Edge::Form::Stub;
        const layout::Rect label = edge.labelRect ? *edge.labelRect : layout::Rect{};
        out.beginArray();
        for (const std::int64_t number :
             {std::int64_t{edge.from}, std::int64_t{edge.to},
              std::int64_t{(edge.isQuiet ? 1 : 0) + (edge.isBridge ? 2 : 0) + (isStub ? 4 : 0) + (edge.goesOn ? 8 : 0)},
              static_cast<std::int64_t>(edge.labelRect ? m_texts[edge.label] : 0), pixel(label.x),
              pixel(label.center().y)})
            out.value(number);
        std::int64_t x = 0, y = 0;
        for (const layout::Point &point : edge.points) {
            out.value(pixel(point.x) - x);
            out.value(pixel(point.y) - y);
            x = pixel(point.x);
            y = pixel(point.y);
        }
        out.endArray();
    }

    std::string linesOf(const layout::Diagram &diagram)
    {
        JsonWriter out;
        out.beginArray();
        for (const layout::Box &box : diagram.boxes)
            writeLines(out, box);
        out.endArray();
        return out.take();
    }

    void writeLines(JsonWriter &out, const layout::Box &box)
    {
        out.beginArray();
        for (const layout::Line &line : box.lines) {
            out.value(static_cast<int>(line.style));
            out.value(std::uint64_t{m_texts[line.text]});
        }
        out.endArray();
    }

    // ---- parts

    void writeParts()
    {
        TextTable sections;
        m_inspector.beginObject();
        m_inspector.key("parts");
        m_inspector.beginArray();
        m_out.key("parts");
        m_out.beginArray();
        for (std::uint32_t i = 0; i < m_outline.parts.size(); ++i) {
            const PartText text = textOf(m_states, m_outline, i);
            m_out.beginArray();
            m_out.value(m_outline.parts[i].parent);
            m_out.value(std::uint64_t{m_planeOf[i] ? *m_planeOf[i] + 1 : 0});
            m_out.value(std::uint64_t{m_texts[text.name]});
            m_out.value(std::uint64_t{m_texts[text.what]});
            writeFigures(i);
            m_out.endArray();
            m_inspector.beginArray();
            for (const PartSection &section : text.sections)
                m_inspector.value(std::uint64_t{sections[packed(section)]});
            m_inspector.endArray();
        }
        m_out.endArray();
        m_inspector.endArray();
        m_inspector.list("sections", sections.all(), [this](const std::string *section) { m_inspector.raw(*section); });
        m_inspector.endObject();
    }

    void writeFigures(std::uint32_t part)
    {
        const auto *node = std::get_if<ir::NodeId>(&m_outline.parts[part].subject);
        m_out.beginArray();
        if (node) {
            const Material &material = m_states.of(*node);
            const NodeRow &row = m_states.rowOf(*node);
            const request::ExampleSizes &example = material.example;
            write(example.of(row.cost.flops), example.of(row.atLeast.flops));
            write(example.of(bytesMoved(row.cost)), example.of(bytesMoved(row.atLeast)));
            if (m_hasTime)
                write(row.time ? std::optional(row.time->seconds) : std::nullopt, row.secondsAtLeast);
            if (m_hasTimes)
                write(measuredTime(*node));
        } else {
            for (int i = 2 + (m_hasTime ? 1 : 0) + (m_hasTimes ? 1 : 0); i > 0; --i)
                m_out.null();
        }
        if (!m_parameters.empty())
            write(m_parameters[part]);
        m_out.endArray();
    }

    /// Returns the measured time of a node, or the sum over its regions if the node itself was not timed. Nothing if
    /// there is no such time either, e.g. since the node ran within another one.
    std::optional<double> measuredTime(ir::NodeId node) const
    {
        if (const auto seconds = m_states.times().of(node))
            return seconds;
        const ir::Graph &graph = m_states.function().graph;
        std::optional<double> sum;
        for (const ir::RegionId region : graph.at(node).regions)
            for (const ir::NodeId inner : graph.at(region).nodes)
                if (const auto seconds = measuredTime(inner))
                    sum = sum.value_or(0) + *seconds;
        return sum;
    }

    /// Writes a figure. `atLeast`: the lower bound of a number that is not known. For a loop or branch it counts the
    /// nodes inside as often as they certainly run, so it cannot be summed from the parts inside.
    void write(std::optional<double> number, std::optional<double> atLeast)
    {
        if (number || atLeast.value_or(0) == 0)
            return write(number);
        m_out.beginArray();
        write(atLeast);
        m_out.endArray();
    }

    void write(std::optional<double> number)
    {
        if (!number || !std::isfinite(*number))
            m_out.null();
        else if (*number == std::floor(*number) && std::abs(*number) < 1e15)
            m_out.value(static_cast<std::int64_t>(*number));
        else
            m_out.raw(formatted("{:.4g}", *number));
    }

    std::string packed(const PartSection &section)
    {
        JsonWriter out;
        out.beginArray();
        out.value(std::uint64_t{m_texts[section.title]});
        for (const PartRow &row : section.rows)
            for (const std::size_t number :
                 {m_texts[row.key], m_texts[row.text], m_texts[row.type], row.part ? std::size_t{*row.part} + 1 : 0})
                out.value(std::uint64_t{number});
        out.endArray();
        return out.take();
    }

    void writeOpen()
    {
        const layout::Expansion readable = layout::readableExpansion(m_states.function().graph, m_outline);
        m_out.key("open");
        m_out.beginArray();
        for (std::uint32_t i = 1; i < m_outline.parts.size(); ++i)
            if (m_planeOf[i] && readable.isOpen(m_outline.parts[i].subject))
                m_out.value(i);
        m_out.endArray();
    }

    // ---- states

    /// Joins all planes into one diagram, so that the marks of all are looked up once.
    layout::Diagram joined() const
    {
        layout::Diagram all;
        for (const layout::PartPlane &plane : m_planes) {
            const auto first = static_cast<std::uint32_t>(all.boxes.size());
            all.boxes.insert(all.boxes.end(), plane.diagram.boxes.begin(), plane.diagram.boxes.end());
            for (layout::Edge edge : plane.diagram.edges) {
                edge.from += first;
                edge.to += first;
                all.edges.push_back(std::move(edge));
            }
        }
        return all;
    }

    void writeMarks()
    {
        m_out.key("marks");
        m_out.beginArray();
        const layout::Diagram all = m_states.count() > 1 ? joined() : layout::Diagram();
        for (std::size_t state = 0; state < m_states.count() && m_states.count() > 1; ++state)
            writeMarks(layout::marksOf(all, m_states.function().graph, m_outline, m_states.marks(state)));
        m_out.endArray();
    }

    void writeMarks(const layout::Marks &marks)
    {
        JsonWriter boxes, edges;
        boxes.beginArray();
        edges.beginArray();
        std::size_t box = 0, edge = 0;
        for (std::size_t i = 0; i < m_planes.size(); ++i) {
            const layout::Diagram &diagram = m_planes[i].diagram;
            for (std::size_t k = 0; k < diagram.boxes.size(); ++k, ++box)
                if (const auto &mark = marks.boxes[box]; mark != layout::Marks::OfBox())
                    for (const std::size_t number : {i, k, static_cast<std::size_t>(mark.mark),
                                                     m_texts[layout::badgeText(diagram.boxes[k], mark)]})
                        boxes.value(std::uint64_t{number});
            for (std::size_t k = 0; k < diagram.edges.size(); ++k, ++edge)
                if (const auto mark = marks.edges[edge]; mark != layout::Mark::None)
                    for (const std::size_t number : {i, k, static_cast<std::size_t>(mark)})
                        edges.value(std::uint64_t{number});
        }
        boxes.endArray();
        edges.endArray();
        m_out.beginArray();
        m_out.raw(boxes.text());
        m_out.raw(edges.text());
        m_out.endArray();
    }

    void writeOtherLines()
    {
        m_out.key("others");
        m_out.beginArray();
        for (std::size_t state = 0; state < m_states.count() && m_states.count() > 1; ++state) {
            layout::Diagram described = joined();
            m_states.describe(described, state);
            m_out.beginArray();
            writeOtherLines(described.boxes);
            m_out.endArray();
        }
        m_out.endArray();
    }

    /// Writes the lines of each box that has other lines in a state than in its plane. `described`: the boxes of all
    /// planes, with their lines in the state.
    void writeOtherLines(std::span<const layout::Box> described)
    {
        const auto isSame = [](const layout::Line &a, const layout::Line &b) {
            return a.style == b.style && a.text == b.text;
        };
        std::size_t box = 0;
        for (std::size_t i = 0; i < m_planes.size(); ++i)
            for (std::size_t k = 0; k < m_planes[i].diagram.boxes.size(); ++k, ++box) {
                if (std::ranges::equal(m_planes[i].diagram.boxes[k].lines, described[box].lines, isSame))
                    continue;
                m_out.value(std::uint64_t{i});
                m_out.value(std::uint64_t{k});
                writeLines(m_out, described[box]);
            }
    }

    // ---- colours

    void writePalettes()
    {
        m_out.key("palettes");
        m_out.beginObject();
        m_out.key("light");
        writePalette(drawing::lightPalette());
        m_out.key("dark");
        writePalette(drawing::darkPalette());
        m_out.endObject();
    }

    void writePalette(const drawing::Palette &palette)
    {
        constexpr int depths = 6, steps = 24;
        const auto member = [this](std::string_view name, drawing::Rgb rgb) {
            m_out.member(name, drawing::colour(rgb));
        };
        const auto list = [this](std::string_view name, int count, const auto &rgbOf) {
            m_out.key(name);
            m_out.beginArray();
            for (int i = 0; i < count; ++i)
                m_out.value(drawing::colour(rgbOf(i)));
            m_out.endArray();
        };
        const auto shade = [&](int i) { return drawing::scaleColour(double(i) / (steps - 1), palette.dark); };
        m_out.beginObject();
        member("canvas", palette.canvas);
        member("card", palette.card);
        member("cardBorder", palette.cardBorder);
        member("text", palette.text);
        member("muted", palette.mutedText);
        member("edge", palette.edge);
        member("label", palette.edgeLabel);
        member("selection", palette.selection);
        member("input", palette.input);
        member("markText", palette.markText());
        list("fills", depths, [&](int i) { return palette.moduleFill(i); });
        list("borders", depths, [&](int i) { return palette.moduleBorder(i); });
        list("categories", ops::categoryCount, [&](int i) { return palette.category(static_cast<ops::Category>(i)); });
        list("marks", 5, [&](int i) { return palette.mark(static_cast<layout::Mark>(i)); });
        list("scale", steps, shade);
        list("onScale", steps, [&](int i) { return drawing::textOn(shade(i)); });
        m_out.endObject();
    }

    const PageStates &m_states;
    const layout::Outline &m_outline;
    const std::vector<layout::PartPlane> &m_planes;
    const bool m_hasTime, m_hasTimes; ///< whether the figures have the least times on a device, and measured times
    std::map<layout::Subject, std::uint32_t> m_partOf;
    std::vector<std::optional<std::size_t>> m_planeOf; ///< by part
    std::vector<double> m_parameters;                  ///< by part; empty for several states
    TextTable m_texts;
    JsonWriter m_out, m_inspector;
};

/// Escapes `<`, which occurs only in the texts of the JSON, so that no text can end the page's script element.
std::string withoutMarkup(std::string_view json)
{
    std::string out;
    for (const char c : json)
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    return out;
}

} // namespace

PageData pageData(const PageStates &states, const layout::Outline &outline,
                  const std::vector<layout::PartPlane> &planes)
{
    const PageData data = DataWriter(states, outline, planes).write();
    return {withoutMarkup(data.picture), withoutMarkup(data.inspector)};
}

} // namespace cutaway::report
