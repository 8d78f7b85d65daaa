// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/lacking.h"

#include "core/ops/operator.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/ops/schemas/schema_table.h"
#include "core/rules/lowering.h"
#include "core/rules/rules.h"

#include <algorithm>

namespace cutaway::survey {

namespace {

constexpr std::string_view onnxDialect = "onnx", torchDialect = "aten";
constexpr std::int64_t oldestInUse = 11; ///< what every operator set from this one on has is no news

bool isOfOnnx(std::string_view dialect) { return dialect == onnxDialect || dialect.contains('.'); }

bool givesTensor(const ops::Schema &schema)
{
    return !schema.returns.empty() && schema.returns.front().type == ops::SchemaType::plain("Tensor");
}

/// Views, sizes and numbers are often known without a rule; what computes elements of tensors is not. An operator of
/// which no signature is known may be of numbers.
bool computesElements(std::string_view dialect, std::string_view name, const ops::NamedRow &row)
{
    if (!row.row->cost || isOfOnnx(dialect))
        return row.row->cost != nullptr;
    const std::vector<ops::Schema> schemas = ops::schemasOf(dialect, name);
    return !schemas.empty() && std::ranges::all_of(schemas, givesTensor);
}

std::string evaluatorLacks(std::string_view dialect, std::string_view name, const std::optional<ops::NamedRow> &row)
{
    if (!row)
        return "no rule";
    if (row->row->traits.effect == ops::Effect::Random)
        return row->row->traits.compute ? "" : "it draws no random numbers";
    return computesElements(dialect, name, *row) && !row->row->traits.compute ? "no rule" : "";
}

std::string onnxLacks(std::string_view dialect, std::string_view name, const std::optional<ops::NamedRow> &row)
{
    const std::string_view plain = row ? row->plain : name;
    const bool isDecomposed = rules::decompositionOf(dialect, plain) != nullptr;
    const bool isConverted = !rules::onnxRulesOf(dialect, plain).empty() || isDecomposed;
    return isConverted || (row && !computesElements(dialect, name, *row)) ? "" : "no rule";
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
    const auto row = ops::findRow(dialect, name);
    return {.evaluator = evaluatorLacks(dialect, name, row),
            .onnx = isOfOnnx(dialect) ? "" : onnxLacks(dialect, name, row),
            .opsets = dialect == onnxDialect ? opsetsLacking(name) : ""};
}

} // namespace cutaway::survey
