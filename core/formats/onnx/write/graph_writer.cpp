// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/graph_writer.h"

#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/formats/notes/notes.h"
#include "core/formats/onnx/attributes.h"
#include "core/formats/onnx/read/graph_builder.h"
#include "core/formats/onnx/write/attribute_writer.h"
#include "core/formats/onnx/write/constant_input.h"
#include "core/formats/onnx/write/node_texts.h"
#include "core/formats/onnx/write/opset_check.h"
#include "core/formats/onnx/write/type_writer.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"

#include <algorithm>

// This is the reverse of the reader. Weights become initializers or Constant nodes; the latter are written at their
// original position, which the ids of their values give, but before the first node that reads them. Regions become
// attributes with graphs. Scopes, source lines and texts are written where the reader finds them.

namespace cutaway::formats::onnx {

namespace {

bool isInput(const ir::Argument &argument)
{
    return argument.name == ir::NameId{} || argument.value.as<ir::ValueId>() != nullptr;
}

/// Calls visit(ValueId) for the values that a node and the nodes in its regions read.
template <class Visit>
void forEachValueRead(const ir::NodeRef &node, const Visit &visit)
{
    for (const ir::Argument &argument : node->arguments)
        forEachValue(argument.value, visit);
    for (const ir::RegionId region : node->regions) {
        for (const ir::NodeRef inner : ir::nodesOf(node.graph(), region))
            forEachValueRead(inner, visit);
        for (const ir::Operand &output : node.graph().at(region).outputs)
            forEachValue(output, visit);
    }
}

} // namespace

GraphWriter::GraphWriter(Writing &writing, ScopeTexts &scopes, const ir::Function &function, std::int64_t opset)
    : m_writing(writing),
      m_scopes(scopes),
      m_function(function),
      m_graph(function.graph),
      m_opset(opset),
      m_names(writing, function),
      m_written(m_graph.valueCount()),
      m_nextConstant(m_graph.regionCount())
{
    for (ir::NodeId id{0}; id.index < m_graph.nodeCount(); ++id.index)
        if (const ir::NodeRef node(m_graph, id); !node->removed && node->origins.empty())
            m_nodeNames.take(node.name());
}

/// Returns the name of a node in the file. A node that was in the file keeps its name; a copy that a pass made gets a
/// new one, because runtimes demand that names of nodes are unique.
std::string GraphWriter::nameOf(const ir::NodeRef &node)
{
    const std::string_view name = node.name();
    return name.empty() || node->origins.empty() ? std::string(name) : m_nodeNames.fresh(name);
}

/// Whether a weight is written as a Constant node, as every weight of a local function is: functions have no
/// initializers.
bool GraphWriter::isConstant(const ir::ValueRef &weight) const
{
    return m_function.kind == ir::Function::Kind::Free || isConstantNode(m_writing, weight);
}

/// Whether a weight is written. It is left out if passes have removed its readers and it is not in the module tree any
/// more.
bool GraphWriter::isWanted(const ir::ValueRef &weight) const
{
    return isConstant(weight) || !weight->uses.empty() || m_writing.isListed(*weight.weight());
}

MessageWriter GraphWriter::mainGraph(bool listsInitializers)
{
    MessageWriter message;
    Body body{message, 1, 13};
    nodes(body, ir::Graph::body);
    message.textIfAny(2, m_writing.model.name);
    initializers(body, ir::Graph::body);
    message.textIfAny(10, m_function.documentation);
    for (const ir::FunctionInput &input : m_function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            message.message(11, valueInfo(body, *value, m_names.of(*value)));
    if (listsInitializers)
        for (const ir::ValueRef &weight : m_names.weightsOf(ir::Graph::body))
            if (!isConstant(weight) && isWanted(weight))
                message.message(11, valueInfo(body, weight, m_names.of(weight)));
    std::unordered_set<std::string_view> results;
    for (const ir::FunctionOutput &output : m_function.outputs) {
        const auto *value = output.value.as<ir::ValueId>();
        const std::string name = result(body, output.value, m_writing.text(output.name), ir::Graph::body);
        message.message(12, value ? valueInfo(body, *value, name) : MessageWriter());
        if (value)
            results.insert(m_names.of(*value));
    }
    valueInfos(body, ir::Graph::body, results);
    for (const auto &[key, text] : m_writing.texts.take("main graph"))
        message.entry(16, key, text);
    annotations(body);
    for (const std::string_view value : m_writing.texts.valuesWith("quantization"))
        body.annotations.emplace_back(value, m_writing.texts.take("value", value, "quantization"));
    annotations(body);
    return message;
}

void GraphWriter::writeLocal(MessageWriter &message)
{
    Body body{message, 7, 12, true};
    for (const ir::FunctionInput &input : m_function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            message.text(4, m_names.of(*value));
    nodes(body, ir::Graph::body);
    for (const ir::FunctionOutput &output : m_function.outputs)
        message.text(5, result(body, output.value, m_writing.text(output.name), ir::Graph::body));
    valueInfos(body, ir::Graph::body, {});
}

MessageWriter GraphWriter::subgraph(ir::RegionId id)
{
    const ir::Region &region = m_graph.at(id);
    MessageWriter message;
    Body body{message, 1, 13};
    nodes(body, id);
    const std::string_view name = m_writing.text(region.name);
    message.textIfAny(2, name);
    initializers(body, id);
    for (const auto &[key, text] : m_writing.texts.take("graph", name))
        if (key == "doc_string")
            message.text(10, text);
        else
            message.entry(16, key, text);
    for (const ir::ValueId input : region.inputs)
        message.message(11, valueInfo(body, input, m_names.of(input)));
    std::unordered_set<std::string_view> results;
    for (const ir::Operand &operand : region.outputs) {
        const auto *value = operand.as<ir::ValueId>();
        const std::string made = result(body, operand, {}, id);
        message.message(12, value ? valueInfo(body, *value, made) : MessageWriter());
        if (value)
            results.insert(m_names.of(*value));
    }
    valueInfos(body, id, results);
    annotations(body);
    return message;
}

void GraphWriter::nodes(Body &body, ir::RegionId region)
{
    for (const ir::NodeRef each : ir::nodesOf(m_graph, region)) {
        for (const ir::ValueId output : each->outputs)
            constantsBefore(body, region, output.index);
        constantsReadBy(body, each);
        node(body, each);
    }
    constantsBefore(body, region, m_graph.valueCount());
}

void GraphWriter::node(Body &body, const ir::NodeRef &node)
{
    checkOperator(node, m_opset, NodeTexts(node).graphAttributes());
    MessageWriter message;
    inputs(body, message, node);
    for (const ir::ValueId output : node->outputs)
        message.text(2, m_names.of(output));
    message.textIfAny(3, nameOf(node));
    message.text(4, node.opName());
    attributes(message, node);
    texts(message, node);
    if (node.dialect() != "onnx")
        message.text(7, node.dialect());
    message.textIfAny(8, node.overload());
    body.message.message(body.nodeField, message);
}

void GraphWriter::inputs(Body &body, MessageWriter &message, const ir::NodeRef &node)
{
    for (const ir::Argument &argument : node->arguments) {
        if (!isInput(argument))
            continue;
        if (const auto *value = argument.value.as<ir::ValueId>())
            message.text(1, m_names.of(*value));
        else if (argument.value.as<ir::None>())
            message.text(1, {});
        else
            message.text(1, constantInput(body, argument.value, node));
    }
}

void GraphWriter::attributes(MessageWriter &message, const ir::NodeRef &node)
{
    const NodeTexts texts(node);
    const auto add = [&](MessageWriter attribute, std::string_view name) {
        attribute.textIfAny(13, texts.documentationOf(name));
        message.message(5, attribute);
    };
    for (const ir::Argument &argument : node->arguments)
        if (!isInput(argument) && !argument.value.as<ir::FunctionId>())
            add(attributeMessage(m_writing, m_writing.text(argument.name), argument.value, shown(node)),
                m_writing.text(argument.name));
    const std::vector<std::string_view> names = texts.graphAttributes();
    for (std::size_t i = 0, end = 0; i < names.size(); i = end) {
        MessageWriter attribute;
        attribute.text(1, names[i]);
        while (end < names.size() && names[end] == names[i])
            ++end;
        const bool isList = end - i > 1;
        for (std::size_t k = i; k < end; ++k)
            attribute.message(isList ? 11 : 6, subgraph(node->regions[k]));
        attribute.number(20, static_cast<std::uint64_t>(isList ? AttributeType::Graphs : AttributeType::Graph));
        add(std::move(attribute), names[i]);
    }
}

void GraphWriter::texts(MessageWriter &message, const ir::NodeRef &node)
{
    const NodeTexts texts(node);
    message.textIfAny(6, texts.docString());
    for (const auto &[key, text] : m_scopes.of(node))
        message.entry(9, key, text);
    if (const std::string traceback = texts.traceback(); !traceback.empty())
        message.entry(9, stackTraceKey, traceback);
    for (const auto &[key, text] : texts.metadata())
        message.entry(9, key, text);
}

void GraphWriter::initializers(Body &body, ir::RegionId region)
{
    for (const ir::ValueRef &weight : m_names.weightsOf(region)) {
        if (isConstant(weight) || !isWanted(weight))
            continue;
        const ir::TensorId tensor = *weight.weight();
        const std::string &name = m_names.of(weight);
        m_writing.weights.emplace_back(tensor, name);
        if (m_writing.model.at(tensor).layout == ir::Layout::Strided)
            body.message.message(5, initializerMessage(m_writing, tensor, name));
        else
            body.message.message(15, sparseMessage(m_writing, tensor, name));
        if (const auto text = m_writing.texts.take("value", weight.name(), "quantization"); !text.empty())
            body.annotations.emplace_back(name, text);
    }
}

void GraphWriter::constant(Body &body, const ir::ValueRef &weight)
{
    m_written[weight.id().index] = true;
    m_writing.weights.emplace_back(*weight.weight(), m_names.of(weight));
    body.message.message(body.nodeField, constantNode(m_writing, *weight.weight(), m_names.of(weight)));
}

std::string GraphWriter::constantInput(Body &body, const ir::Operand &operand, const ir::NodeRef &node)
{
    const std::string name = m_names.fresh("constant");
    const auto message = constantNode(m_writing, operand, name);
    if (!message)
        unwritable("an input is neither a value nor a constant that ONNX has", shown(node));
    body.message.message(body.nodeField, *message);
    return name;
}

/// Writes the constants that a node or its regions read and that were not written yet.
void GraphWriter::constantsReadBy(Body &body, const ir::NodeRef &node)
{
    forEachValueRead(node, [&](ir::ValueId id) {
        const ir::ValueRef value(m_graph, id);
        const auto *weight = std::get_if<ir::Weight>(&value->definition);
        if (weight && weight->region == node->parent && isConstant(value) && !m_written[id.index])
            constant(body, value);
    });
}

void GraphWriter::constantsBefore(Body &body, ir::RegionId region, std::uint32_t value)
{
    const std::vector<ir::ValueRef> &weights = m_names.weightsOf(region);
    std::size_t &next = m_nextConstant[region.index];
    for (; next < weights.size() && weights[next].id().index < value; ++next)
        if (isConstant(weights[next]) && !m_written[weights[next].id().index])
            constant(body, weights[next]);
}

void GraphWriter::identity(Body &body, std::string_view from, std::string_view to)
{
    MessageWriter message;
    message.text(1, from);
    message.text(2, to);
    message.text(4, "Identity");
    body.message.message(body.nodeField, message);
}

/// Returns the name that a region's result gets in the file. ONNX demands that the result is made in the region and,
/// unless `wanted` is "", has the name `wanted`, by which callers know it: if that is not so, an Identity is added.
std::string GraphWriter::result(Body &body, const ir::Operand &operand, std::string_view wanted, ir::RegionId region)
{
    const auto *value = operand.as<ir::ValueId>();
    if (!value) {
        if (!operand.as<ir::None>())
            unwritable("a result is a constant, which ONNX gives by a Constant node only",
                       "graph " + sanitized(m_writing.text(m_graph.at(region).name)));
        return {};
    }
    const std::string &own = m_names.of(*value);
    const bool isFromHere =
        std::visit(Overloaded{[&](const ir::NodeResult &made) { return m_graph.at(made.node).parent == region; },
                              [](const ir::NoDefinition &) { return false; },
                              [&](const auto &given) { return given.region == region; }},
                   m_graph.at(*value).definition);
    if (isFromHere && (wanted.empty() || wanted == own))
        return own;
    const std::string name = wanted.empty() ? m_names.fresh(own) : std::string(wanted);
    identity(body, own, name);
    return name;
}

MessageWriter GraphWriter::valueInfo(Body &body, ir::ValueId id, std::string_view name)
{
    const ir::ValueRef value(m_graph, id);
    const KeptTexts::Texts texts = m_writing.texts.take("value", value.name());
    const auto denotation =
        std::ranges::find(texts, std::string_view("denotation"), &KeptTexts::Texts::value_type::first);
    MessageWriter info;
    info.text(1, name);
    const MessageWriter type =
        typeMessage(m_writing.model, value->type, denotation == texts.end() ? "" : denotation->second);
    if (!type.empty())
        info.message(2, type);
    for (const auto &[key, text] : texts) {
        if (key == "doc_string")
            info.text(3, text);
        else if (key == "quantization")
            body.annotations.emplace_back(name, text);
        else if (key != "denotation")
            info.entry(4, key, text);
    }
    return info;
}

/// Adds the types of the values in a region; for a function also those of its inputs and results.
void GraphWriter::valueInfos(Body &body, ir::RegionId region, const std::unordered_set<std::string_view> &results)
{
    const auto add = [&](ir::ValueId id) {
        if (m_names.of(id).empty() || results.contains(m_names.of(id)))
            return;
        MessageWriter nameOnly;
        nameOnly.text(1, m_names.of(id));
        const MessageWriter info = valueInfo(body, id, m_names.of(id));
        if (info.size() > nameOnly.size())
            body.message.message(body.typeField, info);
    };
    if (body.isLocal)
        std::ranges::for_each(m_graph.at(region).inputs, add);
    for (const ir::ValueRef &weight : m_names.weightsOf(region))
        if (m_writing.texts.has("value", weight.name()))
            add(weight);
    for (const ir::NodeRef node : ir::nodesOf(m_graph, region))
        std::ranges::for_each(node->outputs, add);
}

void GraphWriter::annotations(Body &body)
{
    for (const auto &[value, text] : body.annotations)
        body.message.message(14, quantizationMessage(value, text));
    body.annotations.clear();
}

} // namespace cutaway::formats::onnx
