// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Indentation separates a graph from the text around it: torch.fx indents what belongs to a graph by four columns or
// more. Lines at the margin that still belong to the graph are recognized by their first words, which differ by form.
#include "core/formats/graph_text/extent.h"

#include "core/formats/graph_text/read/lines.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::graph_text {

namespace {

constexpr std::string_view moduleClass = "(torch.nn.Module):";

std::size_t indentOf(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

/// Returns the line at `offset`, without its line end.
std::string_view lineAt(std::string_view text, std::size_t offset)
{
    return text.substr(offset, std::min(text.find('\n', offset), text.size()) - offset);
}

/// Returns the column of "class X(torch.nn.Module):", which begins the line or follows a single word, which may be a
/// file's name.
std::optional<std::size_t> classColumn(std::string_view line)
{
    const std::string_view content = trimmed(line);
    if (!content.ends_with(moduleClass))
        return std::nullopt;
    const std::string_view before = content.substr(0, content.size() - moduleClass.size());
    const std::size_t name = before.rfind(' ');
    constexpr std::string_view keyword = "class";
    if (name == before.npos || name + 1 == before.size() || !before.substr(0, name).ends_with(keyword))
        return std::nullopt;
    const std::size_t column = name - keyword.size();
    const bool isFirst = column == 0;
    const bool isBehindName = column > 1 && before[column - 1] == ' '
        && std::string_view("\"'#(`>").find(before.front()) == std::string_view::npos;
    const auto start = static_cast<std::size_t>(content.data() - line.data());
    return isFirst || isBehindName ? std::optional(start + column) : std::nullopt;
}

bool isTableHeader(std::string_view content)
{
    constexpr std::array<std::string_view, 5> titles{"opcode", "name", "target", "args", "kwargs"};
    for (const std::string_view title : titles) {
        if (!content.starts_with(title))
            return false;
        content = trimmed(content.substr(title.size()));
    }
    return content.empty();
}

bool isTableRow(std::string_view content)
{
    constexpr std::array<std::string_view, 7> opcodes{
        "placeholder", "get_attr", "call_function", "call_module", "call_method", "output", "---"};
    return std::ranges::any_of(opcodes, [&](std::string_view opcode) { return content.starts_with(opcode); });
}

/// Whether a line at the margin continues a graph of this form.
bool goesOn(Form form, std::string_view content)
{
    switch (form) {
    case Form::Function:
        return content.starts_with(')');
    case Form::Program:
        return content.starts_with("Graph signature:") || content.starts_with("Range constraints:");
    case Form::Table:
        return isTableRow(content);
    default:
        return false;
    }
}

/// Whether a class holds a printed graph, and no code that somebody wrote: torch.fx prints nothing before `forward`.
bool beginsWithForward(std::string_view graph)
{
    for (std::size_t at = lineAt(graph, 0).size() + 1; at < graph.size();) {
        const std::string_view line = lineAt(graph, at);
        at += line.size() + 1;
        if (const std::string_view content = trimmed(line); !content.empty() && !content.starts_with('#'))
            return content.starts_with("def forward(");
    }
    return false;
}

} // namespace

std::optional<GraphStart> graphStart(std::string_view line)
{
    const std::string_view content = trimmed(line);
    if (content.empty())
        return std::nullopt;
    const std::size_t indent = indentOf(line);
    if (content.back() == ':') {
        if (const auto column = classColumn(line))
            return GraphStart{Form::Class, *column};
        if (content == "graph():")
            return GraphStart{Form::Listing, indent};
        if (content == "ExportedProgram:")
            return GraphStart{Form::Program, indent};
    }
    if (indent == 0 && content.starts_with("def forward("))
        return GraphStart{Form::Function, 0};
    return content.front() == 'o' && isTableHeader(content) ? std::optional(GraphStart{Form::Table, indent})
                                                            : std::nullopt;
}

/// The indentation of titles in logs, one column: " ===== Forward graph 0 =====".
constexpr std::size_t titleIndent = 1;

std::size_t lengthOfGraph(std::string_view text)
{
    const std::string_view first = lineAt(text, 0);
    const auto start = graphStart(first);
    if (!start)
        return 0;
    const std::size_t margin = start->column == indentOf(first) ? start->column : 0;
    std::size_t length = first.size();
    for (std::size_t at = first.size() + 1; at < text.size();) {
        const std::string_view line = lineAt(text, at);
        const std::string_view content = trimmed(line);
        const bool isPart = !content.empty() && (indentOf(line) > margin + titleIndent || goesOn(start->form, content));
        if (!content.empty() && !isPart)
            break;
        if (isPart)
            length = at + line.size();
        at += line.size() + 1;
        if (start->form == Form::Program && content.starts_with("Range constraints:"))
            break;
    }
    return length;
}

std::vector<GraphExtent> graphsIn(std::string_view text, std::size_t most)
{
    std::vector<GraphExtent> graphs;
    std::uint32_t line = 1;
    for (std::size_t at = 0; at < text.size() && graphs.size() < most;) {
        const std::string_view here = lineAt(text, at);
        const auto start = graphStart(here);
        const std::size_t length = start ? lengthOfGraph(text.substr(at)) : 0;
        if (length > 0 && (start->form != Form::Class || beginsWithForward(text.substr(at, length))))
            graphs.push_back({at, length, line});
        const std::size_t skipped = std::max(length, here.size());
        line += static_cast<std::uint32_t>(std::ranges::count(text.substr(at, skipped), '\n')) + 1;
        at += skipped + 1;
    }
    return graphs;
}

} // namespace cutaway::formats::graph_text
