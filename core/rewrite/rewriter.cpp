// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/rewriter.h"

#include "core/base/overloaded.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace cutaway::rewrite {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::RegionId;
using ir::ValueId;

Rewriter::Rewriter(ir::Model &model, ir::FunctionId function, std::function<const analysis::Shapes &()> shapes,
                   const Task &task, std::function<const analysis::Shapes &()> estimates)
    : Reading(model, function, std::move(shapes)),
      m_edited(model),
      m_estimates(std::move(estimates)),
      m_task(task)
{
}

void Rewriter::remark(std::string sentence)
{
    if (!sentence.empty())
        m_remarks.push_back(std::move(sentence));
}

// ---- writing

void Rewriter::from(std::vector<NodeId> origins) { m_origins = std::move(origins); }

NodeRef Rewriter::insertBefore(NodeId next, Make make)
{
    const NodeRef original = node(m_origins.empty() ? next : m_origins.front());
    return insertBefore(next,
                        ir::NodeDraft{.op = context().op(make.dialect, make.name, make.overload),
                                      .name = {},
                                      .scope = original->scope,
                                      .location = original->location,
                                      .arguments = std::move(make.arguments),
                                      .origins = {},
                                      .metadata = {}});
}

NodeRef Rewriter::insertBefore(NodeId next, ir::NodeDraft draft)
{
    const RegionId region = graph().at(next).parent;
    const NodeRef made = append(region, std::move(draft));
    m_moves.placeBefore(graph(), made, next);
    return made;
}

NodeRef Rewriter::append(RegionId region, ir::NodeDraft draft)
{
    draft.origins = m_origins;
    m_isRemoved.push_back(false);
    return node(editedGraph().append(region, std::move(draft)));
}

RegionId Rewriter::addRegion(NodeId owner, ir::NameId name) { return editedGraph().addRegion(owner, name); }

ValueId Rewriter::addRegionInput(RegionId region, ir::NameId name, ir::TypeId type)
{
    return editedGraph().addInput(region, name, type);
}

ValueId Rewriter::addOutput(NodeId node, ir::TypeId type, std::string_view name)
{
    return editedGraph().addOutput(node, text(name), type);
}

ValueId Rewriter::makeBefore(NodeId next, Make make, ir::TypeId type)
{
    const std::string_view name = make.name;
    return addOutput(insertBefore(next, std::move(make)), type, name);
}

std::string Rewriter::freshTensorName(std::string_view wanted)
{
    if (!m_tensorNames) {
        m_tensorNames.emplace();
        for (const ir::Tensor &tensor : m_edited.tensors)
            m_tensorNames->take(context().text(tensor.name));
    }
    return m_tensorNames->fresh(wanted);
}

/// Adds a tensor to a model, and a value for it to the body of a graph. Returns the value.
static ValueId addTensor(ir::Model &model, ir::Graph &graph, ir::Tensor tensor, ir::NameId name)
{
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
    const ir::TensorId id{model.tensors.append(std::move(tensor))};
    return graph.addWeight(ir::Graph::body, name, graph.context().type(type), id);
}

ValueId Rewriter::addConstant(std::string_view name, ir::DType dtype, std::vector<std::int64_t> shape,
                              std::vector<std::byte> bytes, ir::Tensor::Kind kind)
{
    const ir::StorageId storage{m_edited.storages.append(
        {ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(std::move(bytes))}, 0})};
    m_edited.storages.edit(storage.index).byteLength =
        std::get<ir::InlineBytes>(m_edited.storages[storage.index].data).bytes->size();
    ir::Tensor tensor;
    tensor.name = text(freshTensorName(name));
    tensor.kind = kind;
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    tensor.storage = storage;
    return addTensor(m_edited, editedGraph(), std::move(tensor), text(name));
}

ValueId Rewriter::addView(ir::TensorId of, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides)
{
    ir::Tensor tensor = m_edited.at(of);
    const ir::NameId name = tensor.name;
    tensor.name = text(freshTensorName(context().text(name)));
    tensor.shape = std::move(shape);
    tensor.strides = std::move(strides);
    return addTensor(m_edited, editedGraph(), std::move(tensor), name);
}

ValueId Rewriter::weight(ir::TensorId tensor, ir::NameId name, ir::TypeId type)
{
    for (ValueId id{0}; m_weights.empty() && id.index < graph().valueCount(); ++id.index)
        if (const auto *weight = std::get_if<ir::Weight>(&graph().at(id).definition))
            if (weight->region == ir::Graph::body)
                m_weights.emplace(weight->tensor, id);
    const auto [known, isNew] = m_weights.try_emplace(tensor);
    if (isNew)
        known->second = editedGraph().addWeight(ir::Graph::body, name, type, tensor);
    return known->second;
}

ValueId Rewriter::addRegionWeight(RegionId region, ir::TensorId tensor, std::string_view name, ir::TypeId type)
{
    return editedGraph().addWeight(region, text(name), type, tensor);
}

void Rewriter::replaceUses(ValueId from, const Operand &to)
{
    const bool isReturnedToo = isReturned(from);
    const auto *value = to.as<ValueId>();
    if (value && graph().at(*value).type == ir::TypeId{})
        setType(*value, graph().at(from).type);
    editedGraph().replaceUses(from, to);
    if (!isReturnedToo)
        return;
    for (ir::FunctionOutput &output : editedFunction().outputs)
        ir::replaceValue(output.value, from, to);
}

void Rewriter::replaceDefault(ValueId from, ValueId to)
{
    replaceUses(from, to);
    for (ir::FunctionInput &input : editedFunction().inputs)
        if (input.value == Operand(from)) {
            input.value = to;
            input.tensor = ir::ValueRef(graph(), to).weight();
        }
    removeWeight(from);
}

