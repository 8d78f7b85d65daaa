// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::sequence {

/// Joins the lines of Python code to statements in a uniform form: without comments and line breaks, and without blanks
/// and commas before a closing bracket that have no meaning. Statements that semicolons separate come one by one.
class Statements {
public:
    /// Adds a line and calls visit(std::string_view statement) for each statement that ends on it.
    template <class Visit>
    void add(std::string_view line, Visit &&visit)
    {
        if (m_statement.empty())
            m_indentation = std::min(line.find_first_not_of(' '), line.size());
        for (std::size_t at = 0; at < line.size();)
            if (line[at] == ';' && m_brackets.empty()) {
                end(visit);
                ++at;
            } else {
                at = take(line, at);
            }
        if (m_brackets.empty())
            end(visit);
        else
            m_hasBlank = true;
    }

    /// Returns the number of columns before the current statement, while it is visited.
    std::size_t indentation() const { return m_indentation; }

private:
    struct Bracket {
        bool isCall = false; ///< whether one value between the brackets means the same with and without a comma after
                             ///< it
        std::size_t commas = 0;
    };

    template <class Visit>
    void end(Visit &&visit)
    {
        if (!m_statement.empty())
            visit(std::string_view(m_statement));
        m_statement.clear();
        m_hasBlank = false;
    }
    std::size_t take(std::string_view line, std::size_t at);
    std::size_t takeString(std::string_view line, std::size_t at);
    std::size_t takeWord(std::string_view line, std::size_t at);
    void takeOpening(char bracket);
    void takeClosing(char bracket);

    std::string m_statement;
    std::vector<Bracket> m_brackets; ///< brackets that are open
    bool m_hasBlank = false;         ///< whether a blank precedes the next token
    std::size_t m_indentation = 0;
};

} // namespace cutaway::sequence
