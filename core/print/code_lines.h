// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cutaway::print {

/// Collects lines of Python code in nested blocks.
class CodeLines {
public:
    /// `heading` is the part of the model that the code begins in.
    explicit CodeLines(std::string heading) : m_heading(heading), m_shown(std::move(heading)) { }

    /// Adds a statement, after the pending heading comment if there is one.
    void add(std::string_view statement);
    /// Adds "a, b = c, d" without the pairs that are equal; nothing if all are.
    void addMoves(std::span<const std::string> to, std::span<const std::string> from);

    /// Adds a line that ends in ":" and begins its block, which is never left empty.
    void open(std::string_view statement);
    /// Begins the block of the line that was added last.
    void begin();
    void close();
    int depth() const { return m_depth; }

    /// The following statements belong to this part of the model; a comment says so if the statement before belonged to
    /// another.
    void setHeading(std::string heading) { m_heading = std::move(heading); }
    /// The next line only closes a block, so it needs no heading.
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
