// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/code_reader.h"

#include "core/base/formatted.h"
#include "core/formats/graph_text/read/lines.h"
#include "core/formats/graph_text/read/statement.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

std::size_t endOf(const python::Tree &tree, ExpressionId id)
{
    return tree.at(id).position.offset + tree.at(id).length;
}

/// Finds the line number of each position in a joined line. The positions must be given in ascending order.
class LineCounter {
public:
    explicit LineCounter(const Line &line) : m_text(line.text), m_number(line.number) { }
    std::uint32_t at(std::size_t offset)
    {
        m_number += static_cast<std::uint32_t>(std::ranges::count(m_text.substr(m_offset, offset - m_offset), '\n'));
        m_offset = offset;
        return m_number;
    }

private:
    std::string_view m_text;
    std::uint32_t m_number;
    std::size_t m_offset = 0;
};

/// Whether a statement only says that values are not used any more: `x = None`, `x = y = None`.
bool isFree(std::string_view statement)
{
    return statement.ends_with("= None") && statement.find_first_of("(\"':[") == statement.npos;
}

class CodeReader {
public:
    CodeReader(std::string_view source, std::uint32_t firstLine, Notes &notes)
        : m_lines(source, firstLine),
          m_notes(notes)
    {
    }

    PrintedGraph read()
    {
        std::vector<Open> open(1);
        while (m_lines.next()) {
            while (open.size() > 1 && m_lines.now().indent <= open.back().indent)
                close(open);
            line(open);
        }
        while (open.size() > 1)
            close(open);
        PrintedGraph &top = open.front().graph;
        return top.children.empty() ? std::move(top) : std::move(top.children.front());
    }

private:
    /// A class whose lines are being read. The outermost one is always there, for code without a class.
    struct Open {
        PrintedGraph graph;
        std::size_t indent = 0;
        bool isInForward = false;
        std::string_view origin = {};
    };

    static void close(std::vector<Open> &open)
    {
        PrintedGraph graph = std::move(open.back().graph);
        open.pop_back();
        open.back().graph.children.push_back(std::move(graph));
    }

    void line(std::vector<Open> &open)
    {
        const Line &line = m_lines.now();
        Open &here = open.back();
        if (line.isComment())
            return comment(here, withoutHash(line.text));
        if (line.text.starts_with("class "))
            return beginClass(open);
        if (line.text.starts_with("def ")) {
            here.isInForward = line.text.starts_with("def forward(");
            here.origin = {};
            if (here.isInForward)
                inputs(here.graph);
        } else if (here.isInForward) {
            statements(here);
        }
    }

    /// Reads a comment. One with "File: " is the origin of the nodes after it, up to the next such comment, an empty
    /// one or "No stacktrace found". Any other, such as "graph id: 3", does not count.
    static void comment(Open &open, std::string_view text)
    {
        if (text.empty() || text.contains("No stacktrace found"))
            open.origin = {};
        else if (text.contains("File: "))
            open.origin = text;
    }

    void beginClass(std::vector<Open> &open) const
    {
        if (open.size() > static_cast<std::size_t>(limits::maxNesting))
            unusable(formatted("classes are nested deeper than {}", limits::maxNesting),
                     formatted("line {}", m_lines.now().number));
        const std::string_view text = m_lines.now().text.substr(6);
        Open &begun = open.emplace_back();
        begun.graph.name = trimmed(text.substr(0, text.find('(')));
        begun.graph.line = m_lines.now().number;
        begun.indent = m_lines.now().indent;
    }

    void inputs(PrintedGraph &graph)
    {
        const Line &line = m_lines.now();
        const Header header = parseHeader(line.text);
        if (header.error)
            m_notes.warning("fx-text.inputs", formatted("line {}: the inputs: {}", line.number, *header.error));
        graph.line = graph.line == 0 ? line.number : graph.line;
        graph.inputs.clear();
        LineCounter place(line);
        for (const python::Parameter &parameter : header.parameters) {
            const std::size_t start = parameter.position.offset;
            const std::size_t end =
                parameter.type ? endOf(header.tree, *parameter.type) : start + parameter.name.size();
            graph.inputs.push_back({parameter.name, parameter.type ? typeText(header.tree, *parameter.type) : "",
                                    commentBehind(line.text, end, header.comments), place.at(start)});
        }
    }

    void statements(Open &open) const
    {
        const Line &line = m_lines.now();
        LineCounter place(line);
        for (const std::string_view statement : statementsOf(line.text))
            if (!isFree(statement))
                open.graph.statements.push_back(
                    {CodeLine{statement}, place.at(static_cast<std::size_t>(statement.data() - line.text.data())),
                     open.origin});
    }

    Lines m_lines;
    Notes &m_notes;
};

} // namespace

PrintedGraph readCode(std::string_view source, std::uint32_t firstLine, Notes &notes)
{
    return CodeReader(source, firstLine, notes).read();
}

} // namespace cutaway::formats::graph_text
