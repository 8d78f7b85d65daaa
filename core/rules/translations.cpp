// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/translations.h"

#include "core/ir/node_ref.h"
#include "core/ops/operator.h"
#include "core/ops/schemas/core_aten.h"
#include "core/ops/schemas/schema_table.h"
#include "core/rules/rules.h"

#include <algorithm>

namespace cutaway::rules {

namespace {

/// Returns how an operator without a rule for the target is expressed.
Way wayByParts(std::string_view dialect, std::string_view name)
{
    const to_aten::MakeParts make = decompositionOf(dialect, name);
    return !make ? Way::None : make == to_aten::madeByFormula ? Way::Formula : Way::Decomposition;
}

bool isCore(std::string_view dialect, std::string_view name)
{
    return std::ranges::any_of(ops::schemasOf(dialect, name), [&](const ops::Schema &schema) {
        return ops::isCoreAten(dialect, name, schema.overload);
    });
}

std::optional<Way> wayToCore(std::string_view dialect, std::string_view name)
{
    if (isCore(dialect, name))
        return Way::Itself;
    const Way way = wayByParts(dialect, name);
    return way == Way::None && dialect != "aten" ? std::nullopt : std::optional(way);
}

} // namespace

Translations translationsOf(std::string_view dialect, std::string_view name)
{
    const auto row = ops::findRow(dialect, name);
    const std::string_view plain = row ? row->plain : name;
    Translations all;
    all.isEvaluated = row && row->row->traits.compute;
    all.formula = row ? row->row->traits.formula : std::string_view();
    if (ir::isOnnxDialect(dialect)) {
        all.fromOnnx = loweringOf(dialect, plain) ? Way::Rule : Way::None;
        return all;
    }
    all.coreAten = wayToCore(dialect, name);
    if (all.coreAten.value_or(Way::None) == Way::None)
        all.coreAten = wayToCore(dialect, plain);
    const auto rules = onnxRulesOf(dialect, plain);
    all.toOnnx = rules.empty() ? wayByParts(dialect, plain) : Way::Rule;
    if (!rules.empty())
        all.onnxSince = std::ranges::min(rules, {}, &to_onnx::LoweringRule::minOpset)->minOpset;
    return all;
}

} // namespace cutaway::rules
