// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/layout.h"

#include "core/ir/context.h"
#include "core/layout/card.h"
#include "core/layout/columns.h"
#include "core/layout/components.h"
#include "core/layout/describe.h"
#include "core/layout/labels.h"
#include "core/layout/metrics.h"
#include "core/layout/placement.h"
#include "core/layout/ranked.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace cutaway::layout {

namespace {

constexpr double portWidth = 8; ///< width reserved for a line through the border
constexpr double portHeight = 1;

/// Returns everything that the placement of a plane depends on as a key, to find planes that look alike.
std::string keyOf(const Plane &plane)
{
    std::string key;
    const auto add = [&key](auto number) { key.append(reinterpret_cast<const char *>(&number), sizeof number); };
    add(static_cast<std::uint32_t>(plane.vertices.size()));
    add(plane.alignTops);
    for (const PlaneVertex &vertex : plane.vertices) {
        add(static_cast<float>(vertex.size.width));
        add(static_cast<float>(vertex.size.height));
        add(vertex.rank);
        for (const std::vector<double> *ports : {&vertex.topPorts, &vertex.bottomPorts}) {
            add(static_cast<std::uint32_t>(ports->size()));
            for (const double port : *ports)
                add(port);
        }
    }
    for (const PlaneEdge &edge : plane.edges) {
        add(edge.from);
        add(edge.to);
        add(edge.fromPort.value_or(~0U));
        add(edge.toPort.value_or(~0U));
        add(static_cast<float>(edge.labelWidth));
    }
    return key;
}

/// A measure that asks another measure for each text once, since many of a hundred thousand nodes have equal texts.
class MeasureOnce {
public:
    explicit MeasureOnce(const TextMeasure &measure) : m_measure(measure) { }
    double operator()(std::string_view text, Line::Style style) const
    {
        std::string key(1, static_cast<char>(style));
        key += text;
        const auto [known, isNew] = m_known.try_emplace(std::move(key), 0.0);
        if (isNew)
            known->second = m_measure(text, style);
        return known->second;
    }

private:
    const TextMeasure &m_measure;
    mutable std::unordered_map<std::string, double> m_known;
};

class Placer {
public:
    Placer(const ir::Graph &graph, Scene scene, const TextMeasure &measure, const Options &options,
           std::stop_token stop)
        : m_graph(graph),
          m_scene(std::move(scene)),
          m_measure(measure),
          m_options(options),
          m_stop(std::move(stop)),
          m_layouts(m_scene.planes.size()),
          m_edgesOf(m_scene.planes.size()),
          m_content(m_scene.planes.size()),
          m_above(m_scene.planes.size()),
          m_ports(m_scene.planes.size()),
          m_entered(m_scene.planes.size())
    {
        for (std::size_t i = 0; i < m_scene.planes.size(); ++i) {
            const ScenePlane &plane = m_scene.planes[i];
            if (!plane.box)
                continue;
            std::vector<bool> &entered = m_entered[i];
            entered.resize(plane.entries);
            for (const SceneLink &link : plane.links)
                if (const SceneVertex &from = plane.vertices[link.from]; from.kind == SceneVertex::Kind::Entry)
                    entered[from.port] = entered[from.port] || !link.stub;
        }
    }

    Result<Diagram> place();

private:
    /// The entries and exits of an open box with their x, from left to right.
    struct Ports {
        std::vector<double> top;
        std::vector<double> bottom;
        std::vector<std::uint32_t> topOrder; ///< by number of the entry: the index in `top`
        std::vector<std::uint32_t> bottomOrder;
    };

