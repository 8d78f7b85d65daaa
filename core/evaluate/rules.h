// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/call.h"

/// How operators are computed: families of kinds, each a source of the same name.
namespace cutaway::evaluate {

struct RuleRow {
    std::string_view kinds; ///< see ops::kindOf; separated by blanks
    Rule rule;
};

std::span<const RuleRow> activationRules();
std::span<const RuleRow> containerRules();
std::span<const RuleRow> convolutionRules();
std::span<const RuleRow> creationRules();
std::span<const RuleRow> elementwiseRules();
std::span<const RuleRow> joiningRules(); ///< and indexing
std::span<const RuleRow> matrixProductRules();
std::span<const RuleRow> normalizationRules();
std::span<const RuleRow> poolingRules();
std::span<const RuleRow> quantizationRules();
std::span<const RuleRow> reductionRules();
std::span<const RuleRow> viewRules();

/// nullptr: nobody knows how such an operator is computed.
Rule ruleOf(std::string_view kind);

} // namespace cutaway::evaluate
