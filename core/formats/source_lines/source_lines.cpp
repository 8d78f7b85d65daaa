// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/source_lines/source_lines.h"

#include "core/base/formatted.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <ranges>
#include <vector>

namespace cutaway::formats {

namespace {

std::string_view trimmed(std::string_view line)
{
    const std::size_t start = line.find_first_not_of(" \t\r");
    return start == std::string_view::npos ? std::string_view()
                                           : line.substr(start, line.find_last_not_of(" \t\r") + 1 - start);
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (const auto line : text | std::views::split('\n'))
        lines.emplace_back(line.begin(), line.end());
    return lines;
}

std::optional<std::uint32_t> numberOf(std::string_view text)
{
    std::uint32_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

struct Frame {
    std::string_view file;
    std::uint32_t line = 0;
    std::string_view function;
};

/// Reads `File "a.py", line 3, in forward`.
std::optional<Frame> tracebackFrame(std::string_view line)
{
    constexpr std::string_view open = "File \"", middle = "\", line ", in = ", in ";
    if (!line.starts_with(open))
        return std::nullopt;
    const std::size_t fileEnd = line.find(middle, open.size());
    if (fileEnd == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = line.substr(fileEnd + middle.size());
    const auto number = numberOf(rest.substr(0, rest.find(in)));
    if (!number)
        return std::nullopt;
    const std::size_t at = rest.find(in);
    return Frame{line.substr(open.size(), fileEnd - open.size()), *number,
                 at == std::string_view::npos ? std::string_view() : rest.substr(at + in.size())};
}

/// Reads `a.py(3): forward`.
std::optional<Frame> docStringFrame(std::string_view line)
{
    const std::size_t close = line.find("): ");
    const std::size_t open = close == std::string_view::npos ? close : line.rfind('(', close);
    if (open == std::string_view::npos || open == 0)
        return std::nullopt;
    const auto number = numberOf(line.substr(open + 1, close - open - 1));
    return number ? std::optional(Frame{line.substr(0, open), *number, line.substr(close + 3)}) : std::nullopt;
}

} // namespace

ir::LocationId SourceLines::fromTraceback(std::string_view text)
{
    const auto [entry, isNew] = m_known.try_emplace(text);
    if (isNew)
        entry->second = readTraceback(text);
    return entry->second;
}

ir::LocationId SourceLines::fromDocString(std::string_view text)
{
    const auto [entry, isNew] = m_known.try_emplace(text);
    if (isNew)
        entry->second = readDocString(text);
    return entry->second;
}

ir::LocationId SourceLines::readTraceback(std::string_view text)
{
    ir::LocationId at;
    const std::vector<std::string_view> lines = linesOf(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto frame = tracebackFrame(trimmed(lines[i]));
        if (!frame || frame->file.starts_with('<'))
            continue;
        const std::string_view source = i + 1 < lines.size() ? trimmed(lines[i + 1]) : std::string_view();
        at = m_context.location({m_context.name(frame->file), frame->line, m_context.name(frame->function),
                                 m_context.name(tracebackFrame(source) ? std::string_view() : source), at});
    }
    return at;
}

ir::LocationId SourceLines::readDocString(std::string_view text)
{
    ir::LocationId at;
    for (const std::string_view line : linesOf(text) | std::views::reverse) {
        if (trimmed(line).empty())
            continue;
        const auto frame = docStringFrame(trimmed(line));
        if (!frame)
            return {};
        at = m_context.location({m_context.name(frame->file), frame->line, m_context.name(frame->function), {}, at});
    }
    return at;
}

std::string printTraceback(const ir::Context &context, ir::LocationId location)
{
    std::vector<ir::LocationId> chain;
    for (; location != ir::LocationId{}; location = context.at(location).caller)
        chain.push_back(location);
    std::string text;
    for (const ir::LocationId frame : chain | std::views::reverse) {
        const ir::Location &at = context.at(frame);
        text += formatted("  File \"{}\", line {}, in {}\n    {}\n", context.text(at.file), at.line,
                          context.text(at.function), context.text(at.text));
    }
    return text;
}

std::string printDocString(const ir::Context &context, ir::LocationId location)
{
    std::string text;
    for (; location != ir::LocationId{}; location = context.at(location).caller) {
        const ir::Location &at = context.at(location);
        text += formatted("{}({}): {}\n", context.text(at.file), at.line, context.text(at.function));
    }
    return text;
}

bool hasSourceLines(const ir::Context &context, ir::LocationId location)
{
    for (; location != ir::LocationId{}; location = context.at(location).caller)
        if (context.at(location).text != ir::NameId{})
            return true;
    return false;
}

} // namespace cutaway::formats
