// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/pages/lines.h"

#include <algorithm>

namespace cutaway::print {

LineStarts::LineStarts(std::string_view text) : m_text(text), m_starts{0}
{
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
        m_starts.push_back(end + 1);
}

std::uint32_t LineStarts::lineAt(std::size_t byte) const
{
    return static_cast<std::uint32_t>(std::ranges::upper_bound(m_starts, byte) - m_starts.begin());
}

std::string_view LineStarts::trimmed(std::uint32_t line) const
{
    if (line == 0 || line > m_starts.size())
        return {};
    const std::size_t start = m_starts[line - 1];
    const std::size_t end = line < m_starts.size() ? m_starts[line] : m_text.size();
    const std::string_view whole = m_text.substr(start, end - start);
    const std::size_t first = whole.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view()
                                           : whole.substr(first, whole.find_last_not_of(" \t\r\n") + 1 - first);
}

} // namespace cutaway::print