    /// Returns the ports of an open box; a closed box has none.
    const Ports &portsAt(std::uint32_t box) const
    {
        static const Ports none;
        const auto plane = m_scene.planeIn[box];
        return plane ? m_ports[*plane] : none;
    }
    void placePlane(std::uint32_t plane);
    PlaneLayout layoutOf(const Plane &graph) const;
    Plane graphOf(std::uint32_t plane);
    double roomForStubs(std::uint32_t plane) const;
    PlaneVertex vertexOf(const SceneVertex &vertex) const;
    void sizeBox(std::uint32_t plane);
    std::vector<double> portsOf(std::uint32_t plane, SceneVertex::Kind kind, std::vector<std::uint32_t> &order) const;
    bool isOfBranches(std::uint32_t plane) const
    {
        const auto box = m_scene.planes[plane].box;
        return box && m_scene.boxes[*box].kind == Box::Kind::Node;
    }

    void drawPlane(std::uint32_t plane);
    std::vector<std::string> stubLabels(std::uint32_t plane) const;
    std::vector<Point> stubOf(std::uint32_t plane, const SceneLink &link) const;
    void joinBorders(const ScenePlane &plane, const SceneLink &link, std::vector<Point> &points);
    void joinBordersAround(const ScenePlane &plane, const SceneLink &link, std::vector<Point> &points);
    bool goesOn(const ScenePlane &plane, const SceneLink &link) const;
    bool isBesideTitle(const Box &box, double x) const { return x > box.rect.x + headerWidth(box.lines, m_measure); }
    std::string labelOf(const SceneLink &link, std::uint32_t fromBox, std::uint32_t toBox) const;
    std::uint32_t boxOf(std::uint32_t plane, std::uint32_t vertex) const
    {
        return m_scene.planes[plane].vertices[vertex].box;
    }

    const ir::Graph &m_graph;
    Scene m_scene;
    const TextMeasure &m_measure;
    const Options &m_options;
    std::stop_token m_stop;

