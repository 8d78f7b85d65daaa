// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/computable.h"

#include "core/analysis/shapes.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/passes/history.h"
#include "core/passes/library/unpack_weights.h"
#include "core/passes/pipeline.h"
#include "core/rewrite/layouts.h"
#include "core/rewrite/rewriter.h"
#include "core/rules/rules.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

bool isForLowering(const ir::NodeRef &node)
{
    if (node->removed || !node.isOnnx() || !rules::loweringOf(node.dialect(), node.opName()))
        return false;
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    return row && !row->traits.compute;
}

bool hasAny(const ir::Graph &graph)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (isForLowering(ir::NodeRef(graph, id)))
            return true;
    return false;
}

/// Inlines the called functions if one of them has such nodes, since only then their arguments are known. Calls that
/// cannot be inlined stay.
ir::Model withCallsInside(const ir::Model &model, ir::FunctionId function, const Task &task)
{
    const bool isInside = std::ranges::any_of(model.functions, [&](const ir::Function &other) {
        return &other != &model.at(function) && hasAny(other.graph);
    });
    const auto pipeline = isInside ? parsePipeline("inline-calls") : Result<Pipeline>(Pipeline());
    if (!isInside || !pipeline)
        return model;
    History history(std::make_shared<const ir::Model>(model), function);
    history.run(withNeeds(*pipeline), task);
    return history.failure() ? model : *history.modelAfter(history.steps().size());
}

/// Returns the facts of the inputs, which follow from their values.
analysis::Given givenBy(const ir::Model &model, const ir::Function &function, std::span<const compute::Value> inputs)
{
    analysis::Given given;
    const std::vector<ir::ValueId> &values = function.graph.at(ir::Graph::body).inputs;
    for (std::size_t i = 0; i < values.size() && i < inputs.size(); ++i) {
        const auto input = std::ranges::find(function.inputs, ir::Operand(values[i]), &ir::FunctionInput::value);
        const ops::Fact fact = compute::factOf(inputs[i]);
        if (input != function.inputs.end() && input->kind == ir::FunctionInput::Kind::User && ops::asTensor(fact))
            given.inputs.emplace(model.context->text(input->name), fact);
    }
    return given;
}

} // namespace

ir::Model computable(const ir::Model &model, ir::FunctionId function, std::span<const compute::Value> inputs,
                     const Task &task)
{
    const bool isPacked = hasPackedLayers(model.at(function).graph);
    if (std::ranges::none_of(model.functions, hasAny, &ir::Function::graph) && !isPacked)
        return model;
    ir::Model made = withCallsInside(model, function, task);
    if (!hasAny(made.at(function).graph) && !isPacked)
        return made;
    std::erase_if(made.functions[function.index].inputs, ir::isOverridable); // the run uses the file's values for them
    const analysis::Shapes shapes =
        analysis::inferShapes(made, function, givenBy(made, made.at(function), inputs), task);
    rewrite::Rewriter rewriter(made, function, [&]() -> const analysis::Shapes & { return shapes; }, task);
    if (isPacked)
        unpackWeights(rewriter);
    rewrite::Layouts layouts(rewriter);
    for (const ir::NodeRef &node : rewriter.nodes()) {
        if (rewriter.isRemoved(node) || !isForLowering(node))
            continue;
        const rules::to_aten::Parts results = rules::to_aten::OnnxNode(rewriter, layouts, node).made();
        for (std::size_t i = 0; i < results.size(); ++i)
            rewriter.replaceUses(node.output(i), results[i]);
        if (!results.empty())
            rewriter.remove(node);
    }
    rewriter.finish();
    return made;
}

} // namespace cutaway::passes
