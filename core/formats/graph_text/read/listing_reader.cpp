// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/listing_reader.h"

#include "core/base/formatted.h"
#include "core/formats/graph_text/read/lines.h"

#include <algorithm>
#include <array>
#include <optional>

namespace cutaway::formats::graph_text {

namespace {

/// Removes the text up to and including `end`, and returns the part before `end`; nothing if `end` does not occur.
std::optional<std::string_view> takeUntil(std::string_view &text, std::string_view end)
{
    const std::size_t at = text.find(end);
    if (at == text.npos)
        return std::nullopt;
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at + end.size());
    return taken;
}

/// Reads `(args = (%x, 1), kwargs = {dim: 1})` into `node`; returns false for another text.
bool readArguments(std::string_view text, ListedNode &node)
{
    constexpr std::string_view before = "(args = ";
    constexpr std::string_view between = ", kwargs = ";
    const std::size_t keywords = text.rfind(between);
    if (!text.starts_with(before) || !text.ends_with(')') || keywords == text.npos)
        return false;
    node.arguments = text.substr(before.size(), keywords - before.size());
    node.keywords = text.substr(keywords + between.size());
    node.keywords.remove_suffix(1);
    return true;
}

/// Reads `%add : [num_users=1] = call_function[target=torch.add](args = …, kwargs = …)`; nothing for another text.
std::optional<ListedNode> listedNode(std::string_view text)
{
    ListedNode node;
    if (!text.starts_with('%'))
        return std::nullopt;
    text.remove_prefix(1);
    const auto name = takeUntil(text, " :");
    if (!name || !takeUntil(text, "= "))
        return std::nullopt;
    text = trimmed(text); // "[num_users=1] = " is followed by a second "="
    if (const std::size_t second = text.find("] = "); second < text.find('('))
        text.remove_prefix(second + 4);
    const auto opcode = takeUntil(text, "[target=");
    if (!opcode)
        return std::nullopt;
    node.name = *name;
    node.opcode = trimmed(*opcode);
    const std::size_t end = std::min(text.find("](args = "), text.rfind(']'));
    if (end == text.npos)
        return std::nullopt;
    node.target = text.substr(0, end);
    text = trimmed(text.substr(end + 1));
    const bool isCall = node.opcode.starts_with("call_");
    return !isCall || readArguments(text, node) ? std::optional(node) : std::nullopt;
}

void addNode(PrintedGraph &graph, const ListedNode &node, std::uint32_t line)
{
    if (node.opcode == "placeholder")
        graph.inputs.push_back({node.name, {}, {}, line});
    else
        graph.statements.push_back({node, line, {}});
}

// Graphs that are printed as tables.

constexpr std::array<std::string_view, 5> titles{"opcode", "name", "target", "args", "kwargs"};

/// Returns the offsets of the columns, according to the header.
std::array<std::size_t, titles.size()> columnsOf(std::string_view header)
{
    std::array<std::size_t, titles.size()> columns{};
    std::size_t from = 0;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        from = std::min(header.find(titles[i], from), header.size());
        columns[i] = from;
        from = std::min(from + titles[i].size(), header.size());
    }
    return columns;
}

ListedNode tableRow(std::string_view line, const std::array<std::size_t, titles.size()> &columns)
{
    const auto cell = [&](std::size_t column) {
        const std::size_t start = std::min(columns[column], line.size());
        const std::size_t end = column + 1 < columns.size() ? std::min(columns[column + 1], line.size()) : line.size();
        return trimmed(line.substr(start, end - start));
    };
    return {cell(1), cell(0), cell(2), cell(3), cell(4)};
}

} // namespace

PrintedGraph readListing(std::string_view source, std::uint32_t firstLine, Notes &notes)
{
    PrintedGraph graph;
    graph.line = firstLine;
    graph.isListing = true;
    Lines lines(source, firstLine);
    lines.next();
    while (lines.next()) {
        const Line &line = lines.now();
        if (line.text.starts_with("return"))
            graph.statements.push_back(
                {ListedNode{"output", "output", "output", trimmed(line.text.substr(6)), {}}, line.number, {}});
        else if (const auto node = listedNode(line.text))
            addNode(graph, *node, line.number);
        else if (!line.isComment())
            notes.warning("fx-text.line",
                          formatted("line {}: found {}, expected a node as '%name : [num_users=1] = "
                                    "opcode[target=…](…)'; it is left out",
                                    line.number, shown(line.text)));
    }
    return graph;
}

PrintedGraph readTable(std::string_view source, std::uint32_t firstLine, Notes &notes)
{
    PrintedGraph graph;
    graph.line = firstLine;
    const std::size_t end = std::min(source.find('\n'), source.size());
    const auto columns = columnsOf(source.substr(0, end));
    std::uint32_t number = firstLine;
    for (std::size_t at = end + 1; at < source.size();) {
        const std::string_view line = source.substr(at, source.find('\n', at) - at);
        at += line.size() + 1;
        ++number;
        if (trimmed(line).empty() || trimmed(line).starts_with("---"))
            continue;
        const ListedNode node = tableRow(line, columns);
        if (node.name.empty())
            notes.warning(
                "fx-text.line",
                formatted("line {}: found {}, expected a row of the table; it is left out", number, shown(line)));
        else
            addNode(graph, node, number);
    }
    return graph;
}

} // namespace cutaway::formats::graph_text
