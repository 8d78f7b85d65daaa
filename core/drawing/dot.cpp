// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/text.h"
#include "core/drawing/svg.h"

#include <string>
#include <vector>

namespace cutaway::drawing {

namespace {

using namespace layout;

std::string quotedLabel(std::string_view text)
{
    std::string out = "\"";
    for (const char c : sanitized(text)) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string labelOf(const Box &box)
{
    std::string label;
    for (const Line &line : box.lines) {
        const std::string text = quotedLabel(line.text);
        label += (label.empty() ? "" : "\\l") + text.substr(1, text.size() - 2);
    }
    return "\"" + label + "\\l\"";
}

/// Writes a diagram as a Graphviz file. An open box is a cluster; edges meet it at two points on its borders, which are
/// named b1in and b1out for box 1.
class DotWriter {
public:
    explicit DotWriter(const Diagram &diagram) : m_diagram(diagram) { }

    std::string write()
    {
        m_out = "digraph model {\n  node [shape=box, fixedsize=true, fontsize=11];\n";
        std::vector<std::uint32_t> around; // the open clusters, outermost first
        for (std::uint32_t i = 0; i < m_diagram.boxes.size(); ++i) {
            const Box &box = m_diagram.boxes[i];
            while (!around.empty() && box.parent != around.back()) {
                m_out += "  }\n";
                around.pop_back();
            }
            if (box.open) {
                beginCluster(i);
                around.push_back(i);
            } else {
                node("b" + std::to_string(i), box.rect, "label=" + labelOf(box));
            }
        }
        for (; !around.empty(); around.pop_back())
            m_out += "  }\n";
        for (const Edge &edge : m_diagram.edges)
            write(edge);
        return std::move(m_out) + "}\n";
    }

private:
    void node(const std::string &name, const Rect &rect, const std::string &attributes)
    {
        m_out += "  " + name + " [" + attributes + ", pos=\"" + std::to_string(rect.center().x) + ","
            + std::to_string(m_diagram.bounds.bottom() - rect.center().y)
            + "!\", width=" + std::to_string(rect.width / 72) + ", height=" + std::to_string(rect.height / 72) + "];\n";
    }

    void beginCluster(std::uint32_t index)
    {
        const Box &box = m_diagram.boxes[index];
        const std::string name = "b" + std::to_string(index);
        m_out += "  subgraph cluster_" + name
            + " {\n  label=" + quotedLabel(box.lines.empty() ? "" : box.lines.front().text) + ";\n";
        node(name + "in", {box.rect.center().x, box.rect.y, 0, 0}, "shape=point");
        node(name + "out", {box.rect.center().x, box.rect.bottom(), 0, 0}, "shape=point");
    }

    std::string end(std::uint32_t box, bool upper) const
    {
        return "b" + std::to_string(box) + (!m_diagram.boxes[box].open ? "" : upper ? "in" : "out");
    }

    void write(const Edge &edge)
    {
        const bool enters = m_diagram.boxes[edge.to].parent == edge.from;
        const bool leaves = m_diagram.boxes[edge.from].parent == edge.to;
        m_out += "  " + end(edge.from, enters) + " -> " + end(edge.to, !leaves);
        std::string attributes = edge.isBridge ? "style=dotted" : "";
        if (!edge.label.empty())
            attributes += (attributes.empty() ? "label=" : ", label=") + quotedLabel(edge.label);
        m_out += attributes.empty() ? ";\n" : " [" + attributes + "];\n";
    }

    const Diagram &m_diagram;
    std::string m_out;
};

} // namespace

std::string dot(const layout::Diagram &diagram) { return DotWriter(diagram).write(); }

} // namespace cutaway::drawing
