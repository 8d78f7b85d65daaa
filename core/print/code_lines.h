// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway::print {

/// Lines of Python code, in blocks.
class CodeLines {
public:
    /// The code begins in this part of the model.
    explicit CodeLines(std::string heading) : m_heading(heading), m_shown(std::move(heading)) { }

    /// A statement, behind the heading that waits for one.
    void add(std::string_view statement);
    /// "a, b = c, d" without what stays as it is; nothing if all does.
    void addMoves(std::span<const std::string> to, std::span<const std::string> from);

    /// A line that ends in ":" and the block that it begins, which is never left empty.
    void open(std::string_view statement);
    /// The block of a line that stands there already.
    void begin();
    void close();
    int depth() const { return m_depth; }

    /// What follows belongs to this part of the model: a comment says so if the statement before did not.
    void setHeading(std::string heading) { m_heading = std::move(heading); }
    /// What follows closes a block and belongs to no other part.
    void keepHeading() { m_heading = m_shown; }

    std::string take() { return std::move(m_text); }

private:
    void indented(std::string_view line);

    std::string m_text;
    std::string m_heading;
    std::string m_shown;
    int m_depth = 0;
    bool m_isBlockEmpty = true;
};

} // namespace cutaway::print
