// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/drawing/svg.h"

#include "core/base/quantity.h"
#include "core/drawing/markup.h"
#include "core/layout/card.h"
#include "core/layout/metrics.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace cutaway::drawing {

namespace {

using namespace layout;

constexpr const char *sansFamilies = "Inter, 'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";
constexpr const char *monospaceFamilies = "'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace";

std::string numberAttribute(const char *name, double x)
{
    return std::string(" ") + name + "=\"" + coordinate(x) + "\"";
}

/// Returns the CSS class of a category: "matrix-product" for "matrix product".
std::string cssClass(ops::Category category)
{
    std::string out(ops::name(category));
    for (char &c : out)
        c = c == ' ' ? '-' : c;
    return out;
}

const char *cssClass(Line::Style style)
{
    constexpr std::array names = {"title", "muted", "detail", "weight"};
    return names[static_cast<std::size_t>(style)];
}

const char *cssClass(Box::Kind kind)
{
    constexpr std::array names = {"node", "module", "region", "input", "output"};
    return names[static_cast<std::size_t>(kind)];
}

const char *cssClass(Mark mark)
{
    constexpr std::array names = {"", "added", "removed", "changed", "absent"};
    return names[static_cast<std::size_t>(mark)];
}

class SvgWriter {
public:
    SvgWriter(const Diagram &diagram, const Look &look)
        : m_diagram(diagram),
          m_palette(*look.palette),
          m_marks(look.marks),
          m_tints(look.tints),
          m_bounds(look.bounds(diagram))
    {
    }

    std::string write()
    {
        begin();
        m_out += "<style>\n";
        style(m_palette);
        m_out += "</style>\n";
        return contents();
    }

    std::string writeForPage(const Palette &dark)
    {
        m_scope = ".diagram ";
        begin();
        m_out += "<style>\n";
        style(m_palette);
        m_out += "@media screen and (prefers-color-scheme: dark) {\n";
        style(dark);
        m_out += "}\n</style>\n";
        return contents();
    }

private:
    std::string contents()
    {
        m_out += "<rect class=\"canvas\"";
        if (m_bounds.x != 0 || m_bounds.y != 0)
            m_out += numberAttribute("x", m_bounds.x) + numberAttribute("y", m_bounds.y);
        m_out += " width=\"100%\" height=\"100%\"/>\n";
        writeBoxes();
        for (std::size_t i = 0; i < m_diagram.edges.size(); ++i)
            if (const Mark mark = m_marks.isEmpty() ? Mark::None : m_marks.edges[i];
                mark != Mark::Absent && isWithin(m_diagram.edges[i]))
                write(m_diagram.edges[i], mark);
        for (std::size_t i = 0; i < m_tints.size() && m_marks.isEmpty(); ++i) // values are written above the lines
            if (m_tints[i] && m_bounds.intersects(m_diagram.boxes[i].rect))
                value(m_diagram.boxes[i], m_tints[i]->value);
        m_out += "</svg>\n";
        return std::move(m_out);
    }

    void writeBoxes()
    {
        for (std::size_t i = 0; i < m_diagram.boxes.size(); ++i) {
            const Marks::OfBox marks = m_marks.isEmpty() ? Marks::OfBox{} : m_marks.boxes[i];
            m_tint = i < m_tints.size() && m_tints[i] ? &*m_tints[i] : nullptr;
            if (marks.mark != Mark::Absent && m_bounds.intersects(m_diagram.boxes[i].rect))
                write(m_diagram.boxes[i], marks);
        }
    }

    /// Whether an edge lies within the part. A cubic curve lies within the convex hull of its points.
    bool isWithin(const Edge &edge) const
    {
        if (edge.points.empty())
            return false;
        const auto [left, right] = std::ranges::minmax(edge.points, {}, &Point::x);
        const auto [top, bottom] = std::ranges::minmax(edge.points, {}, &Point::y);
        return m_bounds.intersects({left.x, top.y, right.x - left.x, bottom.y - top.y})
            || (edge.labelRect && m_bounds.intersects(*edge.labelRect));
    }

