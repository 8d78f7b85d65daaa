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
    /// `heading` is the part of the model that the code begins with.
    explicit CodeLines(std::string heading) : m_heading(heading), m_shown(std::move(heading)) { }

    /// Adds a statement, after the pending heading comment if there is one.
    void add(std::string_view statement);
    /// Adds an assignment of `from` to `to`, "a, b = c, d", without the pairs that are equal; adds nothing if all are
    /// equal.
    void addMoves(std::span<const std::string> to, std::span<const std::string> from);

    /// Adds `statement`, which ends in ":", and begins its block. If nothing is added to the block, close() adds
    /// "pass".
    void open(std::string_view statement);
    /// Begins the block of the line that was added last.
    void begin();
    void close();
    int depth() const { return m_depth; }

    /// Sets the part of the model that the following statements belong to; a comment names it if the statement before
    /// belonged to another part.
    void setHeading(std::string heading) { m_heading = std::move(heading); }
    /// Notes that the next line only closes a block, so that it gets no heading.
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
