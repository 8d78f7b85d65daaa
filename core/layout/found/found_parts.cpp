// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/found/found_parts.h"

#include <algorithm>
#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <string>

namespace cutaway::layout {

namespace {

bool isCalled(const FoundName &part, const query::Pattern &name)
{
    std::string called = query::lowerCase(part.name);
    if (name.matches(called) || (!part.path.empty() && name.matches(query::lowerCase(part.path))))
        return true;
    boost::erase_all(called, " ");
    boost::replace_all(called, "×", "x");
    return name.matches(called);
}

/// Returns the index of the part with this subject; 0, the body, if there is none.
std::uint32_t indexOf(const Outline &outline, const FoundSubject &part)
{
    const auto at = std::ranges::find(outline.parts, Subject(part), &Part::subject);
    return at == outline.parts.end() ? 0 : static_cast<std::uint32_t>(at - outline.parts.begin());
}

} // namespace

std::vector<ir::NodeId> nodesInParts(const Outline &outline, const query::Pattern &name)
{
    const query::Pattern wanted = name.lowered();
    std::vector<ir::NodeId> nodes;
    std::uint32_t end = 0; // the end of the part whose nodes are collected
    for (std::uint32_t i = 0; i < outline.parts.size(); ++i) {
        const Part &part = outline.parts[i];
        if (i >= end && std::holds_alternative<FoundSubject>(part.subject)
            && isCalled(outline.found[part.found], wanted))
            end = part.end;
        if (const auto *node = std::get_if<ir::NodeId>(&part.subject); node && i < end)
            nodes.push_back(*node);
    }
    return nodes;
}

std::vector<ir::NodeId> nodesInPart(const Outline &outline, const FoundSubject &part)
{
    std::vector<ir::NodeId> nodes;
    if (const std::uint32_t at = indexOf(outline, part); at != 0)
        for (std::uint32_t i = at; i < outline.parts[at].end; ++i)
            if (const auto *node = std::get_if<ir::NodeId>(&outline.parts[i].subject))
                nodes.push_back(*node);
    return nodes;
}

std::optional<FoundSubject> partCalled(const Outline &outline, const query::Pattern &name)
{
    const query::Pattern wanted = name.lowered();
    for (const Part &part : outline.parts)
        if (const auto *found = std::get_if<FoundSubject>(&part.subject);
            found && isCalled(outline.found[part.found], wanted))
            return *found;
    return std::nullopt;
}

std::string nameOf(const Outline &outline, const FoundSubject &part)
{
    const std::uint32_t at = indexOf(outline, part);
    return at == 0 ? std::string() : outline.found[outline.parts[at].found].name;
}

} // namespace cutaway::layout
