// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/graphviz.h"

#include "core/base/process.h"
#include "core/layout/metrics.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

namespace cutaway::layout {

namespace {

constexpr double pointsPerInch = 72; // a pixel of the diagram is a point in dot

std::string inches(double pixels) { return std::to_string(pixels / pointsPerInch); }

/// One row of an HTML-like table with a narrow cell at each port.
std::string portRow(const std::vector<double> &ports, int width, char prefix)
{
    std::string row;
    int x = 0;
    const auto cell = [&](int cellWidth, const std::string &attributes) {
        if (cellWidth > 0)
            row += "<TD FIXEDSIZE=\"TRUE\" HEIGHT=\"1\" WIDTH=\"" + std::to_string(cellWidth) + "\"" + attributes
                + "></TD>";
        x += std::max(cellWidth, 0);
    };
    for (std::size_t i = 0; i < ports.size(); ++i) {
        cell(static_cast<int>(std::lround(ports[i])) - 1 - x, "");
        cell(2, std::string(" PORT=\"") + prefix + std::to_string(i) + "\"");
    }
    cell(width - x, "");
    return "<TR>" + row + "</TR>";
}

std::string nested(const std::string &row, int width)
{
    return "<TR><TD><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\" FIXEDSIZE=\"TRUE\" "
           "HEIGHT=\"1\" WIDTH=\""
        + std::to_string(width) + "\">" + row + "</TABLE></TD></TR>";
}

/// A box whose edges attach at given positions of its upper and lower side.
std::string tableWithPorts(const PlaneVertex &vertex)
{
    const int width = static_cast<int>(std::lround(vertex.size.width));
    const int height = static_cast<int>(std::lround(vertex.size.height));
    return "shape=none margin=0 label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">"
        + nested(portRow(vertex.topPorts, width, 'i'), width) + "<TR><TD FIXEDSIZE=\"TRUE\" HEIGHT=\""
        + std::to_string(std::max(height - 2, 1)) + "\" WIDTH=\"" + std::to_string(width) + "\"></TD></TR>"
        + nested(portRow(vertex.bottomPorts, width, 'o'), width) + "</TABLE>>";
}

std::string vertexStatement(const PlaneVertex &vertex, std::size_t index)
{
    std::string out =
        "n" + std::to_string(index) + " [width=" + inches(vertex.size.width) + " height=" + inches(vertex.size.height);
    if (!vertex.topPorts.empty() || !vertex.bottomPorts.empty())
        out += " " + tableWithPorts(vertex);
    return out + "];\n";
}

std::string edgeStatement(const PlaneEdge &edge)
{
    std::string out = "n" + std::to_string(edge.from);
    if (edge.fromPort)
        out += ":o" + std::to_string(*edge.fromPort) + ":s";
    out += " -> n" + std::to_string(edge.to);
    if (edge.toPort)
        out += ":i" + std::to_string(*edge.toPort) + ":n";
    return out + ";\n";
}

std::string rankStatement(const Plane &plane, PlaneVertex::Rank rank, const char *name)
{
    std::string members;
    for (std::size_t i = 0; i < plane.vertices.size(); ++i)
        if (plane.vertices[i].rank == rank)
            members += "n" + std::to_string(i) + "; ";
    return members.empty() ? "" : std::string("{ rank=") + name + "; " + members + "}\n";
}

/// The next word of a line of dot's plain format; quoted and HTML-like words are not parsed further.
std::string_view nextWord(std::string_view &line)
{
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
}

std::optional<double> nextNumber(std::string_view &line)
{
    const std::string_view word = nextWord(line);
    double x = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    return error == std::errc() && end == word.data() + word.size() ? std::optional(x) : std::nullopt;
}

std::optional<Point> nextPoint(std::string_view &line)
{
    const auto x = nextNumber(line);
    const auto y = nextNumber(line);
    return x && y ? std::optional(Point{*x * pointsPerInch, -*y * pointsPerInch}) : std::nullopt;
}

/// "n12" or "n12:i0:n" → 12
std::optional<std::uint32_t> nextVertex(std::string_view &line, std::size_t count)
{
    std::string_view word = nextWord(line);
    word = word.substr(0, word.find(':'));
    std::uint32_t index = 0;
    if (!word.starts_with('n'))
        return std::nullopt;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), index);
    return error == std::errc() && index < count ? std::optional(index) : std::nullopt;
}

/// Reads one graph of dot's output line by line.
class AnswerReader {
public:
    explicit AnswerReader(const Plane &plane) : m_plane(plane)
    {
        m_layout.centers.resize(plane.vertices.size());
        m_layout.curves.resize(plane.edges.size());
        for (std::uint32_t i = 0; i < plane.edges.size(); ++i)
            m_edges[{plane.edges[i].from, plane.edges[i].to}].push_back(i);
    }

    void read(std::string_view line)
    {
        const std::string_view word = nextWord(line);
        if (word == "node")
            readNode(line);
        else if (word == "edge")
            readEdge(line);
    }

