// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/code_lines.h"

#include "core/print/control_flow.h"

namespace cutaway::print {

void CodeLines::add(std::string_view statement)
{
    if (m_heading != m_shown) {
        if (!m_isBlockEmpty)
            m_text += '\n';
        indented("# " + m_heading);
        m_shown = m_heading;
    }
    indented(statement);
    m_isBlockEmpty = false;
}

void CodeLines::addMoves(std::span<const std::string> to, std::span<const std::string> from)
{
    if (const std::string moves = movesText(to, from); !moves.empty())
        add(moves);
}

void CodeLines::open(std::string_view statement)
{
    add(statement);
    begin();
}

void CodeLines::begin()
{
    ++m_depth;
    m_isBlockEmpty = true;
}

void CodeLines::close()
{
    if (m_isBlockEmpty)
        indented("pass");
    --m_depth;
    m_isBlockEmpty = false;
}

void CodeLines::indented(std::string_view line)
{
    m_text.append(2 * static_cast<std::size_t>(m_depth), ' ');
    (m_text += line) += '\n';
}

} // namespace cutaway::print
