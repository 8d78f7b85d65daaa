// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/pt2/program_values.h"
#include "core/ops/row_names.h"

namespace cutaway::convert {

/// A rule for operators that torch's dispatcher does not have, or that a program cannot hold.
struct ProgramRule {
    ops::RowNames names;
    /// Returns the results; an empty list if the rule does not apply, or has refused the node.
    std::vector<ir::Operand> (*make)(ProgramValues &t, const ir::NodeRef &node, std::string_view target);
    std::string_view target = {}; ///< the operator that make() makes, for functions that several rules share
};
const ProgramRule *programRuleOf(std::string_view dialect, std::string_view plainName);

} // namespace cutaway::convert
