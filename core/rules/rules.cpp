// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include "core/ops/operator.h"
#include "core/rules/rule_table.h"
#include "core/rules/shared_row.h"

#include <algorithm>
#include <array>

namespace cutaway::rules {

namespace {

std::span<const Family> families()
{
    static const std::array all{
#define FAMILY(name) name(),
#include "core/rules/families.def"
#undef FAMILY
    };
    return all;
}

} // namespace

to_aten::MakeParts decompositionOf(std::string_view dialect, std::string_view name)
{
    static const RuleTable rules(families(), &Family::decompositions);
    if (const to_aten::DecompositionRule *rule = rules.first(dialect, name))
        return rule->make;
    const bool isWrite = name.ends_with('_'); // operators in place have names that end in '_'
    const ops::Operator *row = dialect == "aten" && !isWrite ? ops::findOperator(dialect, name) : nullptr;
    return row && !row->traits.formula.empty() ? to_aten::madeByFormula : nullptr;
}

const to_aten::OnnxLowering *loweringOf(std::string_view dialect, std::string_view name)
{
    static const RuleTable rules(families(), &Family::fromOnnx);
    static constexpr to_aten::OnnxLowering bySharedRow{"", to_aten::madeBySharedRow};
    if (const to_aten::OnnxLowering *rule = rules.first(dialect, name))
        return rule;
    return dialect == "onnx" && sharedRowOf(dialect, name) ? &bySharedRow : nullptr;
}

std::span<const to_onnx::LoweringRule *const> onnxRulesOf(std::string_view dialect, std::string_view plainName)
{
    static const RuleTable rules(families(), &Family::toOnnx);
    static constexpr to_onnx::LoweringRule bySharedRow{"", to_onnx::madeBySharedRow};
    static constexpr std::array onlySharedRow{&bySharedRow};
    const auto known = rules.of(dialect, plainName);
    return known.empty() && dialect == "aten" && sharedRowOf(dialect, plainName) ? onlySharedRow : known;
}

const to_onnx::VersionRow *versionRowOf(std::string_view op, std::int64_t since)
{
    static const RuleTable rules(families(), &Family::versions);
    const auto rows = rules.of("onnx", op);
    const auto row = std::ranges::find(rows, since, &to_onnx::VersionRow::since);
    return row == rows.end() ? nullptr : *row;
}

} // namespace cutaway::rules
