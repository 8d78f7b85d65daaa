// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cutaway::formats::graph_text {

/// A line of code, joined with the following lines up to the one that closes its brackets.
struct Line {
    std::string_view text; ///< without blanks around it; never empty
    std::size_t indent = 0;
    std::uint32_t number = 0;
    bool isComment() const { return text.starts_with('#'); }
};

/// Iterates over the lines of code, without blank ones. A line with open brackets is joined with the lines below it
/// that are indented deeper or begin with a closing bracket. All lines together take O(length of the source).
class Lines {
public:
    Lines(std::string_view source, std::uint32_t firstLine) : m_source(source), m_number(firstLine) { }

    /// Advances to the next line, which is then now(); returns whether there is one.
    bool next();
    const Line &now() const { return m_now; }

private:
    bool isContinuation(std::size_t offset) const;

    std::string_view m_source;
    std::size_t m_offset = 0;
    std::uint32_t m_number;
    Line m_now;
};

std::string_view trimmed(std::string_view text);

/// Returns the statements of a line, which `;` separates.
std::vector<std::string_view> statementsOf(std::string_view line);

} // namespace cutaway::formats::graph_text
