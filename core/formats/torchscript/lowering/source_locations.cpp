// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/source_locations.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

ir::LocationId SourceLocations::at(const Unit &unit, Position position, ir::LocationId caller)
{
    if (unit.member.empty()) // the code is Cutaway's own, without a file
        return caller;
    const auto origin = unit.ranges ? unit.ranges->at(position.offset) : std::nullopt;
    if (!origin)
        return inArchive(unit, position, caller);
    if (const auto *stack = std::get_if<TracedStack>(&*origin))
        return m_traces.fromDocString(stack->text);
    const auto &line = std::get<ScriptedLine>(*origin);
    std::string_view text = line.text;
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return m_context.location({m_context.name(line.file), line.line, {}, m_context.name(text), caller});
}

ir::LocationId SourceLocations::inArchive(const Unit &unit, Position position, ir::LocationId caller)
{
    const auto [known, isNew] = m_lineStarts.try_emplace(&unit);
    auto &starts = known->second;
    const std::string_view text = unit.content.text();
    for (std::size_t i = 0; isNew && i < text.size(); ++i)
        if (text[i] == '\n')
            starts.push_back(static_cast<std::uint32_t>(i) + 1);
    const auto line = std::ranges::upper_bound(starts, position.offset) - starts.begin() + 1;
    return m_context.location({m_context.name(unit.member), static_cast<std::uint32_t>(line), {}, {}, caller});
}

} // namespace cutaway::formats::torchscript
