// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::print {

/// Returns a node's argument of this name, else its unnamed argument at `position`; nullptr if there is neither.
const ir::Operand *argumentOf(const ir::NodeRef &node, std::string_view name, std::size_t position);

/// The inputs of a prim::Loop.
struct Loop {
    ir::Operand tripCount;
    ir::Operand condition; ///< whether the first iteration runs
    std::vector<ir::Operand> initial;
};

/// Returns the inputs of a loop; nothing if inputs, region and results disagree in the number of loop variables.
std::optional<Loop> loopOf(const ir::NodeRef &node);

/// Whether a loop ends after a number of iterations, and not by its condition alone.
bool isCounted(const Loop &loop);

/// Whether the node has two branches: regions without inputs that have one output for each result of the node.
bool isBranching(const ir::NodeRef &node);

/// Whether an operand is True, or 1.
bool isTrue(const ir::Operand &operand);

/// Returns an assignment of `from` to `to`, "a, b = c, d", without the pairs that are equal; "" if all are equal.
std::string movesText(std::span<const std::string> to, std::span<const std::string> from);

template <class Lines>
void addBreakUnless(Lines &lines, const std::string &condition)
{
    lines.open("if not " + condition + ":");
    lines.add("break");
    lines.close();
}

/// Opens the block of a loop. `index` is the name of the variable that counts iterations, "" if nothing reads it;
/// `count` is the loop's trip count and `condition` its condition as Python, "True" if it always holds.
template <class Lines>
void openLoop(Lines &lines, const Loop &loop, const std::string &index, const std::string &count,
              const std::string &condition)
{
    if (!isCounted(loop) && index.empty())
        return lines.open("while " + condition + ":");
    lines.open("for " + (index.empty() ? "_" : index) + " in range(" + count + "):");
    if (condition != "True")
        addBreakUnless(lines, condition);
}

} // namespace cutaway::print
