// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// The lines of a text, which must stay as it is.
class LineStarts {
public:
    explicit LineStarts(std::string_view text);

    std::uint32_t count() const { return static_cast<std::uint32_t>(m_starts.size()); }
    /// The line that has the byte, from 1.
    std::uint32_t lineAt(std::size_t byte) const;
    /// A line from 1, without its end and without the white space around it; "" where there is none.
    std::string_view trimmed(std::uint32_t line) const;

private:
    std::string_view m_text;
    std::vector<std::size_t> m_starts;
};

} // namespace cutaway::print