    void begin();
    void style(const Palette &palette);
    void markRules(const Palette &palette);
    void write(const Box &box, const Marks::OfBox &marks);
    void badge(const Box &box, const Marks::OfBox &marks);
    void value(const Box &box, const std::string &text);
    void badgeWith(const char *frame, const char *sign, const Rect &rect, const std::string &text);
    std::string frameColour() const;
    std::string textColour() const { return m_tint ? " style=\"fill: " + colour(m_tint->text) + "\"" : ""; }
    void frame(const Box &box);
    void bar(const Box &box);
    void text(const Box &box);
    void write(const Edge &edge, Mark mark);
    void rule(const std::string &selector, const std::string &declarations)
    {
        m_out += m_scope + selector + " { " + declarations + " }\n";
    }

    const Diagram &m_diagram;
    const Palette &m_palette;
    const Marks &m_marks;
    const std::vector<std::optional<Tint>> &m_tints;
    Rect m_bounds;
    const Tint *m_tint = nullptr; ///< the tint of the box that is being written
    std::string m_scope;          ///< prefix of every selector
    std::string m_out;
};

void SvgWriter::begin()
{
    const Rect &b = m_bounds;
    m_out += "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"" + numberAttribute("width", b.width)
        + numberAttribute("height", b.height) + " viewBox=\"" + coordinate(b.x) + " " + coordinate(b.y) + " "
        + coordinate(b.width) + " " + coordinate(b.height) + "\">\n<title>Model graph</title>\n<desc>"
        + std::to_string(m_diagram.boxes.size()) + " boxes, " + std::to_string(m_diagram.edges.size()) + " edges.";
    for (const std::string &note : m_diagram.notes)
        m_out += " " + markup(note) + ".";
    m_out += "</desc>\n<defs><marker id=\"arrow\" orient=\"auto\" markerUnits=\"userSpaceOnUse\""
        + numberAttribute("markerWidth", metrics::arrowLength) + numberAttribute("markerHeight", metrics::arrowWidth)
        + numberAttribute("refX", metrics::arrowLength) + numberAttribute("refY", metrics::arrowWidth / 2)
        + "><path d=\"M0 0L" + coordinate(metrics::arrowLength) + " " + coordinate(metrics::arrowWidth / 2) + "L0 "
        + coordinate(metrics::arrowWidth) + "Z\" class=\"arrowhead\"/></marker>";
    if (!m_tints.empty())
        m_out += "<pattern id=\"unknown\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\">"
                 "<path d=\"M-1 1L1 -1M0 6L6 0M5 7L7 5\" class=\"hatch\"/></pattern>";
    m_out += "</defs>\n";
}

void SvgWriter::style(const Palette &palette)
{
    const auto fill = [](Rgb c) { return "fill: " + colour(c) + ";"; };
    const auto stroke = [](Rgb c) { return "stroke: " + colour(c) + ";"; };
    const auto font = [](double size, const char *families) {
        return " font: " + coordinate(size) + "px " + families + ";";
    };
    rule(".canvas", fill(palette.canvas));
    rule("text", "white-space: pre;");
    rule(".title", fill(palette.text) + font(metrics::titleFont, sansFamilies) + " font-weight: 500;");
    rule(".muted", fill(palette.mutedText) + font(metrics::smallFont, sansFamilies) + " font-weight: 400;");
    rule(".detail", fill(palette.text) + font(metrics::smallFont, sansFamilies));
    rule(".weight", fill(palette.mutedText) + font(metrics::smallFont, monospaceFamilies));
    rule(".label", fill(palette.edgeLabel) + font(metrics::smallFont, monospaceFamilies));
    rule(".node > .frame", fill(palette.card) + " " + stroke(palette.cardBorder));
    for (const char *pill : {".input > .frame", ".output > .frame"})
        rule(pill, fill(palette.input) + " " + stroke(palette.cardBorder));
    rule(".arrowhead", fill(palette.edge));
    rule(".edge > path", "fill: none; stroke-width: 1.2; " + stroke(palette.edge));
    rule(".stub > path", "stroke-dasharray: 3 3;");
    rule(".bridge > path", "stroke-dasharray: 1.5 3;");
    rule(".quiet > path", "opacity: 0.4;");
    std::set<int> depths;
    std::set<ops::Category> categories;
    for (const Box &box : m_diagram.boxes) {
        depths.insert(box.depth);
        categories.insert(box.category);
    }
    for (const int depth : depths)
        rule(".depth-" + std::to_string(depth) + " > .frame",
             fill(palette.moduleFill(depth)) + " " + stroke(palette.moduleBorder(depth)));
    for (const ops::Category category : categories)
        rule("." + cssClass(category) + " > .bar", fill(palette.category(category)));
    if (!m_marks.isEmpty())
        markRules(palette);
    if (m_tints.empty())
        return;
    rule(".hatch", "fill: none; stroke-width: 0.8; " + stroke(palette.mutedText));
    rule(".value", fill(palette.card) + " " + stroke(palette.cardBorder));
    rule(".amount", fill(palette.text) + font(metrics::smallFont, sansFamilies));
}

void SvgWriter::markRules(const Palette &palette)
{
    for (const Mark mark : {Mark::Added, Mark::Removed, Mark::Changed}) {
        const std::string name = std::string(".") + cssClass(mark), of = colour(palette.mark(mark));
        rule(name + " > .frame", "stroke: " + of + "; stroke-width: 1.5;");
        rule(name + " > .badge", "fill: " + of + ";");
        rule(".edge" + name + " > path", "stroke: " + of + ";");
    }
    rule(".removed > .frame, " + m_scope + ".edge.removed > path", "stroke-dasharray: 4 3;");
    rule(".sign",
         "fill: " + colour(palette.markText()) + "; font: " + coordinate(metrics::smallFont) + "px " + sansFamilies
             + "; font-weight: 600;");
}

/// Whether a box contains others: a module, a branch, or a node with its branches.
bool isHolder(const Box &box) { return box.open || box.kind == Box::Kind::Module || box.kind == Box::Kind::Region; }

void SvgWriter::write(const Box &box, const Marks::OfBox &marks)
{
    m_out += std::string("<g class=\"") + cssClass(box.kind);
    if (isHolder(box))
        m_out += " depth-" + std::to_string(box.depth);
    if (box.kind == Box::Kind::Node)
        m_out += " " + cssClass(box.category);
    if (marks.mark != Mark::None && !box.open)
        m_out += std::string(" ") + cssClass(marks.mark);
    m_out += "\">";
    std::string tip;
    for (const Line &line : box.lines)
        tip += (tip.empty() ? "" : "\n") + line.text;
    m_out += "<title>" + markup(tip) + "</title>";
    frame(box);
    if (box.kind == Box::Kind::Node)
        bar(box);
    text(box);
    if (!box.open)
        badge(box, marks);
    m_out += "</g>\n";
}

void SvgWriter::badge(const Box &box, const Marks::OfBox &marks)
{
    const std::string sign = badgeText(box, marks);
    if (sign.empty())
        return;
    badgeWith("badge", "sign", badgeRect(box, approximateTextWidth(sign, Line::Style::Title)), sign);
}

/// Writes `text`, the amount of a box, in the position of a badge, unless it is wider than the box.
void SvgWriter::value(const Box &box, const std::string &text)
{
    const Rect rect = badgeRect(box, approximateTextWidth(text, Line::Style::Muted));
    if (!text.empty() && rect.width <= box.rect.width)
        badgeWith("value", "amount", rect, text);
}

void SvgWriter::badgeWith(const char *frame, const char *sign, const Rect &rect, const std::string &text)
{
    m_out += std::string("<rect class=\"") + frame + "\"" + numberAttribute("x", rect.x) + numberAttribute("y", rect.y)
        + numberAttribute("width", rect.width) + numberAttribute("height", rect.height)
        + numberAttribute("rx", rect.height / 2) + "/><text class=\"" + sign + "\""
        + numberAttribute("x", rect.center().x) + numberAttribute("y", rect.center().y + metrics::smallFont * 0.36)
        + " text-anchor=\"middle\">" + markup(text) + "</text>";
}

std::string SvgWriter::frameColour() const
{
    if (!m_tint)
        return {};
    return " style=\"fill: " + (m_tint->fill ? colour(*m_tint->fill) : std::string("url(#unknown)")) + "\"";
}

void SvgWriter::frame(const Box &box)
{
    const bool isPill = box.kind == Box::Kind::Input || box.kind == Box::Kind::Output;
    const double radius = isPill      ? box.rect.height / 2
        : box.kind == Box::Kind::Node ? metrics::cardRadius
                                      : metrics::moduleRadius;
    // A closed group is drawn as a stack.
    const auto *found = std::get_if<FoundSubject>(&box.subject);
    const bool isStack =
        (std::holds_alternative<GroupSubject>(box.subject) || (found && found->times > 0)) && !box.open;
    for (int i = isStack ? metrics::stackSheets : 0; i >= 0; --i) {
        // The offset of half a pixel makes lines of one pixel sharp.
        const double shift = i * metrics::stackStep + 0.5;
        m_out += "<rect class=\"frame\"" + numberAttribute("x", box.rect.x + shift)
            + numberAttribute("y", box.rect.y + shift) + numberAttribute("width", box.rect.width - 1)
            + numberAttribute("height", box.rect.height - 1) + numberAttribute("rx", radius)
            + (i == 0 ? frameColour() : "") + (found ? R"( stroke-dasharray="5 3")" : "") + "/>";
    }
}

void SvgWriter::bar(const Box &box)
{
    const double r = metrics::barWidth;
    const std::string arc = "a" + coordinate(r) + " " + coordinate(r) + " 0 0 0 ";
    m_out += "<path class=\"bar\" d=\"M" + coordinate(box.rect.x + r) + " " + coordinate(box.rect.y) + arc
        + coordinate(-r) + " " + coordinate(r) + "V" + coordinate(box.rect.bottom() - r) + arc + coordinate(r) + " "
        + coordinate(r) + "Z\"/>";
}

void SvgWriter::text(const Box &box)
{
    const std::vector<PlacedLine> placed = placeLines(box, approximateTextWidth);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const Line &line = box.lines[placed[i].line];
        const bool sameRow = i > 0 && placed[i].origin.y == placed[i - 1].origin.y;
        // Text on the title's row follows it inline, since the viewer's font decides where the title ends.
        if (sameRow)
            m_out.resize(m_out.size() - std::string_view("</text>").size());
        const bool isPill = box.kind == Box::Kind::Input || box.kind == Box::Kind::Output;
        m_out += sameRow ? "<tspan" + numberAttribute("dx", metrics::titleGap)
                         : "<text" + numberAttribute("x", isPill ? box.rect.center().x : placed[i].origin.x)
                + numberAttribute("y", placed[i].origin.y) + (isPill ? " text-anchor=\"middle\"" : "");
        m_out += std::string(" class=\"") + cssClass(line.style) + "\"" + textColour() + ">" + markup(line.text)
            + (sameRow ? "</tspan></text>" : "</text>");
    }
}

