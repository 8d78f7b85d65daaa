// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/rewriter.h"

#include "core/base/overloaded.h"
#include "core/ir/opsets.h"
#include "core/ops/network/activation.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/written.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace cutaway::passes {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::RegionId;
using ir::ValueId;

Rewriter::Rewriter(ir::Model &model, ir::FunctionId function, std::function<const analysis::Shapes &()> shapes,
                   const Task &task, std::function<const analysis::Shapes &()> estimates)
    : m_model(model),
      m_function(function),
      m_shapes(std::move(shapes)),
      m_estimates(std::move(estimates)),
      m_task(task),
      m_signatures(*model.context),
      m_calls(model, m_signatures, [this](ValueId value) { return derived(value); }),
      m_isRemoved(graph().nodeCount())
{
}

void Rewriter::remark(std::string sentence)
{
    if (!sentence.empty())
        m_remarks.push_back(std::move(sentence));
}

// ---- reading

std::vector<NodeRef> Rewriter::nodes(RegionId region) const
{
    std::vector<NodeRef> all;
    const auto visit = [&](const auto &self, RegionId id) -> void {
        for (const NodeRef node : ir::nodesOf(graph(), id)) {
            all.push_back(node);
            for (const RegionId inner : node->regions)
                self(self, inner);
        }
    };
    visit(visit, region);
    return all;
}

/// What propagation found of a value; nullptr for one that the pass made or that a loop makes anew each turn.
void Rewriter::learn(ValueId made, ValueId before)
{
    if (const ops::Fact *known = derived(before); known && !restsOnRecord(before))
        m_learned.insert_or_assign(made, ops::Fact(*known));
}

const ops::Fact *Rewriter::derived(ValueId value)
{
    if (const auto learned = m_learned.find(value); learned != m_learned.end())
        return &learned->second;
    const auto regionOf = Overloaded{[&](const ir::NodeResult &result) { return graph().at(result.node).parent; },
                                     [](const ir::RegionInput &input) { return input.region; },
                                     [](const auto &) { return ir::RegionId(ir::Graph::body); }};
    const analysis::Shapes &shapes = m_shapes();
    const bool isKnown = value.index < shapes.facts.size() && !shapes.reshaped.contains(value)
        && !isRepeated(std::visit(regionOf, graph().at(value).definition));
    return isKnown ? &shapes.of(value) : nullptr;
}

/// Whether a region may run more than once, so that what was found of its values is of the last turn.
bool Rewriter::isRepeated(RegionId region)
{
    if (region == ir::Graph::body)
        return false;
    if (const auto found = m_isRepeated.find(region); found != m_isRepeated.end())
        return found->second;
    const NodeRef owner = node(*graph().at(region).owner);
    const ops::Operator *known = row(owner);
    const bool repeated = (known && known->traits.repeatsRegions) || isRepeated(owner->parent);
    m_isRepeated.emplace(region, repeated);
    return repeated;
}

ops::Fact Rewriter::fact(const Operand &operand)
{
    const ops::Call::Source source{
        .fact = [this](ValueId inList) -> const ops::Fact & {
            static const ops::Fact unknown;
            const ops::Fact *known = derived(inList);
            return known ? *known : unknown;
        },
        .freshSize = [](std::string_view, const ir::Dim &) -> ir::Dim { return ir::UnknownDim{}; },
        .tensor = [](ir::TensorId) -> ops::Fact { return ops::AnyFact{}; },
        .size = [](const symbolic::Expr &expr) -> ir::Dim { return expr; }};
    const auto *value = operand.as<ValueId>();
    if (!value)
        return ops::factOf(context(), source, operand);
    const ops::Fact *known = derived(*value);
    return known ? *known : ops::factOf(context(), graph().at(*value).type);
}

ops::Fact Rewriter::proven(const Operand &operand)
{
    bool isProven = true;
    ir::forEachValue(operand, [&](ValueId value) {
        const bool isOfFile = !derived(value) && value.index < shapes().facts.size();
        isProven = isProven && !isOfFile && !recorded().contains(value);
    });
    return isProven ? fact(operand) : ops::Fact();
}

const std::unordered_set<ValueId> &Rewriter::recorded()
{
    if (m_recorded)
        return *m_recorded;
    m_recorded.emplace();
    const std::vector<bool> &isRecorded = shapes().isRecorded;
    if (std::ranges::none_of(isRecorded, std::identity()))
        return *m_recorded;
    const std::vector<NodeRef> all = nodes();
    const auto read = [&](const Operand &operand) {
        bool found = false;
        ir::forEachValue(operand, [&](ValueId value) { found = found || m_recorded->contains(value); });
        return found;
    };
    const auto add = [&](const auto &values) { m_recorded->insert(values.begin(), values.end()); };
    for (std::uint32_t i = 0; i < isRecorded.size(); ++i)
        if (isRecorded[i])
            m_recorded->insert(ValueId{i});
    for (std::size_t known = 0; known != m_recorded->size();) { // again, as long as loops carry it on
        known = m_recorded->size();
        for (const NodeRef &node : all) {
            const bool isReader = std::ranges::any_of(node->arguments, read, &ir::Argument::value);
            if (isReader)
                add(node->outputs);
            for (const RegionId region : node->regions) {
                if (isReader)
                    add(graph().at(region).inputs);
                if (std::ranges::any_of(graph().at(region).outputs, read))
                    add(node->outputs), add(graph().at(region).inputs);
            }
        }
    }
    return *m_recorded;
}

