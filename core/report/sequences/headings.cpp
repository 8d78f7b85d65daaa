// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/sequences/headings.h"

#include "core/base/formatted.h"
#include "core/base/text.h"

namespace cutaway::report {

std::string placeText(const std::string &file, const std::optional<std::uint64_t> &line)
{
    return line ? formatted("{}:{}", file, *line) : file;
}

std::string idText(const sequence::Sequence &sequence)
{
    std::string id = sequence.compileId.value_or("graphs");
    if (sequence.rank)
        id = formatted("rank {}, {}", *sequence.rank, id);
    if (sequence.part == sequence::Part::Backward)
        id += " backward";
    return sanitized(id);
}

std::string headingOf(const sequence::Sequence &sequence)
{
    std::string heading = idText(sequence);
    if (!sequence.function.empty())
        heading += "  " + sequence.function;
    if (!sequence.file.empty())
        heading += "  " + placeText(sequence.file, sequence.line);
    if (sequence.status != sequence::Status::Ok)
        heading += formatted("  [{}]", sequence::name(sequence.status));
    return sanitized(heading);
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
