// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/steps/step_links.h"

#include <span>
#include <string>

namespace cutaway::diff {

/// Equal little changes of one step: "6 × linear + relu → addmm".
struct StepPattern {
    enum class Kind : std::uint8_t {
        Replaced, ///< nodes became others
        Folded,   ///< nodes became constants
        Gone,
        New,
        Changed, ///< nodes have other arguments
        Moved,   ///< nodes with another position among the others
    };
    /// Operators in the order of their first node, each with its number of nodes in the change.
    using Operators = std::vector<std::pair<std::string, std::size_t>>;

    Kind kind = Kind::Replaced;
    Operators before, after; ///< one of the two is empty unless the kind is Replaced, Changed or Moved
    std::size_t count = 0;   ///< how many changes of the step are equal to this one
};
std::string_view name(StepPattern::Kind kind); ///< "replaced"

/// Returns the changes of a step in a module, or everywhere for the root, most frequent first. A node that only reads
/// replaced values is no change. Moved nodes are listed only if there is no other change.
std::vector<StepPattern> patternsOf(const ir::Graph &before, const ir::Graph &after, const StepDifference &step,
                                    ir::ScopeId module = {});

/// "6 × linear + relu → addmm", "12 × transpose gone", "3 × mul → constant", "add moved".
std::string print(const StepPattern &pattern);

/// Returns the first `most` patterns in a line, and how many more there are; "" for none. Operators are as in the file.
std::string lineOf(std::span<const StepPattern> patterns, std::size_t most = 3);

} // namespace cutaway::diff