ops::OperatorKind Rewriter::kind(const NodeRef &node)
{
    const auto [known, isNew] = m_kinds.try_emplace(node->op);
    if (isNew)
        known->second = ops::kindOf(node);
    return known->second;
}

const ops::Operator *Rewriter::row(const NodeRef &node)
{
    const auto [known, isNew] = m_rows.try_emplace(node->op);
    if (isNew)
        known->second = ops::findOperator(node.dialect(), node.opName());
    return known->second;
}

static const Operand *unlessNone(const Operand *operand)
{
    return operand && operand->as<ir::None>() ? nullptr : operand;
}

const Operand *Rewriter::argument(const NodeRef &node, std::string_view parameter)
{
    const Operand *named = node.argument(parameter);
    return named ? named : unlessNone(ops::givenArgument(node, signature(node->op), parameter));
}

const Operand *Rewriter::argument(const NodeRef &node, std::string_view parameter, std::size_t onnxPosition)
{
    return node.isOnnx() ? unlessNone(node.input(onnxPosition)) : argument(node, parameter);
}

const Operand *Rewriter::argument(const NodeRef &node, ops::Position position)
{
    return position ? unlessNone(ops::givenArgument(node, signature(node->op), *position)) : nullptr;
}

bool Rewriter::writes(const NodeRef &node)
{
    const ops::Signature *known = signature(node->op);
    return known && std::ranges::any_of(known->schema.arguments, [](const auto &a) { return a.type.isWritten(); });
}

/// Another function of the model may do anything.
static bool calls(const NodeRef &node)
{
    const ops::OperatorKind kind = ops::kindOf(node);
    return kind == ops::kind::callMethod || kind == ops::kind::callFunction
        || std::ranges::any_of(node->arguments,
                               [](const ir::Argument &argument) { return argument.value.as<ir::FunctionId>(); });
}

bool Rewriter::isPure(const NodeRef &node)
{
    const ops::Operator *known = row(node);
    if (!known || writes(node) || calls(node))
        return false;
    if (known->traits.effect != ops::Effect::Pure && !isOutOfTraining(node))
        return false;
    return std::ranges::all_of(node->regions, [&](RegionId region) {
        return std::ranges::all_of(ir::nodesOf(graph(), region), [&](const NodeRef &inner) { return isPure(inner); });
    });
}

bool Rewriter::isRandom(const NodeRef &node)
{
    const ops::Operator *known = row(node);
    return known && known->traits.effect == ops::Effect::Random && !isOutOfTraining(node);
}

/// A dropout that gives what it gets.
bool Rewriter::isOutOfTraining(const NodeRef &node)
{
    if (kind(node) != ops::kind::dropout)
        return false;
    const Operand *trains = argument(node, "train", 2);
    if (node.isOnnx() && !trains)
        // Its training_mode is false unless it is given; before operator set 7 it is the other way around.
        return ir::opsetIn(m_model, node.graph(), "onnx") >= 7 || call(node).integer("is_test").value_or(0) != 0;
    const auto flag = trains ? ops::asBool(fact(*trains)) : std::nullopt;
    return flag == false;
}

bool Rewriter::isReturned(ValueId value) const
{
    return std::ranges::any_of(graph().at(value).uses, [](const ir::Use &use) {
        const auto *region = std::get_if<RegionId>(&use);
        return region && *region == ir::Graph::body;
    });
}

/// Whether a weight is not the same from call to call: a caller may give another one, or the function gives back
/// another value for a buffer or parameter.
static bool mayDiffer(const ir::Function &function, ValueId weight)
{
    using Kind = ir::FunctionOutput::Kind;
    const auto input = std::ranges::find(function.inputs, Operand(weight), &ir::FunctionInput::value);
    return input != function.inputs.end()
        && (ir::isOverridable(*input) || std::ranges::any_of(function.outputs, [&](const ir::FunctionOutput &output) {
                return output.target == input->target
                    && (output.kind == Kind::BufferMutation || output.kind == Kind::ParameterMutation);
            }));
}

std::optional<ir::TensorId> Rewriter::constant(const Operand &operand)
{
    if (const auto *tensor = operand.as<ir::TensorId>())
        return *tensor;
    const auto value = ir::valueOf(graph(), &operand);
    const auto weight = value.and_then(&ir::ValueRef::weight);
    return weight && !written().contains(*value) && !mayDiffer(function(), *value) ? weight : std::nullopt;
}

