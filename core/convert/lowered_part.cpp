// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/lowered_part.h"

#include "core/base/formatted.h"
#include "core/convert/convert.h"
#include "core/ir/names.h"
#include "core/passes/cutting/cut.h"

#include <algorithm>
#include <map>

namespace cutaway::convert {

namespace {

/// Returns the values of other nodes of the body that a group reads, each once.
std::vector<ir::ValueId> readFromNodes(const ir::NodeRef &group)
{
    std::vector<ir::ValueId> values;
    for (const ir::ValueId value : passes::valuesReadBy(group)) {
        const auto maker = passes::bodyNodeOf(group.graph(), value);
        if (maker && *maker != group.id() && !std::ranges::contains(values, value))
            values.push_back(value);
    }
    return values;
}

/// Returns the name of the first of the values that is not known to be a tensor; "" if all are.
std::string noTensor(const ir::Graph &graph, const std::vector<ir::ValueId> &values, const analysis::Shapes &shapes)
{
    for (const ir::ValueId value : values)
        if (const auto *tensor = ops::asTensor(shapes.of(value)); !tensor || !tensor->dtype)
            return ir::nameOf(ir::ValueRef(graph, value));
    return {};
}

std::string firstOf(const std::vector<Missing> &missing)
{
    return formatted("{}: {}{}", missing.front().op, missing.front().reason,
                     missing.size() > 1 ? formatted(", and {} more", missing.size() - 1) : "");
}

/// Returns the values of the function that the inputs of the ONNX model stand for: found by name, or by position if the
/// names differ. Nothing if the numbers of inputs differ.
std::optional<std::vector<ir::ValueId>> loweredInputs(const ir::Function &onnx, const ir::Function &cut,
                                                      const std::vector<ir::ValueId> &opened,
                                                      std::uint32_t valuesBefore)
{
    const auto original = [&](ir::ValueId value) {
        return value.index < valuesBefore ? value : opened[value.index - valuesBefore];
    };
    std::map<std::string_view, ir::ValueId> named;
    std::vector<ir::ValueId> inOrder, inputs;
    for (const ir::FunctionInput &input : cut.inputs)
        if (const auto *value = input.value.as<ir::ValueId>();
            value && input.kind == ir::FunctionInput::Kind::User && ir::ValueRef(cut.graph, *value).tensorType()) {
            named.emplace(cut.graph.context().text(input.name), original(*value));
            inOrder.push_back(original(*value));
        }
    for (const ir::ValueId value : onnx.graph.at(ir::Graph::body).inputs) {
        const auto input = std::ranges::find(onnx.inputs, ir::Operand(value), &ir::FunctionInput::value);
        const auto found =
            input == onnx.inputs.end() ? named.end() : named.find(onnx.graph.context().text(input->name));
        if (found != named.end())
            inputs.push_back(found->second);
    }
    const std::size_t wanted = onnx.graph.at(ir::Graph::body).inputs.size();
    if (inputs.size() == wanted)
        return inputs;
    return inOrder.size() == wanted ? std::optional(inOrder) : std::nullopt;
}

/// Gives inputs and results the names of their values, as a file has them: two values may have had one name.
void nameAsValues(ir::Function &function)
{
    const auto rename = [&](ir::NameId &name, const ir::Operand &operand) {
        if (const auto *value = operand.as<ir::ValueId>())
            name = function.graph.at(*value).name;
    };
    for (ir::FunctionInput &input : function.inputs)
        rename(input.name, input.value);
    for (ir::FunctionOutput &output : function.outputs)
        rename(output.name, output.value);
}

} // namespace

Result<LoweredPart> loweredPart(const ir::Model &model, ir::FunctionId function, ir::NodeId group,
                                const analysis::Shapes &shapes, const Task &task)
{
    const ir::Graph &graph = model.at(function).graph;
    const ir::NodeRef node(graph, group);
    const std::vector<ir::ValueId> opened = readFromNodes(node), results(node->outputs.begin(), node->outputs.end());
    for (const auto *values : {&opened, &results})
        if (const std::string other = noTensor(graph, *values, shapes); !other.empty())
            return usageError(formatted("'{}' is not known to be a tensor", other));
    const ir::Model cut =
        passes::withCut(model, function, {.opened = opened, .results = results}, passes::KnownTypes(model, shapes));
    CUTAWAY_TRY(auto converted, toOnnx(cut, function, {}, {}, task));
    if (!converted.missing.empty())
        return usageError(firstOf(converted.missing));
    ir::Function &onnx = converted.model.functions.front();
    auto inputs = loweredInputs(onnx, cut.at(function), opened, graph.valueCount());
    nameAsValues(onnx);
    if (!inputs || onnx.outputs.size() != results.size())
        return usageError("its inputs and results are not those of the ONNX model");
    return LoweredPart{group, std::string(node.name()), node.region(0).nodes.size(), std::move(converted.model),
                       std::move(*inputs)};
}

void setLowered(ir::Model &model, ir::FunctionId function, const LoweredPart &part, const PartRunner &runner)
{
    ir::Context &context = *model.context;
    ir::Graph &graph = model.functions[function.index].graph;
    const auto text = [&](const std::string &of) { return ir::Operand(ir::String{context.name(of)}); };
    graph.setOperator(part.group, context.op("cutaway", "lowered"));
    ir::List inputs{{part.inputs.begin(), part.inputs.end()}};
    graph.setArguments(part.group,
                       {{context.name("inputs"), std::move(inputs)},
                        {context.name("backend"), text(runner.backend)},
                        {context.name("device"), text(runner.device)},
                        {context.name("file"), text(runner.file)}});
}

} // namespace cutaway::convert
