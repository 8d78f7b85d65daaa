// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/sequences/headings.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/print/figures.h"
#include "core/sequence/facts/cache_use.h"

#include <algorithm>
#include <filesystem>

namespace cutaway::report {

namespace {

std::string idOf(const sequence::Sequence &each, const sequence::Document &document)
{
    if (each.compileId || each.steps.empty())
        return each.compileId.value_or("graphs");
    const sequence::Step &first = each.steps.front();
    const auto folder = std::filesystem::path(first.source).parent_path();
    const bool isBelow = first.address == first.source && !std::ranges::contains(document.sources, first.source)
        && !std::ranges::contains(document.sources, folder.string());
    return isBelow ? folder.filename().string() : "graphs";
}

} // namespace

std::string codePlaceText(const std::string &file, const std::optional<std::uint64_t> &line)
{
    return line ? formatted("{}:{}", file, *line) : file;
}

std::string idText(const sequence::Sequence &sequence, const sequence::Document &document)
{
    std::string id = idOf(sequence, document);
    if (sequence.rank)
        id = formatted("rank {}, {}", *sequence.rank, id);
    if (sequence.part == sequence::Part::Backward)
        id += " backward";
    return sanitized(id);
}

std::string headingOf(const sequence::Sequence &sequence, const sequence::Document &document)
{
    std::string heading = idText(sequence, document);
    if (!sequence.function.empty())
        heading += "  " + sequence.function;
    if (!sequence.file.empty())
        heading += "  " + codePlaceText(sequence.file, sequence.line);
    if (sequence.status != sequence::Status::Ok)
        heading += formatted("  [{}]", sequence::name(sequence.status));
    return sanitized(heading);
}

std::string symbolText(const sequence::SizeSymbol &symbol)
{
    std::string text = symbol.name;
    if (!symbol.source.empty())
        text += " is " + symbol.source;
    if (!symbol.example.empty())
        text += ", " + symbol.example + " at first";
    if (!symbol.range.empty())
        text += ", in " + symbol.range;
    if (symbol.fixedTo)
        text += formatted("; fixed to {}{}", *symbol.fixedTo, symbol.reason.empty() ? "" : " (" + symbol.reason + ")");
    if (!symbol.file.empty())
        text += (symbol.fixedTo ? " at " : ", for ") + codePlaceText(symbol.file, symbol.line);
    return sanitized(text);
}

std::string phasesText(const std::vector<sequence::Phase> &phases)
{
    std::vector<std::string> texts;
    for (const sequence::Phase &phase : phases)
        texts.push_back(phase.name + " " + print::secondsText(phase.seconds));
    return joined(texts, ", ");
}

std::string cachesText(const sequence::Sequence &sequence)
{
    std::vector<std::string> texts;
    for (const sequence::CacheUse &use : sequence::cachesOf(sequence))
        texts.push_back(use.cache + " " + use.outcome);
    return sanitized(joined(texts, ", "));
}

std::string diagnosticText(const sequence::Diagnostic &diagnostic)
{
    const char *severity = diagnostic.severity == ir::Severity::Error ? "error"
        : diagnostic.severity == ir::Severity::Warning                ? "warning"
                                                                      : "note";
    return formatted("{}: {}: {}", severity, sanitized(codePlaceText(diagnostic.file, diagnostic.line)),
                     sanitized(diagnostic.message));
}

std::string firstLine(std::string_view text)
{
    std::string_view line = text.substr(0, text.find('\n'));
    while (line.empty() || line.ends_with(':')) {
        const std::size_t next = text.find_first_not_of('\n', line.size());
        if (next == std::string_view::npos)
            break;
        text.remove_prefix(next);
        line = text.substr(0, text.find('\n'));
    }
    return sanitized(line);
}

} // namespace cutaway::report
