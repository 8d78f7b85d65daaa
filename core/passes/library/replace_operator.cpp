// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ir/opsets.h"
#include "core/ops/kind.h"
#include "core/ops/schemas/onnx_operators.h"
#include "core/ops/schemas/schema_table.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

/// Returns the operator of this kind that takes one tensor and nothing else: aten::gelu or onnx::Gelu for "gelu".
std::optional<std::string> unaryOperator(std::string_view dialect, ops::OperatorKind kind)
{
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows)
            for (const auto &[own, name, plain] : ops::namesOf(row)) {
                if (own != dialect || ops::kindOf(dialect, name) != kind)
                    continue;
                if (ir::isOnnxDialect(dialect))
                    return std::string(name);
                const auto schema = ops::findSchema(dialect, name, "");
                const auto isNeeded = [](const ops::SchemaArgument &a) { return !a.defaultValue; };
                if (schema && std::ranges::count_if(schema->arguments, isNeeded) == 1)
                    return std::string(name);
            }
    return std::nullopt;
}

Result<void> runReplaceOperator(rewrite::Rewriter &rewriter, const Settings &settings)
{
    const ops::OperatorKind from(settings.word("from"));
    const std::string &to = settings.word("to");
    for (const ir::NodeRef node : rewriter.nodes()) {
        if (rewriter.kind(node) != from)
            continue;
        const auto name = unaryOperator(node.dialect(), ops::OperatorKind(to));
        if (!name)
            return std::unexpected(
                Error{ErrorKind::Usage,
                      formatted("there is no operator '{}' of one tensor in the dialect {}", to, node.dialect()),
                      {}});
        if (const auto reason = node.dialect() == "onnx"
                ? ops::whyNotInOpset(*name, ir::opsetIn(rewriter.model(), node.graph(), "onnx"))
                : std::nullopt)
            return std::unexpected(Error{ErrorKind::Usage, *reason, {}});
        if (node->arguments.empty())
            continue;
        const bool isInPlace = !node.isOnnx() && node.opName().ends_with('_');
        rewriter.setArguments(node, {node->arguments.front()});
        rewriter.setOperator(node, node.dialect(), *name + (isInPlace ? "_" : ""), "");
    }
    return {};
}

} // namespace

extern const Pass replaceOperator;
const Pass replaceOperator{
    "replace-operator",
    "Replaces one operator of a single tensor by another, for example relu by gelu; what the model computes changes.",
    {{"from", "the operator to replace, by its kind: relu for aten::relu_ and onnx::Relu", std::string("relu")},
     {"to", "the operator that takes its place", std::string("gelu")}},
    runReplaceOperator,
    false};

} // namespace cutaway::passes