void SvgWriter::write(const Edge &edge, Mark mark)
{
    if (edge.points.empty())
        return;
    const bool isStub = edge.form == Edge::Form::Stub;
    m_out += std::string("<g class=\"edge") + (isStub ? " stub" : "") + (edge.isQuiet ? " quiet" : "")
        + (edge.isBridge ? " bridge" : "") + (mark == Mark::None ? "" : std::string(" ") + cssClass(mark)) + "\">";
    m_out += "<title>" + markup(edge.label.empty() ? quantity(edge.values.size(), "value") : edge.label)
        + "</title><path d=\"M" + coordinate(edge.points[0].x) + " " + coordinate(edge.points[0].y);
    for (std::size_t i = 1; i + 2 < edge.points.size(); i += 3) {
        m_out += i == 1 ? "C" : " ";
        for (std::size_t k = i; k < i + 3; ++k)
            m_out += (k > i ? " " : "") + coordinate(edge.points[k].x) + " " + coordinate(edge.points[k].y);
    }
    m_out += edge.goesOn ? "\"/>" : "\" marker-end=\"url(#arrow)\"/>";
    if (edge.labelRect)
        m_out += "<text class=\"label\"" + numberAttribute("x", edge.labelRect->x + metrics::labelPadding)
            + numberAttribute("y", edge.labelRect->center().y + metrics::smallFont * 0.36) + ">" + markup(edge.label)
            + "</text>";
    m_out += "</g>\n";
}

} // namespace

std::string svg(const layout::Diagram &diagram, const Palette &palette, const layout::Marks &marks)
{
    return svg(diagram, Look{.palette = &palette, .marks = marks});
}

std::string svg(const layout::Diagram &diagram, const Look &look) { return SvgWriter(diagram, look).write(); }

std::string svgForPage(const layout::Diagram &diagram, const layout::Marks &marks)
{
    const Look look{.palette = &lightPalette(), .marks = marks};
    return SvgWriter(diagram, look).writeForPage(darkPalette());
}

} // namespace cutaway::drawing