const std::unordered_set<ValueId> &Rewriter::written()
{
    if (!m_written)
        m_written = writtenValues(graph(), m_signatures);
    return *m_written;
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
    m_placedBefore[next].push_back(made);
    m_placed.insert(made);
    m_disordered.insert(region);
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
        for (const ir::Tensor &tensor : m_model.tensors)
            m_tensorNames->take(context().text(tensor.name));
    }
    return m_tensorNames->fresh(wanted);
}

ValueId Rewriter::addConstant(std::string_view name, ir::DType dtype, std::vector<std::int64_t> shape,
                              std::vector<std::byte> bytes, ir::Tensor::Kind kind)
{
    const ir::StorageId storage{m_model.storages.append(
        {ir::InlineBytes{std::make_shared<const std::vector<std::byte>>(std::move(bytes))}, 0})};
    m_model.storages.edit(storage.index).byteLength =
        std::get<ir::InlineBytes>(m_model.storages[storage.index].data).bytes->size();
    ir::Tensor tensor;
    tensor.name = text(freshTensorName(name));
    tensor.kind = kind;
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    tensor.storage = storage;
    return addTensor(std::move(tensor), text(name));
}

ValueId Rewriter::addView(ir::TensorId of, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides)
{
    ir::Tensor tensor = m_model.at(of);
    const ir::NameId name = tensor.name;
    tensor.name = text(freshTensorName(context().text(name)));
    tensor.shape = std::move(shape);
    tensor.strides = std::move(strides);
    return addTensor(std::move(tensor), name);
}

ValueId Rewriter::addTensor(ir::Tensor tensor, ir::NameId name)
{
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
    const ir::TensorId id{m_model.tensors.append(std::move(tensor))};
    return editedGraph().addWeight(ir::Graph::body, name, context().type(type), id);
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
        if (m_dissolved.contains(region))
            continue;
        for (const NodeId inner : graph().at(region).nodes)
            if (!isRemoved(inner))
                remove(inner);
    }
    setArguments(node, {});
}

void Rewriter::inlineRegion(RegionId region, NodeId before)
{
    for (const NodeId node : graph().at(region).nodes)
        if (!isRemoved(node) && m_placed.insert(node).second)
            m_placedBefore[before].push_back(node);
    m_dissolved.emplace(region, before);
    m_disordered.insert(region);
    m_disordered.insert(graph().at(before).parent);
}

void Rewriter::moveInto(RegionId region, const std::vector<NodeId> &nodes)
{
    m_movedInto[region] = nodes;
    m_disordered.insert(region);
    for (const NodeId node : nodes) {
        m_moved.insert(node);
        m_disordered.insert(graph().at(node).parent);
    }
}

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
    for (std::uint32_t i = 0; i < m_model.modules.size(); ++i)
        if (!std::ranges::all_of(m_model.modules[i].tensors, isKept))
            std::erase_if(m_model.modules.edit(i).tensors, std::not_fn(isKept));
}

void Rewriter::putBefore(NodeId node, std::vector<NodeId> &order) const
{
    const auto before = m_placedBefore.find(node);
    if (before == m_placedBefore.end())
        return;
    for (const NodeId earlier : before->second) {
        putBefore(earlier, order);
        order.push_back(earlier);
    }
}

/// The nodes of a region with what was placed before each.
std::vector<NodeId> Rewriter::orderOf(RegionId region) const
{
    std::vector<NodeId> order;
    for (const NodeId node : graph().at(region).nodes) {
        if (m_placed.contains(node))
            continue;
        putBefore(node, order);
        if (!m_moved.contains(node))
            order.push_back(node);
    }
    if (const auto moved = m_movedInto.find(region); moved != m_movedInto.end())
        order.insert(order.end(), moved->second.begin(), moved->second.end());
    return order;
}

void Rewriter::putInOrder()
{
    std::vector<ir::RegionOrder> orders;
    for (const RegionId region : m_disordered)
        orders.push_back({region, orderOf(region)});
    editedGraph().reorder(std::move(orders));
}

/// What was visible in a region that is no more is visible where its nodes are.
void Rewriter::moveWeights()
{
    for (ValueId id{0}; !m_dissolved.empty() && id.index < graph().valueCount(); ++id.index)
        if (const auto *weight = std::get_if<ir::Weight>(&graph().at(id).definition))
            if (const auto region = m_dissolved.find(weight->region); region != m_dissolved.end())
                editedGraph().moveWeight(id, graph().at(region->second).parent);
}

void Rewriter::finish()
{
    putInOrder();
    moveWeights();
    // What is inside a removed node goes with it.
    std::erase_if(m_removed, [&](NodeId node) { return graph().at(node).removed; });
    editedGraph().remove(m_removed);
    m_placedBefore.clear();
    m_placed.clear();
    m_movedInto.clear();
    m_moved.clear();
    m_dissolved.clear();
    m_disordered.clear();
    m_removed.clear();
}

} // namespace cutaway::passes
