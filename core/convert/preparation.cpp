// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/preparation.h"

#include "core/convert/carried_lists.h"
#include "core/convert/followed_containers.h"
#include "core/convert/translation.h"
#include "core/convert/unrolling.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/tensor/size.h"
#include "core/passes/history.h"
#include "core/passes/library/unpack_weights.h"
#include "core/passes/writes/reshapes_in_place.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>

namespace cutaway::convert {

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

ir::Model withoutGraphs(const ir::Model &source, std::string_view format)
{
    ir::Model made = source;
    made.functions.clear();
    made.objects.clear();
    made.attachments.clear();
    made.diagnostics.clear();
    made.opsets.clear();
    made.metadata.clear();
    made.format = format;
    made.formatVersion.clear();
    made.producer = "cutaway";
    made.producerVersion.clear();
    return made;
}

std::optional<ir::Operand> constantOf(const ops::Fact &fact)
{
    if (fact.as<ops::NoneFact>())
        return ir::None();
    const auto *number = fact.as<ops::NumberFact>();
    if (!number)
        return std::nullopt;
    if (number->kind == ops::NumberFact::Kind::Bool)
        return ops::asBool(fact).transform([](bool flag) { return ir::Operand(flag); });
    if (number->kind == ops::NumberFact::Kind::Float)
        return ops::asFloat(fact).transform([](double real) { return ir::Operand(real); });
    const auto size = ops::asInt(fact);
    const auto whole = size ? ops::number(*size) : std::nullopt;
    return whole.transform([](std::int64_t value) { return ir::Operand(value); });
}

std::optional<ir::Operand> constantOf(ir::Context &context, const ops::Fact &fact)
{
    const auto *text = fact.as<ops::TextFact>();
    return text ? std::optional<ir::Operand>(ir::String{context.name(text->text)}) : constantOf(fact);
}

bool raises(const ir::Graph &graph, ir::RegionId region)
{
    return std::ranges::any_of(ir::nodesOf(graph, region),
                               [](const ir::NodeRef &node) { return ops::kindOf(node) == ops::kind::raise; });
}

std::vector<std::string> takeNumbers(analysis::Given &given)
{
    std::vector<std::string> names;
    for (const auto &[name, fact] : given.inputs)
        if (fact.as<ops::NumberFact>())
            names.emplace_back(name);
    for (const std::string &name : names)
        given.inputs.erase(given.inputs.find(name));
    return names;
}

ir::Model withoutDefaults(ir::Model model, ir::FunctionId id, const analysis::Given &given)
{
    ir::Function &function = model.functions[id.index];
    for (ir::FunctionInput &input : function.inputs) {
        const auto found = given.inputs.find(model.context->text(input.name));
        const auto *value = input.value.as<ir::ValueId>();
        if (found == given.inputs.end() || !value)
            continue;
        if (const auto constant = constantOf(*model.context, found->second)) {
            function.graph.replaceUses(*value, *constant);
            continue;
        }
        if (!ir::hasDefault(input))
            continue;
        input.tensor.reset();
        input.defaultValue.reset();
        if (const auto type = onnxType(found->second); type && ops::asTensor(found->second))
            function.graph.setType(*value, model.context->type(*type));
    }
    return model;
}

ir::Model withGivenTypes(ir::Model model, ir::FunctionId id, const analysis::Given &given)
{
    ir::Function &function = model.functions[id.index];
    for (const ir::FunctionInput &input : function.inputs) {
        const auto found = given.inputs.find(model.context->text(input.name));
        const auto *value = input.value.as<ir::ValueId>();
        const auto *tensor = found == given.inputs.end() ? nullptr : found->second.as<ops::TensorFact>();
        if (!value || !tensor || !tensor->dtype || !tensor->shape)
            continue;
        ir::TensorType type;
        type.dtype = tensor->dtype;
        type.shape = tensor->shape;
        function.graph.setType(*value, model.context->type(type));
    }
    return model;
}

ir::Model withReturnedWrites(ir::Model model, ir::FunctionId id)
{
    model.format = "pt2";
    ir::Function &function = model.functions[id.index];
    for (ir::ValueId value{0}; value.index < function.graph.valueCount(); ++value.index) {
        const ir::Value &each = function.graph.at(value);
        const auto *weight = std::get_if<ir::Weight>(&each.definition);
        if (!weight || model.at(weight->tensor).kind != ir::Tensor::Kind::Buffer
            || std::ranges::contains(function.inputs, ir::Operand(value), &ir::FunctionInput::value))
            continue;
        function.inputs.push_back(
            {each.name, ir::FunctionInput::Kind::Buffer, value, model.at(weight->tensor).name, weight->tensor});
    }
    return model;
}

namespace {

/// Whether a graph or one of its regions has a node for which `is` holds.
template <class Is>
bool hasNode(const ir::Graph &graph, const Is &is)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const ir::NodeRef node(graph, id); !node->removed && is(node))
            return true;
    return false;
}

