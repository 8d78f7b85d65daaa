// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// Where the lines of a text start; the text must not change.
class LineStarts {
public:
    explicit LineStarts(std::string_view text);

    std::uint32_t count() const { return static_cast<std::uint32_t>(m_starts.size()); }
    /// Returns the number of the line that contains the byte, from 1.
    std::uint32_t lineAt(std::size_t byte) const;
    /// Returns a line by its number from 1, without its end and the white space around it; "" if there is no such line.
    std::string_view trimmed(std::uint32_t line) const;

private:
    std::string_view m_text;
    std::vector<std::size_t> m_starts;
};

} // namespace cutaway::print