    std::optional<PlaneLayout> take()
    {
        if (m_nodes != m_plane.vertices.size() || m_curves != m_plane.edges.size())
            return std::nullopt;
        normalize(m_plane, m_layout);
        return std::move(m_layout);
    }

private:
    void readNode(std::string_view line)
    {
        const auto vertex = nextVertex(line, m_plane.vertices.size());
        const auto center = nextPoint(line);
        if (!vertex || !center)
            return;
        m_layout.centers[*vertex] = *center;
        ++m_nodes;
    }

    void readEdge(std::string_view line)
    {
        const auto from = nextVertex(line, m_plane.vertices.size());
        const auto to = nextVertex(line, m_plane.vertices.size());
        const auto count = nextNumber(line);
        if (!from || !to || !count || *count < 4)
            return;
        std::vector<Point> points;
        for (int i = 0; i < static_cast<int>(*count); ++i)
            if (const auto point = nextPoint(line))
                points.push_back(*point);
        const auto waiting = m_edges.find({*from, *to});
        if (points.size() % 3 != 1 || waiting == m_edges.end() || waiting->second.empty())
            return;
        assign(waiting->second, std::move(points));
    }

    /// Several edges between the same boxes differ by their ports: assigns the curve to the edge whose ports it meets.
    void assign(std::vector<std::uint32_t> &candidates, std::vector<Point> points)
    {
        const auto distance = [&](std::uint32_t edge) {
            const PlaneEdge &e = m_plane.edges[edge];
            const PlaneVertex &from = m_plane.vertices[e.from];
            const PlaneVertex &to = m_plane.vertices[e.to];
            const double start =
                m_layout.centers[e.from].x + portOffset(from, from.bottomPorts, e.fromPort).value_or(0);
            const double end = m_layout.centers[e.to].x + portOffset(to, to.topPorts, e.toPort).value_or(0);
            return std::abs(points.front().x - start) + std::abs(points.back().x - end);
        };
        const auto best = std::ranges::min_element(candidates, {}, distance);
        m_layout.curves[*best] = std::move(points);
        candidates.erase(best);
        ++m_curves;
    }

    const Plane &m_plane;
    PlaneLayout m_layout;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> m_edges;
    std::size_t m_nodes = 0;
    std::size_t m_curves = 0;
};

/// Splits dot's output into graphs, each from its "graph" line to its "stop" line.
std::vector<std::string_view> splitAnswer(std::string_view text)
{
    std::vector<std::string_view> graphs;
    constexpr std::string_view stop = "\nstop\n";
    while (true) {
        const std::size_t end = text.find(stop);
        if (end == std::string_view::npos)
            return graphs;
        graphs.push_back(text.substr(0, end));
        text.remove_prefix(end + stop.size());
    }
}

} // namespace

std::string graphvizSource(const Plane &plane)
{
    std::string out = "digraph {\ngraph [nodesep=" + inches(metrics::nodeGap) + " ranksep=" + inches(metrics::rankGap)
        + "];\nnode [shape=box fixedsize=true label=\"\"];\nedge [arrowhead=none];\n";
    for (std::size_t i = 0; i < plane.vertices.size(); ++i)
        out += vertexStatement(plane.vertices[i], i);
    out += rankStatement(plane, PlaneVertex::Rank::First, "source");
    out += rankStatement(plane, PlaneVertex::Rank::Last, "sink");
    for (const PlaneEdge &edge : plane.edges)
        out += edgeStatement(edge);
    return out + "}\n";
}

std::optional<PlaneLayout> readGraphviz(std::string_view plainText, const Plane &plane)
{
    AnswerReader reader(plane);
    while (!plainText.empty()) {
        const std::size_t end = std::min(plainText.find('\n'), plainText.size());
        reader.read(plainText.substr(0, end));
        plainText.remove_prefix(std::min(end + 1, plainText.size()));
    }
    return reader.take();
}

Result<GraphvizAnswer> placeWithGraphviz(const std::vector<Plane> &planes, std::chrono::milliseconds limit,
                                         std::stop_token stop)
{
    GraphvizAnswer answer;
    answer.layouts.resize(planes.size());
    std::string source;
    for (const Plane &plane : planes)
        source += graphvizSource(plane);
    const auto output = runProcess({"dot", "-Tplain"}, source, limit, stop);
    if (!output) {
        if (output.error().kind == ErrorKind::Cancelled)
            return std::unexpected(output.error());
        answer.problem = output.error().message;
        return answer;
    }
    const std::vector<std::string_view> graphs = splitAnswer(output->standardOutput);
    for (std::size_t i = 0; i < std::min(graphs.size(), planes.size()); ++i)
        answer.layouts[i] = readGraphviz(graphs[i], planes[i]);
    if (output->timedOut)
        answer.problem = "Graphviz took more than " + std::to_string(limit.count()) + " ms";
    else if (std::ranges::any_of(answer.layouts, [](const auto &layout) { return !layout; }))
        answer.problem = "Graphviz failed";
    return answer;
}

} // namespace cutaway::layout
