// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/statement_lines.h"

#include "core/print/control_flow.h"
#include "core/print/torch/holes.h"

namespace cutaway::print {

namespace {

constexpr std::size_t lineWidth = 100;
constexpr int maxCallDepth = 3; ///< the limit of calls inside each other in a statement

std::string indentation(int depth)
{
    std::string blanks(4 * static_cast<std::size_t>(depth), ' ');
    return blanks;
}

} // namespace

void StatementLines::add(std::string statement)
{
    m_lines.push_back(indentation(m_depth) + std::move(statement));
    m_isBlockEmpty = false;
    m_pending.reset();
}

void StatementLines::open(std::string statement)
{
    add(std::move(statement));
    ++m_depth;
    m_isBlockEmpty = true;
}

void StatementLines::close()
{
    if (m_isBlockEmpty)
        add("pass");
    --m_depth;
    m_isBlockEmpty = false;
    m_pending.reset();
}

void StatementLines::addMoves(std::span<const std::string> to, std::span<const std::string> from)
{
    if (const std::string moves = movesText(to, from); !moves.empty())
        add(moves);
}

Expression StatementLines::withPending(const std::function<Expression()> &statement, std::size_t targetWidth)
{
    if (m_pending) {
        const auto before = m_pending;
        m_isTaken = false;
        m_mayTake = true;
        Expression made = statement();
        m_mayTake = false;
        const std::size_t width = 4 * static_cast<std::size_t>(m_depth) + targetWidth + plain(made.text).size();
        if (m_isTaken && width <= lineWidth && made.depth <= maxCallDepth) {
            m_lines.pop_back();
            m_pending.reset();
            return made;
        }
        if (!m_isTaken)
            return made;
        m_pending = before;
    }
    return statement();
}

const Expression *StatementLines::takePending(ir::ValueId value)
{
    if (!m_mayTake || !isPending(value))
        return nullptr;
    m_isTaken = true;
    return &m_pending->expression;
}

} // namespace cutaway::print
