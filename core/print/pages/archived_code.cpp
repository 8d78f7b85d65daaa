// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/pages/archived_code.h"

#include "core/base/formatted.h"
#include "core/formats/archive/zip.h"
#include "core/formats/source_lines/source_lines.h"
#include "core/formats/torchscript/source/source_ranges.h"
#include "core/ir/context.h"
#include "core/print/pages/lines.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

namespace cutaway::print {

namespace {

using formats::archive::Zip;
using formats::torchscript::Origin;
using formats::torchscript::ScriptedLine;
using formats::torchscript::SourceRanges;
using formats::torchscript::TracedStack;

/// The lines of a code file, by the source that they were compiled from: a file and line, or the stack of a traced
/// node.
using LinesByOrigin = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;

constexpr std::string_view rangesSuffix = ".debug_pkl";

std::string originOf(std::string_view file, std::uint32_t line) { return formatted("{}({})", file, line); }

/// Returns the archive's record of the origins of a code file; nothing if it has none.
std::optional<SourceRanges> rangesOf(const ir::Model &model, const std::string &file)
{
    if (model.files.empty() || !model.files.front().mapping)
        return std::nullopt;
    const auto zip = Zip::open(model.files.front().mapping->bytes());
    const auto *member = zip ? zip->find(std::string(zip->root()).append(file).append(rangesSuffix)) : nullptr;
    const auto content = member ? zip->read(*member) : unreadable("");
    auto ranges = content ? SourceRanges::read(content->bytes()) : unreadable("");
    return ranges ? std::optional(std::move(*ranges)) : std::nullopt;
}

/// Returns a stack in the form that the model's locations have, so that both can be compared as texts.
std::string stackText(std::string_view text)
{
    ir::Context context;
    formats::SourceLines stacks(context);
    return formats::printDocString(context, stacks.fromDocString(text));
}

LinesByOrigin linesByOrigin(const SourceRanges &ranges, std::string_view code, const LineStarts &starts)
{
    LinesByOrigin lines;
    std::map<std::string_view, std::string> stacks;
    const auto isWord = [&](std::size_t i) {
        return std::isalnum(static_cast<unsigned char>(code[i])) || code[i] == '_';
    };
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (!isWord(i) || (i > 0 && isWord(i - 1)))
            continue; // recorded ranges start at words
        const auto origin = ranges.at(static_cast<std::uint32_t>(i));
        if (!origin)
            continue;
        std::string key;
        if (const auto *scripted = std::get_if<ScriptedLine>(&*origin)) {
            if (scripted->file.empty())
                continue; // without a file, the line may be one of any file
            key = originOf(scripted->file, scripted->line);
        } else {
            const std::string_view text = std::get<TracedStack>(*origin).text;
            const auto [stack, isNew] = stacks.try_emplace(text);
            if (isNew)
                stack->second = stackText(text);
            key = stack->second;
        }
        std::vector<std::uint32_t> &known = lines[key];
        if (const std::uint32_t line = starts.lineAt(i); known.empty() || known.back() != line)
            known.push_back(line);
    }
    return lines;
}

/// Returns the lines that belong to a location: to its whole stack, as traced nodes have it, or else to the innermost
/// frame for which there are lines; nullptr if there are none.
const std::vector<std::uint32_t> *linesOf(const ir::Context &context, ir::LocationId location,
                                          const LinesByOrigin &lines)
{
    if (const auto stack = lines.find(formats::printDocString(context, location)); stack != lines.end())
        return &stack->second;
    for (; location != ir::LocationId{}; location = context.at(location).caller) {
        const ir::Location &at = context.at(location);
        if (const auto found = lines.find(originOf(context.text(at.file), at.line)); found != lines.end())
            return &found->second;
    }
    return nullptr;
}

void addLines(SourcePage &page, const ir::Model &model, const ir::Graph &graph, const LinesByOrigin &lines)
{
    std::map<ir::LocationId, const std::vector<std::uint32_t> *> known;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::Node &node = graph.at(ir::NodeId{i});
        if (node.removed || node.location == ir::LocationId{})
            continue;
        const auto [found, isNew] = known.try_emplace(node.location);
        if (isNew)
            found->second = linesOf(*model.context, node.location, lines);
        if (found->second)
            for (const std::uint32_t line : *found->second)
                page.lines.push_back({line, ir::NodeId{i}});
    }
}

/// Returns each line as its own origin: without a record of Python's lines, nodes refer to lines of the code itself.
LinesByOrigin ownLines(const std::string &file, const LineStarts &starts)
{
    LinesByOrigin lines;
    for (std::uint32_t line = 1; line <= starts.count(); ++line)
        lines[originOf(file, line)] = {line};
    return lines;
}

} // namespace

Result<SourcePage> archivedCode(const ir::Model &model, ir::FunctionId function, const std::string &file)
{
    const auto found = std::ranges::find(model.attachments, file, &ir::Attachment::name);
    if (found == model.attachments.end() || !found->text)
        return usageError(formatted("the file has no code named '{}'", file));
    SourcePage page{*found->text, "Python", {}};
    const LineStarts starts(page.text);
    const auto ranges = rangesOf(model, file);
    LinesByOrigin lines = ownLines(file, starts);
    if (ranges)
        lines.merge(linesByOrigin(*ranges, page.text, starts));
    addLines(page, model, model.at(function).graph, lines);
    return page;
}

} // namespace cutaway::print
