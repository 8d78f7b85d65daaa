// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/lacking.h"

#include "core/ops/operator.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/ops/schemas/schema_table.h"
#include "core/rules/translations.h"

#include <algorithm>

namespace cutaway::survey {

namespace {

constexpr std::int64_t oldestInUse = 11; ///< an operator that this opset has is not reported as missing in older ones

bool givesTensor(const ops::Schema &schema)
{
    return !schema.returns.empty() && schema.returns.front().type == ops::SchemaType::plain("Tensor");
}

/// Whether an operator computes elements of tensors. The results of views, sizes and numbers are often known without a
/// rule; those of other operators are not. An operator without a known signature may be one of numbers.
bool computesElements(std::string_view dialect, std::string_view name, const ops::Operator &row, bool isOfOnnx)
{
    if (!row.cost || isOfOnnx)
        return row.cost != nullptr;
    const std::vector<ops::Schema> schemas = ops::schemasOf(dialect, name);
    return !schemas.empty() && std::ranges::all_of(schemas, givesTensor);
}

std::string opsetsLacking(std::string_view name)
{
    const auto versions = ops::onnxVersions(name);
    if (versions.empty())
        return "all";
    std::string lacking;
    if (versions.front().since > oldestInUse)
        lacking = "below " + std::to_string(versions.front().since);
    if (versions.back().deprecated)
        lacking += (lacking.empty() ? "from " : ", from ") + std::to_string(versions.back().since);
    return lacking;
}

} // namespace

Lacking lackingOf(std::string_view dialect, std::string_view name)
{
    const rules::Translations known = rules::translationsOf(dialect, name);
    const ops::Operator *row = ops::findOperator(dialect, name);
    const bool needsRule = !row || computesElements(dialect, name, *row, known.fromOnnx.has_value());
    const bool isRandom = row && row->traits.effect == ops::Effect::Random;
    Lacking lacking;
    if (!known.isEvaluated && (needsRule || isRandom))
        lacking.evaluator = isRandom ? "it draws no random numbers" : "no rule";
    if (known.toOnnx == rules::Way::None && needsRule)
        lacking.onnx = "no rule";
    if (dialect == "onnx")
        lacking.opsets = opsetsLacking(name);
    return lacking;
}

} // namespace cutaway::survey
