// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/reader.h"

#include "core/base/formatted.h"
#include "core/formats/archive/probe.h"
#include "core/formats/graph_text/extent.h"
#include "core/formats/graph_text/log_prefix.h"
#include "core/formats/graph_text/lowering/graph_lowering.h"
#include "core/formats/graph_text/read/code_reader.h"
#include "core/formats/graph_text/read/listing_reader.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <map>

namespace cutaway::formats::graph_text {

namespace {

std::string_view textOf(const archive::Probe &file)
{
    const auto bytes = file.bytes();
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// Whether a graph begins after the prefix of a log in any line.
bool hasLoggedGraph(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view line = text.substr(at, text.find('\n', at) - at);
        if (const auto prefix = logPrefix(line); prefix && startsGraph(line.substr(prefix->length)))
            return true;
        at += line.size() + 1;
    }
    return false;
}

/// Removes the section from the line that begins with `title` to the end of the text; returns what follows the title.
std::string_view takeSection(std::string_view &text, std::string_view title)
{
    for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
        const std::size_t first = std::min(text.find_first_not_of(" \t", at), text.size());
        if (!text.substr(first).starts_with(title))
            continue;
        const std::string_view section = text.substr(first + title.size());
        text = text.substr(0, at);
        return section;
    }
    return {};
}

/// Reads a printed program: its class, and the signature and symbols after it.
PrintedGraph readProgram(Reading &reading, std::string_view text, std::uint32_t firstLine)
{
    text.remove_prefix(std::min(text.find('\n'), text.size()));
    const std::string_view ranges = takeSection(text, "Range constraints:");
    Signature signature = readSignature(takeSection(text, "Graph signature:"));
    signature.inputs.merge(reading.signature.inputs);
    reading.signature = std::move(signature);
    reading.ranges = readRanges(ranges);
    return readCode(text, firstLine, reading.notes);
}

PrintedGraph readForm(Reading &reading, const GraphStart &start, std::string_view text, std::uint32_t firstLine)
{
    switch (start.form) {
    case Form::Listing:
        return readListing(text, firstLine, reading.notes);
    case Form::Table:
        return readTable(text, firstLine, reading.notes);
    case Form::Program:
        return readProgram(reading, text, firstLine);
    default:
        return readCode(text.substr(start.column == text.find_first_not_of(" \t") ? 0 : start.column), firstLine,
                        reading.notes);
    }
}

void addSymbols(Reading &reading, std::vector<ir::Symbol> ranges)
{
    std::map<std::string, ir::Symbol, std::less<>> symbols;
    for (const std::string &name : reading.annotations.symbols())
        symbols.emplace(name, ir::Symbol{name, {}, {}, {}});
    for (ir::Symbol &symbol : ranges)
        symbols.insert_or_assign(symbol.name, std::move(symbol));
    for (auto &[name, symbol] : symbols)
        reading.model.symbols.push_back(std::move(symbol));
}

ir::Model modelOf(std::string_view text, std::string name, const Task &task, std::uint32_t firstLine,
                  std::shared_ptr<ir::Context> context, InputSpecs inputs)
{
    const auto start = graphStart(text.substr(0, text.find('\n')));
    if (!start)
        unusable("found no graph of torch.fx, expected a line such as 'class GraphModule(torch.nn.Module):' or "
                 "'graph():'",
                 formatted("line {}", firstLine));
    ir::Model model;
    if (context)
        model.context = std::move(context);
    model.path = std::move(name);
    model.format = "fx-text";
    model.producer = "pytorch";
    Reading reading(model, task);
    reading.signature.inputs = std::move(inputs);
    task.report("reading the graph");
    const PrintedGraph printed = readForm(reading, *start, text, firstLine);
    model.name = printed.name;
    model.functions.push_back(lowerGraph(reading, printed));
    addSymbols(reading, std::move(reading.ranges));
    reading.notes.finish();
    return model;
}

} // namespace

bool sniff(const archive::Probe &file)
{
    const std::string_view text = textOf(file);
    return !text.substr(0, 4096).contains('\0') && (!graphsIn(text, 1).empty() || hasLoggedGraph(text));
}

Result<ir::Model> read(const archive::Probe &file, const Task &task)
{
    std::string_view text = textOf(file);
    const bool isLong = text.size() > limits::maxCodeSize;
    if (isLong && hasLoggedGraph(text))
        return unreadable(formatted("the log has more than {} MiB; cut out the graph", limits::maxCodeSize >> 20));
    const auto plain = isLong ? std::nullopt : withoutLogMarks(text);
    text = plain ? *plain : text;
    const auto graphs = graphsIn(text, 2);
    if (graphs.size() != 1)
        return unreadable(
            graphs.empty()
                ? "found no graph of torch.fx in the text"
                : formatted("found several graphs in the text, the second in line {}; expected one", graphs[1].line));
    return readText(text.substr(graphs[0].offset, graphs[0].length), file.path().string(), task, graphs[0].line);
}

Result<ir::Model> readText(std::string_view text, std::string name, const Task &task, std::uint32_t firstLine,
                           std::shared_ptr<ir::Context> context, InputSpecs inputs)
{
    return resultOf(
        [&] { return modelOf(text, std::move(name), task, firstLine, std::move(context), std::move(inputs)); });
}

} // namespace cutaway::formats::graph_text
