// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/log_line.h"

#include <algorithm>
#include <charconv>

namespace cutaway::sequence {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Reads a line from its start. A read that fails takes nothing from the line.
class Cursor {
public:
    explicit Cursor(std::string_view line) : m_rest(line) { }

    bool skip(std::string_view text)
    {
        const bool isThere = m_rest.starts_with(text);
        m_rest.remove_prefix(isThere ? text.size() : 0);
        return isThere;
    }

    /// Skips a text of this form, in which 9 stands for a digit, and other characters for themselves.
    bool skipForm(std::string_view form)
    {
        if (m_rest.size() < form.size())
            return false;
        for (std::size_t i = 0; i < form.size(); ++i)
            if (form[i] == '9' ? !isDigit(m_rest[i]) : m_rest[i] != form[i])
                return false;
        m_rest.remove_prefix(form.size());
        return true;
    }

    std::string_view digits()
    {
        const auto *end = std::ranges::find_if_not(m_rest, isDigit);
        return take(static_cast<std::size_t>(end - m_rest.begin()));
    }

    std::string_view take(std::size_t count)
    {
        const std::string_view taken = m_rest.substr(0, count);
        m_rest.remove_prefix(taken.size());
        return taken;
    }

    std::string_view rest() const { return m_rest; }

private:
    std::string_view m_rest;
};

std::optional<int> takeRank(Cursor &cursor)
{
    Cursor ahead = cursor;
    int rank = 0;
    if (!ahead.skip("[rank"))
        return std::nullopt;
    const std::string_view digits = ahead.digits();
    if (std::from_chars(digits.data(), digits.data() + digits.size(), rank).ec != std::errc() || !ahead.skip("]:"))
        return std::nullopt;
    cursor = ahead;
    return rank;
}

bool isCompileId(std::string_view text)
{
    return (text.contains('/') || text.starts_with('!'))
        && std::ranges::all_of(text, [](char c) { return isDigit(c) || c == '/' || c == '_' || c == '!' || c == '-'; });
}

/// Reads `[0/0] ` in front of the text; "" if it is not there.
std::string_view takeCompileId(Cursor &cursor)
{
    const std::string_view rest = cursor.rest();
    const std::size_t end = rest.find(']');
    if (!rest.starts_with('[') || end == std::string_view::npos || !isCompileId(rest.substr(1, end - 1)))
        return {};
    cursor.take(end + 1);
    cursor.skip(" ");
    return rest.substr(1, end - 1);
}

/// Reads `[__graph_code] `; "" if it is not there.
std::string_view takeArtifact(Cursor &cursor)
{
    const std::string_view rest = cursor.rest();
    const std::size_t end = rest.find(']');
    if (!rest.starts_with("[__") || end == std::string_view::npos || rest.substr(0, end).contains(' '))
        return {};
    cursor.take(end + 1);
    cursor.skip(" ");
    return rest.substr(1, end - 1);
}

/// Reads the prefix of torch 2.3 and later: a level letter, the time, the process, `path:line] `, and perhaps the id
/// and the artifact. Returns false for other lines.
bool takeGlogPrefix(Cursor &cursor, LogLine &line)
{
    if (!std::string_view("VIWECD").contains(cursor.rest().substr(0, 1)) || cursor.take(1).empty()
        || !cursor.skipForm("9999 99:99:99.9"))
        return false;
    cursor.digits();
    if (!cursor.rest().starts_with(' '))
        return false;
    cursor.take(std::min(cursor.rest().find_first_not_of(' '), cursor.rest().size()));
    const std::string_view rest = cursor.rest();
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos || end < 4 || !isDigit(rest.front()) || !isDigit(rest[end - 1])
        || !rest.substr(0, end).contains(':'))
        return false;
    line.writer = cursor.take(end + 1);
    cursor.skip(" ");
    line.compileId = takeCompileId(cursor);
    line.artifact = takeArtifact(cursor);
    return true;
}

/// Reads the prefix of torch 2.2 and older: the time in brackets, perhaps the id, the logger's name and the level.
/// Returns false for other lines.
bool takeOldPrefix(Cursor &cursor, LogLine &line)
{
    if (!cursor.skipForm("[9999-99-99 99:99:99,9"))
        return false;
    cursor.digits();
    if (!cursor.skip("] "))
        return false;
    line.compileId = takeCompileId(cursor);
    const std::string_view rest = cursor.rest();
    const std::size_t end = rest.find(": [");
    const std::size_t level = end == std::string_view::npos ? end : rest.find(']', end);
    if (level == std::string_view::npos || rest.substr(0, end).contains(' '))
        return false;
    line.writer = cursor.take(end);
    const std::size_t dot = line.writer.rfind('.');
    const std::string_view last = line.writer.substr(dot == std::string_view::npos ? 0 : dot + 1);
    line.artifact = last.starts_with("__") ? last : std::string_view();
    cursor.take(level + 1 - end);
    cursor.skip(" ");
    return true;
}

} // namespace

std::optional<LogLine> parseLogLine(std::string_view text)
{
    Cursor cursor(text);
    LogLine line;
    line.rank = takeRank(cursor);
    cursor.skip(line.rank ? " " : "");
    const bool isOld = cursor.rest().starts_with('[');
    if (isOld ? !takeOldPrefix(cursor, line) : !takeGlogPrefix(cursor, line))
        return std::nullopt;
    line.text = cursor.rest();
    return line;
}

bool isRecordHeader(const LogLine &line) { return line.compileId.empty() && line.text.starts_with("{\""); }

} // namespace cutaway::sequence
