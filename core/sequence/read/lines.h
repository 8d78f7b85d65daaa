// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace cutaway::sequence {

/// Walks over the lines of a text, which are numbered from 1.
class Lines {
public:
    explicit Lines(std::string_view text) : m_text(text) { }

    /// Moves to the next line; false at the end.
    bool next()
    {
        if (m_next >= m_text.size())
            return false;
        m_start = m_next;
        const std::size_t end = m_text.find('\n', m_start);
        m_endsWithLineFeed = end != std::string_view::npos;
        m_line = m_text.substr(m_start, end == std::string_view::npos ? end : end - m_start);
        m_next = m_endsWithLineFeed ? end + 1 : m_text.size();
        ++m_number;
        return true;
    }

    std::string_view line() const { return m_line; } ///< the line without the line feed
    std::uint64_t number() const { return m_number; }
    std::uint64_t offset() const { return m_start; }
    std::uint64_t nextOffset() const { return m_next; } ///< returns the offset of the next line
    bool endsWithLineFeed() const { return m_endsWithLineFeed; }
    bool isAtEnd() const { return m_next >= m_text.size(); }
    /// Returns the first character of the next line; '\0' at the end.
    char peek() const { return isAtEnd() ? '\0' : m_text[m_next]; }

private:
    std::string_view m_text, m_line;
    std::size_t m_start = 0, m_next = 0;
    std::uint64_t m_number = 0;
    bool m_endsWithLineFeed = false;
};

} // namespace cutaway::sequence
