// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/lines.h"

#include <algorithm>

namespace cutaway::formats::graph_text {

namespace {

/// Follows code through its string literals, comments and brackets, one character at a time.
class Scanner {
public:
    /// Whether the character is part of the code itself, not of a string literal or a comment.
    bool isCode(char c)
    {
        if (m_isComment) {
            m_isComment = c != '\n';
            return false;
        }
        if (m_quote != '\0')
            return inText(c);
        if (c == '#')
            m_isComment = true;
        if (c == '"' || c == '\'')
            m_quote = c;
        if (c == '(' || c == '[' || c == '{')
            ++m_open;
        if (c == ')' || c == ']' || c == '}')
            --m_open;
        return m_quote == '\0' && !m_isComment;
    }
    int open() const { return m_open; }

private:
    /// Advances within a string literal, which ends at its quote or at the end of its line. Returns false: no character
    /// of it is code.
    bool inText(char c)
    {
        if (m_isEscaped || c == '\\')
            m_isEscaped = !m_isEscaped;
        else if (c == m_quote || c == '\n')
            m_quote = '\0';
        return false;
    }

    int m_open = 0;
    char m_quote = '\0';
    bool m_isEscaped = false;
    bool m_isComment = false;
};

} // namespace

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

/// Whether the line at `offset` may continue the current one: it is blank, deeper, or begins with a closing bracket.
bool Lines::isContinuation(std::size_t offset) const
{
    const std::string_view line = m_source.substr(offset, m_source.find('\n', offset) - offset);
    const std::size_t indent = line.find_first_not_of(" \t\r");
    return indent == line.npos || indent > m_now.indent || std::string_view(")]}").contains(line[indent]);
}

bool Lines::next()
{
    while (m_offset < m_source.size()) {
        const std::size_t start = m_offset;
        m_now.number = m_number;
        Scanner scanner;
        bool isFirst = true;
        do {
            const std::size_t end = std::min(m_source.find('\n', m_offset), m_source.size());
            const std::string_view line = m_source.substr(m_offset, end - m_offset);
            if (isFirst)
                m_now.indent = std::min(line.find_first_not_of(" \t\r"), line.size());
            for (const char c : line)
                scanner.isCode(c);
            scanner.isCode('\n');
            m_offset = end + 1;
            ++m_number;
            isFirst = false;
        } while (scanner.open() > 0 && m_offset < m_source.size() && isContinuation(m_offset));
        m_now.text = trimmed(m_source.substr(start, std::min(m_offset, m_source.size()) - start));
        if (!m_now.text.empty())
            return true;
    }
    return false;
}

std::vector<std::string_view> statementsOf(std::string_view line)
{
    std::vector<std::string_view> statements;
    Scanner scanner;
    std::size_t start = 0;
    const auto add = [&](std::size_t end) {
        if (const std::string_view statement = trimmed(line.substr(start, end - start)); !statement.empty())
            statements.push_back(statement);
        start = end + 1;
    };
    for (std::size_t i = 0; i < line.size(); ++i)
        if (scanner.isCode(line[i]) && line[i] == ';' && scanner.open() <= 0)
            add(i);
    add(line.size());
    return statements;
}

} // namespace cutaway::formats::graph_text
