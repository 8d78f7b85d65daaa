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
        Moved,   ///< nodes stand at another place among the others
    };
    /// Operators in the order of their first node, with how many nodes of the change are of each.
    using Operators = std::vector<std::pair<std::string, std::size_t>>;

    Kind kind = Kind::Replaced;
    Operators before, after; ///< one of them is empty unless nodes were replaced, changed or moved
    std::size_t count = 0;   ///< how often such a change occurs
};
std::string_view name(StepPattern::Kind kind); ///< "replaced"

/// The changes of a step that concern a module, the root for all, the most frequent ones first. Nodes that just read
/// what stands for others are no change. Nodes that only moved are told of where there is no other change.
std::vector<StepPattern> patternsOf(const ir::Graph &before, const ir::Graph &after, const StepDifference &step,
                                    ir::ScopeId module = {});

/// "6 × linear + relu → addmm", "12 × transpose gone", "3 × mul → constant", "add moved".
std::string print(const StepPattern &pattern);

/// The first patterns in one line, and how many more there are; "" for none. Operators have the names of the file.
std::string lineOf(std::span<const StepPattern> patterns, std::size_t most = 3);

} // namespace cutaway::diff
