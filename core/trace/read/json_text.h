// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// JSON as profilers write it, parsed in place. Some writers do not escape quotes in names, so a string ends at a quote
// that is followed by a comma, a colon or a closing bracket.

namespace cutaway::trace {

/// Returns the position after the value that begins at `at`; npos if the text ends before.
std::size_t valueEnd(std::string_view text, std::size_t at);

/// Returns the position of the first character from `at` on that is no white space; the size if there is none.
std::size_t skipSpace(std::string_view text, std::size_t at);

/// Visits the members of an object or the items of a list.
class Members {
public:
    /// `text` is a whole object or list.
    explicit Members(std::string_view text) : m_text(text), m_isObject(text.starts_with('{')) { }

    /// Moves to the next member or item; false at the end, or where the text is damaged.
    bool next();
    std::string_view key() const { return m_key; }     ///< the key as in the text, without quotes; "" in a list
    std::string_view value() const { return m_value; } ///< the value as in the text; a string has its quotes
    /// Whether nothing is left.
    bool isAtEnd() const { return m_at + 1 >= m_text.size(); }

private:
    std::string_view m_text, m_key, m_value;
    std::size_t m_at = 1;
    bool m_isObject;
};

/// Returns a value as text: a string without quotes and escapes, anything else unchanged.
std::string plainText(std::string_view value);

} // namespace cutaway::trace
