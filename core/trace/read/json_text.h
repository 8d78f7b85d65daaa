// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// JSON as profilers write it, read in place. Some writers do not escape quotes in names, so a string ends at the quote
// that a comma, a colon or a closing bracket follows.

namespace cutaway::trace {

/// The position behind the value that begins at `at`; npos where the text ends before it.
std::size_t valueEnd(std::string_view text, std::size_t at);

/// The position of the first character from `at` on that is no white space; the size where there is none.
std::size_t skipSpace(std::string_view text, std::size_t at);

/// Walks over the members of an object or the items of a list.
class Members {
public:
    /// `text` is a whole object or list.
    explicit Members(std::string_view text) : m_text(text), m_isObject(text.starts_with('{')) { }

    /// Goes to the next one; false at the end, or where the text is damaged.
    bool next();
    std::string_view key() const { return m_key; }     ///< as written, without the quotes; "" in a list
    std::string_view value() const { return m_value; } ///< as written, with the quotes of a string
    /// Whether nothing is left.
    bool isAtEnd() const { return m_at + 1 >= m_text.size(); }

private:
    std::string_view m_text, m_key, m_value;
    std::size_t m_at = 1;
    bool m_isObject;
};

/// A value as text: a string without quotes and escapes, anything else as it is written.
std::string plainText(std::string_view value);

} // namespace cutaway::trace