    std::vector<std::shared_ptr<const PlaneLayout>> m_layouts; ///< by plane; planes that look alike share one
    std::unordered_map<std::string, std::shared_ptr<const PlaneLayout>> m_known; ///< by keyOf()
    std::vector<std::vector<std::uint32_t>> m_edgesOf; ///< by plane and link: the index of its edge, except for stubs
    std::vector<Point> m_content; ///< by plane: its upper left corner, first in its box, finally in the diagram
    std::vector<double> m_above;  ///< by plane: the height of the stubs above m_content
    std::vector<Ports> m_ports;   ///< by plane: the ports of the box around it
    std::vector<std::vector<bool>> m_entered; ///< by plane and entry: whether lines continue inside of the box
    /// The boxes and entries for which the line through the border is drawn already.
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_joined;
    Diagram m_diagram;
};

PlaneVertex Placer::vertexOf(const SceneVertex &vertex) const
{
    switch (vertex.kind) {
    case SceneVertex::Kind::Entry:
        return {.size = {portWidth, portHeight}, .rank = PlaneVertex::Rank::First};
    case SceneVertex::Kind::Exit:
        return {.size = {portWidth, portHeight}, .rank = PlaneVertex::Rank::Last};
    case SceneVertex::Kind::Box:
        break;
    }
    const Rect &rect = m_scene.boxes[vertex.box].rect;
    const Ports &ports = portsAt(vertex.box);
    return {.size = {rect.width, rect.height}, .topPorts = ports.top, .bottomPorts = ports.bottom};
}

/// Returns the graph to lay out, and notes the edge that draws each link. Stubs are not in it: they stand above their
/// readers and move nothing.
Plane Placer::graphOf(std::uint32_t index)
{
    m_edgesOf[index].clear();
    const ScenePlane &plane = m_scene.planes[index];
    Plane graph;
    graph.alignTops = isOfBranches(index);
    for (const SceneVertex &vertex : plane.vertices)
        graph.vertices.push_back(vertexOf(vertex));
    for (const SceneLink &link : plane.links) {
        m_edgesOf[index].push_back(static_cast<std::uint32_t>(graph.edges.size()));
        if (link.stub)
            continue;
        PlaneEdge edge{.from = link.from, .to = link.to};
        if (const std::string label = labelOf(link, boxOf(index, link.from), boxOf(index, link.to)); !label.empty())
            edge.labelWidth = m_measure(label, Line::Style::Weight) + 4 * metrics::labelPadding;
        if (link.fromPort)
            edge.fromPort = portsAt(boxOf(index, link.from)).bottomOrder[*link.fromPort];
        if (link.toPort)
            edge.toPort = portsAt(boxOf(index, link.to)).topOrder[*link.toPort];
        graph.edges.push_back(edge);
    }
    return graph;
}

/// Places a plane, which then determines its box's size; the sizes of the boxes in it are known.
void Placer::placePlane(std::uint32_t index)
{
    const Plane graph = graphOf(index);
    std::shared_ptr<const PlaneLayout> &layout = m_known[keyOf(graph)];
    if (!layout)
        layout = std::make_shared<const PlaneLayout>(layoutOf(graph));
    m_layouts[index] = layout;
    m_above[index] = roomForStubs(index);
    if (m_scene.planes[index].box)
        sizeBox(index);
}

PlaneLayout Placer::layoutOf(const Plane &graph) const
{
    const std::vector<Component> components = componentsOf(graph);
    std::vector<PlaneLayout> layouts;
    for (const Component &component : components) {
        layouts.push_back(placeByRows(component.plane, m_stop));
        if (m_options.columns)
            foldIntoColumns(component.plane, layouts.back());
    }
    return layouts.empty() ? PlaneLayout() : packed(graph, components, layouts);
}

/// Returns the room that stubs need above a plane: between rows there is room for them, above the first there is none.
double Placer::roomForStubs(std::uint32_t index) const
{
    const ScenePlane &plane = m_scene.planes[index];
    const PlaneLayout &layout = *m_layouts[index];
    double missing = 0;
    for (const SceneLink &link : plane.links)
        if (link.stub)
            missing = std::max(missing,
                               metrics::stubRoom
                                   - (layout.centers[link.to].y - vertexOf(plane.vertices[link.to]).size.height / 2));
    return missing;
}

std::vector<double> Placer::portsOf(std::uint32_t plane, SceneVertex::Kind kind,
                                    std::vector<std::uint32_t> &order) const
{
    const std::vector<SceneVertex> &vertices = m_scene.planes[plane].vertices;
    std::vector<std::pair<double, std::uint32_t>> found;
    for (std::size_t i = 0; i < vertices.size(); ++i)
        if (vertices[i].kind == kind)
            found.emplace_back(m_content[plane].x + m_layouts[plane]->centers[i].x, vertices[i].port);
    std::ranges::sort(found);
    std::vector<double> ports;
    order.resize(found.size());
    for (const auto &[x, port] : found) {
        order[port] = static_cast<std::uint32_t>(ports.size());
        ports.push_back(x);
    }
    return ports;
}

/// Sizes an open box to hold its plane and header.
void Placer::sizeBox(std::uint32_t index)
{
    const ScenePlane &plane = m_scene.planes[index];
    Box &box = m_scene.boxes[*plane.box];
    const Size inner{m_layouts[index]->size.width, m_layouts[index]->size.height + m_above[index]};
    const double width = std::ceil(std::max(inner.width + 2 * metrics::boxPadding, headerWidth(box.lines, m_measure)));
    // Lines through the border begin at the header's lower edge and end at the box's lower edge.
    const double top = metrics::headerHeight;
    const double bottom = plane.exits > 0 ? 0 : metrics::boxPadding;
    m_content[index] = {(width - inner.width) / 2, top + m_above[index]};
    box.rect = {0, 0, width, std::ceil(top + inner.height + bottom)};
    Ports &ports = m_ports[index];
    ports.top = portsOf(index, SceneVertex::Kind::Entry, ports.topOrder);
    ports.bottom = portsOf(index, SceneVertex::Kind::Exit, ports.bottomOrder);
}

std::string Placer::labelOf(const SceneLink &link, std::uint32_t fromBox, std::uint32_t toBox) const
{
    const Box &from = m_scene.boxes[fromBox];
    const Box &to = m_scene.boxes[toBox];
    if (from.kind == Box::Kind::Input || to.kind == Box::Kind::Output)
        return {}; // the pill shows the name
    if (to.parent == fromBox || from.parent == toBox)
        return {}; // the edge outside has the label
    if (link.values.size() > 1)
        return std::to_string(link.values.size()) + " values";
    const ir::ValueId value = link.values[0];
    return m_options.knowledge.type ? m_options.knowledge.type(value)
                                    : describeType(m_graph.context(), m_graph.at(value).type);
}

/// Returns a straight segment between two points, without its first point, to append to a curve.
std::array<Point, 3> straight(Point from, Point to)
{
    return {Point{from.x, (2 * from.y + to.y) / 3}, Point{from.x, (from.y + 2 * to.y) / 3}, to};
}

/// Moves an end of a line exactly to a port. Without this it lies slightly beside the port, since boxes stand on whole
/// pixels.
void snap(std::vector<Point> &points, bool atFront, Point to)
{
    const std::size_t end = atFront ? 0 : points.size() - 1;
    const std::size_t control = atFront ? 1 : points.size() - 2;
    points[control] = {points[control].x + to.x - points[end].x, points[control].y + to.y - points[end].y};
    points[end] = to;
}

/// Whether a line continues on the other side of the border at which a link ends.
bool Placer::goesOn(const ScenePlane &plane, const SceneLink &link) const
{
    return plane.vertices[link.to].kind == SceneVertex::Kind::Exit
        || (link.toPort && m_entered[*m_scene.planeIn[plane.vertices[link.to].box]][*link.toPort]);
}

/// Extends a link's lines to the borders of open boxes. Where they would cross a title they pass behind it.
void Placer::joinBorders(const ScenePlane &plane, const SceneLink &link, std::vector<Point> &points)
{
    if (points.size() < 4)
        return;
    const auto boxAt = [&](std::uint32_t vertex) { return plane.vertices[vertex].box; };
    if (link.fromPort && !link.stub) {
        const Ports &ports = portsAt(boxAt(link.from));
        const double x = m_scene.boxes[boxAt(link.from)].rect.x + ports.bottom[ports.bottomOrder[*link.fromPort]];
        snap(points, true, {x, points.front().y});
    }
    if (link.toPort) {
        const Ports &ports = portsAt(boxAt(link.to));
        const double x = m_scene.boxes[boxAt(link.to)].rect.x + ports.top[ports.topOrder[*link.toPort]];
        if (link.stub) {
            std::ranges::for_each(points, [&](Point &point) { point.x = x; });
        } else {
            snap(points, false, {x, points.back().y});
            if (const Box &box = m_scene.boxes[boxAt(link.to)]; goesOn(plane, link) && !isBesideTitle(box, x))
                std::ranges::copy(straight(points.back(), {x, box.rect.y + metrics::titleInset}),
                                  std::back_inserter(points));
        }
    }
    if (plane.box)
        joinBordersAround(plane, link, points);
}

/// Extends the lines of a link that come into the plane through the border of the box around it, or leave through it.
void Placer::joinBordersAround(const ScenePlane &plane, const SceneLink &link, std::vector<Point> &points)
{
    const Box &box = m_scene.boxes[*plane.box];
    const Ports &ports = portsAt(*plane.box);
    if (const SceneVertex &entry = plane.vertices[link.from]; entry.kind == SceneVertex::Kind::Entry && !link.stub) {
        const double x = box.rect.x + ports.top[ports.topOrder[entry.port]];
        snap(points, true, {x, points.front().y});
        const Point border{x, box.rect.y + (isBesideTitle(box, x) ? 0 : metrics::headerHeight - metrics::titleInset)};
        const auto line = straight(border, points.front());
        if (points.front().y > border.y + 1
            && (m_options.wholeLines || m_joined.insert({*plane.box, entry.port}).second))
            points.insert(points.begin(), {border, line[0], line[1]});
    }
    if (const SceneVertex &exit = plane.vertices[link.to]; exit.kind == SceneVertex::Kind::Exit) {
        snap(points, false, {box.rect.x + ports.bottom[ports.bottomOrder[exit.port]], points.back().y});
        const auto line = straight(points.back(), {points.back().x, box.rect.bottom()});
        if (points.back().y < box.rect.bottom())
            points.insert(points.end(), line.begin(), line.end());
    }
}

/// Returns the label of each stub. If stubs of one reader stand too near to each other for their names, the label has
/// the name of the first one, and how many more there are.
std::vector<std::string> Placer::stubLabels(std::uint32_t index) const
{
    const ScenePlane &plane = m_scene.planes[index];
    struct End {
        std::uint32_t reader = 0;
        double x = 0;
        std::uint32_t stub = 0;
        auto operator<=>(const End &) const = default;
    };
    std::vector<End> ends;
    for (const SceneLink &link : plane.links)
        if (link.stub) {
            const Ports &ports = portsAt(plane.vertices[link.to].box);
            ends.push_back({link.to, link.toPort ? ports.top[ports.topOrder[*link.toPort]] : 0, *link.stub});
        }
    std::ranges::sort(ends);
    ends.erase(std::ranges::unique(ends).begin(), ends.end());
    std::vector<std::string> labels(plane.stubs.size());
    for (std::size_t i = 0; i < ends.size();) {
        const End &first = ends[i];
        std::string &label = labels[first.stub] = "from " + plane.stubs[first.stub].source;
        const double right = first.x + m_measure(label + " + 9", Line::Style::Weight) + 2 * metrics::labelPadding;
        std::size_t links = 0;
        for (; i < ends.size() && ends[i].reader == first.reader && ends[i].x <= right; ++i)
            links += plane.stubs[ends[i].stub].links;
        if (links > 1)
            label += " + " + std::to_string(links - 1);
    }
    return labels;
}

/// Draws a plane, and frees its links and other data that is not read afterwards.
void Placer::drawPlane(std::uint32_t index)
{
    ScenePlane &plane = m_scene.planes[index];
    const PlaneLayout &layout = *m_layouts[index];
    const Point origin = m_content[index];
    for (std::size_t i = 0; i < plane.vertices.size(); ++i) {
        if (plane.vertices[i].kind != SceneVertex::Kind::Box)
            continue;
        Rect &rect = m_scene.boxes[plane.vertices[i].box].rect;
        rect.x = std::round(origin.x + layout.centers[i].x - rect.width / 2);
        rect.y = std::round(origin.y + layout.centers[i].y - rect.height / 2);
        if (const auto inner = m_scene.planeIn[plane.vertices[i].box])
            m_content[*inner] = {m_content[*inner].x + rect.x, m_content[*inner].y + rect.y};
    }
    std::vector<std::string> labels = stubLabels(index);
    for (std::size_t i = 0; i < plane.links.size(); ++i) {
        SceneLink &link = plane.links[i];
        Edge edge{.form = link.stub ? Edge::Form::Stub : Edge::Form::Line,
                  .isQuiet = link.isQuiet,
                  .isBridge = link.isBridge,
                  .goesOn = !link.stub && goesOn(plane, link),
                  .from = boxOf(index, link.from),
                  .to = boxOf(index, link.to)};
        if (link.stub) {
            edge.points = stubOf(index, link);
            edge.label = std::exchange(labels[*link.stub], {}); // the first of several lines has the label
        } else {
            const std::vector<Point> &curve = layout.curves[m_edgesOf[index][i]];
            edge.points.reserve(curve.size());
            for (const Point &point : curve)
                edge.points.push_back({point.x + origin.x, point.y + origin.y});
            edge.label = labelOf(link, edge.from, edge.to);
        }
        joinBorders(plane, link, edge.points);
        edge.points.shrink_to_fit();
        edge.values = std::move(link.values);
        m_diagram.edges.push_back(std::move(edge));
    }
    // Freed here: with a hundred thousand nodes, the data of all planes beside the diagram would be the peak of the
    // window's memory.
    plane.links = {};
    if (index > 0)
        m_layouts[index].reset();
    m_edgesOf[index] = {};
}

/// Returns the curve of a stub: down to the left part of the reader's upper side, or to the port.
std::vector<Point> Placer::stubOf(std::uint32_t index, const SceneLink &link) const
{
    const SceneVertex &vertex = m_scene.planes[index].vertices[link.to];
    const Size size = vertexOf(vertex).size;
    const Point center = m_layouts[index]->centers[link.to], origin = m_content[index];
    const double left = vertex.kind == SceneVertex::Kind::Box ? size.width / 2 - std::min(size.width / 4, 24.0) : 0;
    const Point tip{origin.x + center.x - left, std::round(origin.y + center.y - size.height / 2)};
    const Point start{tip.x, tip.y - metrics::stubLength};
    const auto line = straight(start, tip);
    return {start, line[0], line[1], line[2]};
}

Result<Diagram> Placer::place()
{
    for (Box &box : m_scene.boxes)
        if (!box.open) {
            const Size size = cardSize(box.lines, box.kind, m_measure);
            box.rect = {0, 0, size.width, size.height};
        }
    for (std::size_t i = m_scene.planes.size(); i-- > 0;) { // inner planes come later in the list
        if (m_stop.stop_requested())
            return cancelled();
        placePlane(static_cast<std::uint32_t>(i));
    }
    m_known.clear();
    m_content[0] = {metrics::margin, metrics::margin + m_above[0]};
    std::size_t links = 0;
    for (const ScenePlane &plane : m_scene.planes)
        links += plane.links.size();
    m_diagram.edges.reserve(links);
    for (std::uint32_t i = 0; i < m_scene.planes.size(); ++i)
        drawPlane(i);
    m_diagram.boxes = std::move(m_scene.boxes);
    m_diagram.notes = std::move(m_scene.notes);
    const Size size{m_layouts[0]->size.width, m_layouts[0]->size.height + m_above[0]};
    // Freed here, since placing labels takes as much memory.
    m_scene = {};
    m_layouts = {};
    m_edgesOf = {};
    m_content = {};
    m_above = {};
    m_ports = {};
    m_entered = {};
    m_joined = {};
    placeLabels(m_diagram, m_measure, m_stop);
    double right = size.width + metrics::margin;
    for (const Edge &edge : m_diagram.edges)
        if (edge.labelRect)
            right = std::max(right, edge.labelRect->right());
    m_diagram.bounds = {0, 0, std::ceil(right + metrics::margin), std::ceil(size.height + 2 * metrics::margin)};
    return m_stop.stop_requested() ? Result<Diagram>(cancelled()) : std::move(m_diagram);
}

} // namespace

Result<Diagram> placed(const ir::Graph &graph, Scene scene, const TextMeasure &measure, const Options &options,
                       std::stop_token stop)
{
    const TextMeasure measureOnce = MeasureOnce(measure);
    return Placer(graph, std::move(scene), measureOnce, options, std::move(stop)).place();
}

Result<Diagram> layOut(const ir::Model &model, ir::FunctionId function, const Expansion &expansion,
                       const TextMeasure &measure, const Options &options, std::stop_token stop)
{
    const ir::Function &f = model.at(function);
    const Outline made = options.outline ? Outline() : outlineOf(f, expansion.flat);
    const Outline &outline = options.outline ? *options.outline : made;
    std::optional<Remainder> remainder;
    if (!options.hidden.kinds.empty())
        remainder = remainderOf(f, outline, options.hidden);
    Scene scene = makeScene(model, f, outline, expansion, options.knowledge, remainder ? &*remainder : nullptr, stop);
    if (stop.stop_requested())
        return cancelled();
    if (remainder)
        scene.notes.insert(scene.notes.begin(), std::move(remainder->note));
    return placed(f.graph, std::move(scene), measure, options, std::move(stop));
}

} // namespace cutaway::layout
