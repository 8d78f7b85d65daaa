// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

#include <ranges>
#include <unordered_map>

namespace cutaway::convert {

namespace {

using RuleTable = std::unordered_map<std::string, std::vector<const LoweringRule *>>;

RuleTable tableOfRules()
{
    RuleTable table;
    for (const auto family :
         {activationRules, arithmeticRules,   attentionRules, comparisonRules,    convolutionRules, creationRules,
          cumulativeRules, indexingRules,     joiningRules,   normalizationRules, numberRules,      poolingRules,
          productRules,    quantizationRules, randomRules,    recurrentRules,     reductionRules,   resamplingRules,
          selectionRules,  viewRules,         visionRules})
        for (const LoweringRule &rule : family())
            for (const auto name : rule.names | std::views::split(' '))
                table[std::string(name.begin(), name.end())].push_back(&rule);
    return table;
}

} // namespace

std::span<const LoweringRule *const> rulesOf(std::string_view dialect, std::string_view plainName)
{
    static const RuleTable table = tableOfRules();
    const auto found = table.find(std::string(dialect) + "::" + std::string(plainName));
    return found == table.end() ? std::span<const LoweringRule *const>() : found->second;
}

} // namespace cutaway::convert
