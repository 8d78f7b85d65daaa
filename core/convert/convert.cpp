// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/convert.h"

#include "core/base/formatted.h"
#include "core/convert/translation.h"
#include "core/ir/verify.h"
#include "core/ops/operator.h"
#include "core/passes/decompositions/decomposition.h"
#include "core/passes/history.h"

#include <set>

namespace cutaway::convert {

namespace {

using State = std::shared_ptr<const ir::Model>;
using Names = std::set<std::string, std::less<>>;

std::string nameOf(const ir::NodeRef &node) { return formatted("{}::{}", node.dialect(), node.opName()); }

bool hasRule(const ir::NodeRef &node)
{
    const auto row = ops::findRow(node.dialect(), node.opName());
    return !rulesOf(node.dialect(), row ? row->plain : node.opName()).empty();
}

Result<State> stateAfter(const State &model, ir::FunctionId function, const analysis::Given &given,
                         const passes::Pipeline &pipeline, const Task &task)
{
    passes::History history(model, function, given);
    history.run(pipeline, task);
    if (history.failure())
        return std::unexpected(history.failure()->error);
    if (task.stopRequested())
        return cancelled();
    return history.modelAfter(history.steps().size());
}

/// What is given takes the place of a default, which passes would rely on.
ir::Model withoutDefaults(ir::Model model, ir::FunctionId id, const analysis::Given &given)
{
    ir::Function &function = model.functions[id.index];
    for (ir::FunctionInput &input : function.inputs) {
        const auto found = given.inputs.find(model.context->text(input.name));
        const auto *value = input.value.as<ir::ValueId>();
        if (found == given.inputs.end() || !value || !ir::hasDefault(input))
            continue;
        input.tensor.reset();
        input.defaultValue.reset();
        if (const auto type = onnxType(found->second); type && ops::asTensor(found->second))
            function.graph.setType(*value, model.context->type(*type));
    }
    return model;
}

/// Calls are inlined and branches taken that are certain; then most writes in place are understood.
Result<State> preparedForRules(const State &model, ir::FunctionId function, const analysis::Given &given,
                               const Task &task)
{
    const auto values = passes::withNeeds(passes::parsePipeline("functionalize").value());
    return stateAfter(model, function, given, passes::defaultPipeline(), task).and_then([&](const State &state) {
        return stateAfter(state, function, given, values, task);
    });
}

/// Whether a node that is to be made of others is there.
bool canDecompose(const ir::Graph &graph, const passes::KeptNodes &keeps)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const ir::NodeRef node(graph, id);
            !node->removed && !keeps(node) && passes::findDecomposition(node.opName()))
            return true;
    return false;
}

/// Without operators that have no rule, or of which some rule has refused a node, where others can say them.
Result<State> decomposed(const State &model, ir::FunctionId function, const analysis::Given &given,
                         const Names &refused, const Task &task)
{
    const passes::KeptNodes keeps = [&](const ir::NodeRef &node) {
        return hasRule(node) && !refused.contains(nameOf(node));
    };
    if (!canDecompose(model->at(function).graph, keeps))
        return model;
    const passes::Pass pass{"decompose-for-onnx",
                            "Decomposes operators that have no rule.",
                            {},
                            [&](passes::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
                                passes::decomposeOthers(rewriter, keeps);
                                return {};
                            }};
    return stateAfter(model, function, given, {{{&pass, passes::Settings()}}, 1}, task);
}

Result<Converted> translated(const State &model, ir::FunctionId function, const analysis::Given &given,
                             const OnnxOptions &options, const Task &task)
{
    const analysis::Shapes shapes = analysis::inferShapes(*model, function, given, task);
    return Translation(*model, function, shapes, options).run(task);
}

/// Adds the operators that are missing and can be made of others; whether there are any.
bool addRefused(const Converted &converted, Names &refused)
{
    bool isNew = false;
    for (const Missing &missing : converted.missing) {
        const std::size_t colons = missing.op.find("::");
        if (missing.op.starts_with("aten::")
            && passes::findDecomposition(std::string_view(missing.op).substr(colons + 2)))
            isNew = refused.insert(missing.op).second || isNew;
    }
    return isNew;
}

} // namespace

Result<Converted> toOnnx(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                         const OnnxOptions &options, const Task &task)
{
    if (options.opset < minOpset || options.opset > maxOpset)
        return usageError(
            formatted("models are converted to operator sets {} to {}, not {}", minOpset, maxOpset, options.opset));
    if (model.format == "onnx")
        return usageError("the model is an ONNX model already");
    const auto prepared = preparedForRules(std::make_shared<const ir::Model>(withoutDefaults(model, function, given)),
                                           function, given, task);
    if (!prepared)
        return std::unexpected(prepared.error());
    Names refused;
    std::optional<Result<Converted>> made;
    do {
        const auto source = decomposed(*prepared, function, given, refused, task);
        if (!source)
            return std::unexpected(source.error());
        made = translated(*source, function, given, options, task);
    } while (*made && addRefused(**made, refused));
    Result<Converted> converted = std::move(*made);
    if (!converted)
        return converted;
    if (const auto faults = ir::verify(converted->model); !faults.empty())
        return backendError("the conversion made an invalid graph: " + faults.front());
    return converted;
}

} // namespace cutaway::convert
