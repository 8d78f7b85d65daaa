// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"
#include "core/print/torch/call_forms.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cutaway::print {

/// The lines of a function in Python, with holes, and its open blocks. A value that only the next statement reads is
/// pending: if that statement has room for the value's expression, the line that assigns the value is removed again.
class StatementLines {
public:
    void add(std::string statement);
    /// Adds the first line of a block, such as "if x:".
    void open(std::string statement);
    /// Closes the innermost block; adds "pass" to a block without statements.
    void close();
    /// Assigns all of `from` to `to` in one statement, but for the pairs that are the same.
    void addMoves(std::span<const std::string> to, std::span<const std::string> from);

    /// Notes that the line that was added last assigns `value`, which only the next statement reads.
    void setPending(ir::ValueId value, Expression expression) { m_pending = Pending{value, std::move(expression)}; }
    bool hasPending() const { return m_pending.has_value(); }
    bool isPending(ir::ValueId value) const { return m_pending && m_pending->value == value; }
    /// Keeps the line of the pending value, which is not pending any more.
    void keepPending() { m_pending.reset(); }
    /// Makes a statement, with the pending value in it if it reads that value and the line is not too long.
    Expression withPending(const std::function<Expression()> &statement, std::size_t targetWidth);
    /// Returns the expression of the value if the value is pending and the current statement may contain it; else
    /// nullptr.
    const Expression *takePending(ir::ValueId value);

    std::vector<std::string> take() { return std::move(m_lines); }

private:
    struct Pending {
        ir::ValueId value;
        Expression expression;
    };

    std::vector<std::string> m_lines;
    int m_depth = 1; ///< the number of blocks around a line; forward() is in a class
    bool m_isBlockEmpty = true;
    std::optional<Pending> m_pending;
    bool m_isTaken = false;
    bool m_mayTake = false;
};

} // namespace cutaway::print
