// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/print/text_table.h"
#include "core/report/sequences/sequences.h"
#include "core/report/sequences/step_patterns.h"
#include "core/sequence/saved.h"

#include <algorithm>

namespace cutaway::report {

namespace {

/// The first line of a text that says something: not one that ends in a colon, as torch puts before its reasons.
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

std::string filePlace(const std::string &file, const std::optional<std::uint64_t> &line)
{
    return line ? formatted("{}:{}", file, *line) : file;
}

/// "0/1  forward  model.py:13"
std::string headingOf(const sequence::Sequence &each)
{
    std::string heading = each.compileId.value_or("graphs");
    if (each.rank)
        heading = formatted("rank {}, {}", *each.rank, heading);
    if (each.part == sequence::Part::Backward)
        heading += " backward";
    if (!each.function.empty())
        heading += "  " + each.function;
    if (!each.file.empty())
        heading += "  " + filePlace(each.file, each.line);
    if (each.status != sequence::Status::Ok)
        heading += formatted("  [{}]", sequence::name(each.status));
    return sanitized(heading);
}

std::string notesOf(const sequence::Sequence &each)
{
    std::string notes;
    if (!each.recompileReason.empty())
        notes += "  compiled again: " + firstLine(each.recompileReason) + "\n";
    for (const sequence::GraphBreak &broken : each.graphBreaks)
        notes += formatted("  graph break at {}: {}\n", sanitized(filePlace(broken.file.value_or("?"), broken.line)),
                           firstLine(broken.reason));
    return notes;
}

/// Says in a word how a step differs from the one before.
std::string changeText(const sequence::Step &step, const sequence::Step *before)
{
    if (!step.previous)
        return "";
    if (!step.changed)
        return "?";
    if (!*step.changed)
        return "same";
    if (!before || !before->outline || !step.outline)
        return "changed";
    const auto difference =
        static_cast<std::int64_t>(step.outline->nodes) - static_cast<std::int64_t>(before->outline->nodes);
    return difference == 0 ? "changed" : formatted("{:+}", difference);
}

std::string stepsOf(const sequence::Sequence &each, const SequenceOptions &options)
{
    using Align = print::TextTable::Align;
    print::TextTable table(
        {{.maxWidth = 60}, {}, {Align::Right}, {Align::Right}, {Align::Right}, {.maxWidth = 80, .isProse = true}});
    const StepPatterns patterns = options.hasPatterns ? patternsOf(each) : StepPatterns(each.steps.size());
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < each.steps.size(); ++i) {
        const sequence::Step &step = each.steps[i];
        if (!options.isWhole && step.changed == false) {
            ++hidden;
            continue;
        }
        table.addRow({sanitized(step.name), std::string(sequence::name(step.kind)),
                      step.outline ? grouped(static_cast<long long>(step.outline->nodes)) + " nodes" : "?",
                      changeText(step, i > 0 ? &each.steps[i - 1] : nullptr),
                      step.line ? formatted("line {}", *step.line) : "", sanitized(diff::lineOf(patterns[i]))});
    }
    std::string text = table.print(2);
    if (hidden > 0)
        text += formatted("  {} step{} changed nothing.\n", hidden, hidden == 1 ? "" : "s");
    return text;
}

std::string savedText(const std::vector<sequence::SavedValue> &saved)
{
    if (saved.empty())
        return {};
    std::int64_t bytes = 0;
    bool isKnown = true;
    for (const sequence::SavedValue &value : saved) {
        const auto size = value.type.and_then([](const auto &type) { return type.byteCount(); });
        isKnown &= size.has_value();
        bytes += size.value_or(0);
    }
    return formatted("  {} values are saved for the backward: {}{}\n", saved.size(), isKnown ? "" : "at least ",
                     byteCount(static_cast<double>(bytes)));
}

std::string diagnosticText(const sequence::Diagnostic &diagnostic)
{
    const char *severity = diagnostic.severity == ir::Severity::Error ? "error"
        : diagnostic.severity == ir::Severity::Warning                ? "warning"
                                                                      : "note";
    return formatted("{}: {}: {}\n", severity, sanitized(filePlace(diagnostic.file, diagnostic.line)),
                     sanitized(diagnostic.message));
}

} // namespace

std::string sequencesText(const sequence::Document &document, const SequenceOptions &options)
{
    std::string text;
    for (const sequence::Sequence &each : document.sequences) {
        const sequence::Sequence *backward = sequence::backwardOf(document, each);
        text += headingOf(each) + "\n" + notesOf(each) + stepsOf(each, options);
        if (backward)
            text += savedText(sequence::savedValues(each, *backward));
        text += "\n";
    }
    for (const sequence::Diagnostic &diagnostic : document.diagnostics)
        text += diagnosticText(diagnostic);
    return text;
}

} // namespace cutaway::report