passes::Pipeline pipelineOf(std::string_view names) { return passes::withNeeds(passes::parsePipeline(names).value()); }

/// Returns the answer to a question about the device, for a model that runs on a CPU; nothing for other nodes.
std::optional<ir::Operand> answerOnProcessor(const ir::NodeRef &node)
{
    ir::Context &context = node.graph().context();
    const ops::OperatorKind kind = ops::kindOf(node);
    if (node.outputCount() != 1)
        return std::nullopt;
    if (kind == ops::kind::device)
        return ir::Device{context.name("cpu"), {}};
    if (kind == ops::kind::deviceType)
        return ir::String{context.name("cpu")};
    return kind == ops::kind::isCuda ? std::optional<ir::Operand>(false) : std::nullopt;
}

/// Answers questions about the device as for a CPU, since ONNX has no devices.
Result<State> onProcessor(const State &model, ir::FunctionId function, const analysis::Given &given, const Task &task)
{
    if (!hasNode(model->at(function).graph, answerOnProcessor))
        return model;
    const passes::Pass pass{"answer-devices",
                            "Answers what asks for a device as on a processor.",
                            {},
                            [](rewrite::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
                                for (const ir::NodeRef node : rewriter.nodes())
                                    if (const auto answer = answerOnProcessor(node)) {
                                        rewriter.replaceUses(node.output(0).id(), *answer);
                                        rewriter.remove(node.id());
                                    }
                                return {};
                            }};
    return stateAfter(model, function, given, {{{&pass, passes::Settings()}}, 1}, task)
        .and_then(
            [&](const State &state) { return stateAfter(state, function, given, passes::defaultPipeline(), task); });
}

/// Replaces containers by their items: ONNX has no dictionaries, objects and attributes, and neither ONNX nor a program
/// has lists that are written to.
Result<State> withoutContainers(const State &model, ir::FunctionId function, const analysis::Given &given,
                                std::vector<std::string> &lost, const Task &task)
{
    if (!changesContainers(model->at(function).graph))
        return model;
    const passes::Pass pass = containerReading(lost);
    auto made =
        stateAfter(model, function, given, {{{&pass, passes::Settings()}}, 1}, task).and_then([&](const State &state) {
            return stateAfter(state, function, given, passes::defaultPipeline(), task);
        });
    return made || task.stopRequested() ? made : model; // analysis may take two names of a list for two lists
}

/// Replaces operators that reshape a tensor in place by views: no format can express that the caller's tensor has
/// another shape afterwards.
Result<State> withoutReshapesInPlace(const State &model, ir::FunctionId function, const analysis::Given &given,
                                     const Task &task)
{
    const ir::Graph &graph = model->at(function).graph;
    const auto reshapes = [](const ir::NodeRef &node) {
        const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
        return row && row->traits.reshapesInPlace && node.opName().ends_with('_');
    };
    if (std::ranges::none_of(ir::nodesOf(graph), reshapes))
        return model;
    auto made = std::make_shared<ir::Model>(*model);
    const analysis::Shapes shapes = analysis::inferShapes(*model, function, given, task);
    rewrite::Rewriter rewriter(*made, function, [&]() -> const analysis::Shapes & { return shapes; }, task);
    passes::viewReshapesInPlace(rewriter, true);
    rewriter.finish();
    return made;
}

bool isCall(const ir::NodeRef &node)
{
    const ops::OperatorKind kind = ops::kindOf(node);
    return kind == ops::kind::callMethod || kind == ops::kind::callFunction;
}

/// Inlines calls, which the file's reader leaves for methods of values whose type is an interface.
Result<State> withoutCalls(const State &model, ir::FunctionId function, const analysis::Given &given, const Task &task)
{
    if (!hasNode(model->at(function).graph, isCall))
        return model;
    return stateAfter(model, function, given, pipelineOf("inline-calls"), task);
}

