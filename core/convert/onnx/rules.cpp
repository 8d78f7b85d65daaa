// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"
#include "core/ops/rule_table.h"

namespace cutaway::convert {

std::span<const LoweringRule *const> rulesOf(std::string_view dialect, std::string_view plainName)
{
    static const ops::RuleTable<LoweringRule> rules{
        activationRules(), arithmeticRules(), attentionRules(),  comparisonRules(),   convolutionRules(),
        creationRules(),   cumulativeRules(), indexingRules(),   joiningRules(),      normalizationRules(),
        numberRules(),     poolingRules(),    productRules(),    quantizationRules(), randomRules(),
        recurrentRules(),  reductionRules(),  resamplingRules(), selectionRules(),    viewRules(),
        visionRules()};
    return rules.of(dialect, plainName);
}

} // namespace cutaway::convert
