// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/pattern.h"

#include "core/base/text.h"

#include <algorithm>
#include <span>

namespace cutaway::query {

namespace {

/// Whether the text contains the pieces in this order. Each piece is matched at its first position, since a later one
/// leaves less for the others.
bool followEachOther(std::span<const std::string> pieces, std::string_view text)
{
    for (const std::string &piece : pieces) {
        const std::size_t at = text.find(piece);
        if (at == std::string_view::npos)
            return false;
        text.remove_prefix(at + piece.size());
    }
    return true;
}

} // namespace

Pattern Pattern::lowered() const
{
    Pattern small;
    small.m_pieces.clear();
    std::ranges::transform(m_pieces, std::back_inserter(small.m_pieces),
                           [](const std::string &piece) { return lowerCase(piece); });
    return small;
}

bool Pattern::matches(std::string_view text) const
{
    const std::string &first = m_pieces.front(), &last = m_pieces.back();
    if (m_pieces.size() == 1)
        return text == first;
    if (text.size() < first.size() + last.size() || !text.starts_with(first) || !text.ends_with(last))
        return false;
    text.remove_prefix(first.size());
    text.remove_suffix(last.size());
    return followEachOther(std::span(m_pieces).subspan(1, m_pieces.size() - 2), text);
}

bool Pattern::occursIn(std::string_view text) const { return followEachOther(m_pieces, text); }

std::string Pattern::print() const { return joined(m_pieces, "*"); }

std::string lowerCase(std::string_view text)
{
    std::string small(text);
    std::ranges::transform(small, small.begin(),
                           [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return small;
}

} // namespace cutaway::query