/// Unpacks weights that were packed for XNNPACK, since only XNNPACK can read the packed form.
Result<State> withoutPackedLayers(const State &model, ir::FunctionId function, const analysis::Given &given,
                                  const Task &task)
{
    if (!passes::hasPackedLayers(model->at(function).graph))
        return model;
    return stateAfter(model, function, given, pipelineOf("unpack-weights"), task);
}

/// Replaces quantized tensors, which neither ONNX nor a program has. The translation reports the nodes for which the
/// pass has no rule.
Result<State> withoutQuantizedTensors(const State &model, ir::FunctionId function, const analysis::Given &given,
                                      const Task &task)
{
    if (!hasNode(model->at(function).graph, [](const ir::NodeRef &node) { return node.dialect() == "quantized"; }))
        return model;
    auto made = stateAfter(model, function, given, pipelineOf("explicit-quantization,dead-code"), task);
    return made || task.stopRequested() ? made : model;
}

/// The most iterations of a loop that is unrolled. Detectors have loops over classes, of which there may be a hundred.
constexpr std::int64_t maxIterations = 256;

/// Unrolls loops. Nested loops are unrolled one level after the other.
Result<State> unrolled(const State &model, ir::FunctionId function, const analysis::Given &given, const Task &task)
{
    passes::Pipeline pipeline = passes::defaultPipeline();
    const passes::Pass *unrolling = passes::findPass("unroll-loops").value();
    passes::Settings settings(unrolling->options);
    settings.set("iterations", maxIterations);
    pipeline.entries.push_back({unrolling, settings});
    return stateAfter(model, function, given, pipeline, task);
}

Result<State> peeled(const State &model, ir::FunctionId function, const analysis::Given &given, const Task &task)
{
    constexpr int maxPeeled = 32;
    Result<State> state = model;
    bool hasChanged = true;
    for (int i = 0; state && hasChanged && i < maxPeeled; ++i) {
        hasChanged = false;
        const passes::Pass pass = peeling(hasChanged);
        state = stateAfter(*state, function, given, {{{&pass, passes::Settings()}}, 1}, task);
    }
    return state;
}

} // namespace

Result<State> preparedForRules(const State &model, ir::FunctionId function, const analysis::Given &given,
                               std::vector<std::string> &lost, const Task &task)
{
    const auto values = pipelineOf("functionalize");
    return withoutCalls(model, function, given, task)
        .and_then([&](const State &state) { return withoutPackedLayers(state, function, given, task); })
        .and_then(
            [&](const State &state) { return stateAfter(state, function, given, passes::defaultPipeline(), task); })
        .and_then([&](const State &state) { return onProcessor(state, function, given, task); })
        .and_then([&](const State &state) { return withoutContainers(state, function, given, lost, task); })
        .and_then([&](const State &state) { return withoutReshapesInPlace(state, function, given, task); })
        .and_then([&](const State &state) { return stateAfter(state, function, given, values, task); })
        .and_then([&](const State &state) { return withoutQuantizedTensors(state, function, given, task); });
}

Result<State> withoutLoops(const State &model, ir::FunctionId function, const analysis::Given &given,
                           std::vector<std::string> &lost, const Task &task)
{
    Result<State> state = model;
    std::vector<ir::NodeId> before, left = loopsOf(model->at(function).graph);
    while (state && !left.empty() && left != before) {
        before = std::move(left);
        state = unrolled(*state, function, given, task)
                    .and_then([&](const State &made) { return peeled(made, function, given, task); })
                    .and_then([&](const State &made) { return withoutContainers(made, function, given, lost, task); });
        left = state ? loopsOf((*state)->at(function).graph) : std::vector<ir::NodeId>();
    }
    return state.and_then([&](const State &made) { return preparedForRules(made, function, given, lost, task); });
}

Result<State> withCarriedLists(const State &model, ir::FunctionId function, const analysis::Given &given,
                               const Task &task)
{
    if (!appendsInRegions(model->at(function).graph))
        return model;
    const passes::Pass pass = listCarrying();
    return stateAfter(model, function, given, {{{&pass, passes::Settings()}}, 1}, task);
}

} // namespace cutaway::convert
