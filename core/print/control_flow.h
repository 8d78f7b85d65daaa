// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// A node's argument of this name, else its unnamed argument at `position`; nullptr if there is neither.
const ir::Operand *argumentOf(const ir::NodeRef &node, std::string_view name, std::size_t position);

/// The inputs of a prim::Loop.
struct Loop {
    ir::Operand tripCount;
    ir::Operand condition; ///< whether the first iteration runs
    std::vector<ir::Operand> initial;
};

/// Nothing if inputs, region and results disagree in the number of loop variables.
std::optional<Loop> loopOf(const ir::NodeRef &node);

/// Whether the node has two branches with one output for each of its results.
bool isBranching(const ir::NodeRef &node);

/// Whether an operand is True, or 1.
bool isTrue(const ir::Operand &operand);

/// Prints "a, b = c, d" without the pairs that are equal; "" if all are.
std::string movesText(std::span<const std::string> to, std::span<const std::string> from);

template <class Lines>
void addBreakUnless(Lines &lines, const std::string &condition)
{
    lines.open("if not " + condition + ":");
    lines.add("break");
    lines.close();
}

/// Opens the block of a loop. `index` is the name of the iteration's number, "" where nothing reads it; `count` is the
/// loop's trip count and `condition` its condition as Python, "True" where it always holds.
template <class Lines>
void openLoop(Lines &lines, const Loop &loop, const std::string &index, const std::string &count,
              const std::string &condition)
{
    const bool isCounted = loop.tripCount != ir::Operand(std::numeric_limits<std::int64_t>::max());
    if (!isCounted && index.empty())
        return lines.open("while " + condition + ":");
    lines.open("for " + (index.empty() ? "_" : index) + " in range(" + count + "):");
    if (condition != "True")
        addBreakUnless(lines, condition);
}

} // namespace cutaway::print
