// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/kind.h"
#include "core/ops/network/convolution.h"
#include "core/ops/schemas/schema_table.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

using ir::NodeRef;

bool takeTheSame(const ops::Schema &a, const ops::Schema &b)
{
    return std::ranges::equal(a.arguments, b.arguments, [](const auto &x, const auto &y) {
        return x.type == y.type && x.defaultValue == y.defaultValue;
    });
}

/// Renames an operator to its plain name, as aten::absolute_ to aten::abs_, and the arguments to those of that
/// operator.
void usePlainName(rewrite::Rewriter &rewriter, const NodeRef &node)
{
    const bool isInPlace = node.opName().ends_with('_');
    std::string_view alias = node.opName();
    alias.remove_suffix(isInPlace ? 1 : 0);
    const std::string_view plain = ops::plainNameOf(node.dialect(), alias);
    const ops::Signature *old = rewriter.signature(node->op);
    if (plain == alias || !old)
        return;
    const std::string name = std::string(plain) + (isInPlace ? "_" : "");
    const auto schemas = ops::schemasOf(node.dialect(), name);
    const auto schema = std::ranges::find_if(
        schemas, [&](const ops::Schema &candidate) { return takeTheSame(old->schema, candidate); });
    if (schema == schemas.end())
        return;
    std::vector<ir::Argument> arguments = node->arguments;
    for (ir::Argument &argument : arguments)
        for (std::size_t i = 0; i < schema->arguments.size() && argument.name != ir::NameId{}; ++i)
            if (rewriter.context().text(argument.name) == old->schema.arguments[i].name) {
                argument.name = rewriter.text(schema->arguments[i].name);
                break;
            }
    rewriter.setArguments(node, std::move(arguments));
    rewriter.setOperator(node, node.dialect(), name, schema->overload);
}

/// Turns aten::_convolution and aten::convolution, which tracing and decompositions leave, into aten::conv1d, conv2d or
/// conv3d.
void nameConvolutionByRank(rewrite::Rewriter &rewriter, const NodeRef &node)
{
    if (rewriter.kind(node) != ops::kind::conv || !rewriter.argument(node, "transposed"))
        return;
    const ops::Call call = rewriter.call(node);
    const auto given = ops::convolutionArguments(call);
    const ir::Shape *weight = given ? call.shape(given->weight) : nullptr;
    if (!weight || given->transposed != false || weight->size() < 3 || weight->size() > 5)
        return;
    std::vector<ir::Argument> arguments;
    for (const std::string_view name : {"input", "weight", "bias", "stride", "padding", "dilation", "groups"})
        if (const ir::Operand *operand = rewriter.argument(node, name))
            arguments.push_back({rewriter.text(name), *operand});
    rewriter.setArguments(node, std::move(arguments));
    rewriter.setOperator(node, "aten", formatted("conv{}d", weight->size() - 2), "");
}

/// Replaces aten::rsub(a, b) by aten::sub(b, a).
void useSub(rewrite::Rewriter &rewriter, const NodeRef &node)
{
    if (rewriter.kind(node) != ops::kind::rsub || node.overload() != "Tensor")
        return;
    const ir::Operand *self = rewriter.argument(node, "self");
    const ir::Operand *other = rewriter.argument(node, "other");
    if (!self || !other)
        return;
    std::vector<ir::Argument> arguments{{rewriter.text("self"), *other}, {rewriter.text("other"), *self}};
    if (const ir::Operand *alpha = rewriter.argument(node, "alpha"))
        arguments.push_back({rewriter.text("alpha"), *alpha});
    rewriter.setArguments(node, std::move(arguments));
    rewriter.setOperator(node, "aten", "sub", "Tensor");
}

/// Replaces an onnx::Sum of two operands by onnx::Add.
void addTwo(rewrite::Rewriter &rewriter, const NodeRef &node)
{
    if (rewriter.kind(node) == ops::kind::sumOfAll && node.dialect() == "onnx" && node->arguments.size() == 2)
        rewriter.setOperator(node, "onnx", "Add", "");
}

Result<void> runNormalizeOperators(rewrite::Rewriter &rewriter, const Settings &)
{
    for (const NodeRef node : rewriter.nodes()) {
        if (node.isOnnx()) {
            addTwo(rewriter, node);
        } else if (node.dialect() == "aten") {
            usePlainName(rewriter, node);
            nameConvolutionByRank(rewriter, node);
            useSub(rewriter, node);
        }
    }
    return {};
}

} // namespace

extern const Pass normalizeOperators;
const Pass normalizeOperators{"normalize-operators",
                              "Rewrites operators that have several names or forms to one of them.",
                              {},
                              runNormalizeOperators};

} // namespace cutaway::passes