void Rewriter::setArguments(NodeId node, std::vector<ir::Argument> arguments)
{
    editedGraph().setArguments(node, std::move(arguments));
}

void Rewriter::setArgument(NodeId node, std::string_view name, Operand value)
{
    std::vector<ir::Argument> arguments = graph().at(node).arguments;
    const auto place = std::ranges::find(arguments, text(name), &ir::Argument::name);
    if (place == arguments.end())
        arguments.push_back({text(name), std::move(value)});
    else
        place->value = std::move(value);
    setArguments(node, std::move(arguments));
}

void Rewriter::setArgument(const NodeRef &node, std::size_t position, Operand value)
{
    const auto isNamed = [](const ir::Argument &argument) { return argument.name != ir::NameId{}; };
    const ops::Signature *known = signature(node->op);
    const std::string_view name = known ? std::string_view(known->schema.arguments[position].name) : "";
    if (known && (node.argument(name) || position >= node.inputCount()))
        return setArgument(node, name, std::move(value));
    std::vector<ir::Argument> arguments = node->arguments;
    while (position >= static_cast<std::size_t>(std::ranges::count_if(arguments, std::not_fn(isNamed))))
        arguments.insert(std::ranges::find_if(arguments, isNamed), ir::Argument{{}, ir::None{}});
    for (auto unnamed = arguments.begin();; ++unnamed) {
        if (isNamed(*unnamed) || position-- > 0)
            continue;
        unnamed->value = std::move(value);
        break;
    }
    setArguments(node, std::move(arguments));
}

void Rewriter::setOperator(NodeId node, std::string_view dialect, std::string_view name, std::string_view overload)
{
    editedGraph().setOperator(node, context().op(dialect, name, overload));
}

void Rewriter::setOutputs(RegionId region, std::vector<Operand> outputs)
{
    if (region == ir::Graph::body)
        for (ir::FunctionOutput &output : editedFunction().outputs) {
            const auto &before = graph().at(region).outputs;
            const auto place = std::ranges::find(before, output.value);
            if (place != before.end())
                output.value = outputs[static_cast<std::size_t>(place - before.begin())];
        }
    editedGraph().setOutputs(region, std::move(outputs));
}

void Rewriter::returnMutation(ir::FunctionOutput::Kind kind, ir::NameId target, const Operand &value)
{
    using Kind = ir::FunctionOutput::Kind;
    auto &outputs = editedFunction().outputs;
    const auto place = std::ranges::find_if(
        outputs, [](const ir::FunctionOutput &each) { return each.kind == Kind::User || each.kind == Kind::Loss; });
    const auto *id = value.as<ValueId>();
    const ir::NameId name = id ? graph().at(*id).name : ir::NameId{};
    std::vector<Operand> returned = graph().at(ir::Graph::body).outputs;
    assert(returned.size() == outputs.size());
    returned.insert(returned.begin() + (place - outputs.begin()), value);
    outputs.insert(place, {name, kind, value, target});
    editedGraph().setOutputs(ir::Graph::body, std::move(returned));
}

void Rewriter::setType(ValueId value, ir::TypeId type) { editedGraph().setType(value, type); }

void Rewriter::setName(ValueId value, std::string_view name) { editedGraph().setName(value, text(name)); }

void Rewriter::setScope(NodeId node, ir::ScopeId scope) { editedGraph().setScope(node, scope); }

void Rewriter::remove(NodeId node)
{
    m_removed.push_back(node);
    m_isRemoved[node.index] = true;
    const std::vector<RegionId> regions = graph().at(node).regions;
    for (const RegionId region : regions) {
        setOutputs(region, {});
        if (m_moves.isDissolved(region))
            continue;
        for (const NodeId inner : graph().at(region).nodes)
            if (!isRemoved(inner))
                remove(inner);
    }
    setArguments(node, {});
}

void Rewriter::inlineRegion(RegionId region, NodeId before)
{
    std::vector<NodeId> kept;
    std::ranges::copy_if(graph().at(region).nodes, std::back_inserter(kept),
                         [this](NodeId node) { return !isRemoved(node); });
    m_moves.dissolve(graph(), region, kept, before);
}

void Rewriter::moveInto(RegionId region, const std::vector<NodeId> &nodes) { m_moves.moveInto(graph(), region, nodes); }

void Rewriter::reorder(RegionId region, std::vector<NodeId> order) { editedGraph().reorder(region, std::move(order)); }

void Rewriter::removeInput(std::size_t position)
{
    auto &inputs = editedFunction().inputs;
    const auto *value = inputs[position].value.as<ValueId>();
    const auto *place = value ? std::get_if<ir::RegionInput>(&graph().at(*value).definition) : nullptr;
    if (place)
        editedGraph().removeInput(ir::Graph::body, place->index);
    inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(position));
}

void Rewriter::removeWeight(ValueId weight) { editedGraph().removeWeight(weight); }

void Rewriter::keepInModules(const std::unordered_set<ir::TensorId> &tensors)
{
    const auto isKept = [&](ir::TensorId tensor) { return tensors.contains(tensor); };
    for (std::uint32_t i = 0; i < m_edited.modules.size(); ++i)
        if (!std::ranges::all_of(m_edited.modules[i].tensors, isKept))
            std::erase_if(m_edited.modules.edit(i).tensors, std::not_fn(isKept));
}

void Rewriter::finish()
{
    m_moves.apply(editedGraph());
    // Nodes inside a removed node are removed with it.
    std::erase_if(m_removed, [&](NodeId node) { return graph().at(node).removed; });
    editedGraph().remove(m_removed);
    m_removed.clear();
}

} // namespace cutaway::rewrite
