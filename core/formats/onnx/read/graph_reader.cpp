// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/read/graph_reader.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/onnx/read/devices.h"
#include "core/ir/context.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <unordered_set>

namespace cutaway::formats::onnx {

namespace {

/// Returns the names that a subgraph reads and does not define itself.
std::vector<ir::NameId> namesFromOutside(const GraphRecord &graph, const ir::Model &model)
{
    std::unordered_set<ir::NameId> seen{ir::NameId{}};
    for (const ValueRecord &input : graph.inputs)
        seen.insert(input.name);
    for (const ir::TensorId tensor : graph.initializers)
        seen.insert(model.at(tensor).name);
    for (const NodeRecord &node : graph.nodes)
        for (const ir::NameId output : graph.outputsOf(node))
            seen.insert(output);
    std::vector<ir::NameId> names;
    const auto read = [&](ir::NameId name) {
        if (seen.insert(name).second)
            names.push_back(name);
    };
    for (const NodeRecord &node : graph.nodes) {
        std::ranges::for_each(graph.inputsOf(node), read);
        if (node.extras)
            std::ranges::for_each(node.extras->captures, read);
    }
    std::ranges::for_each(graph.outputs, read, &ValueRecord::name);
    return names;
}

NodeExtras &extrasOf(NodeRecord &record)
{
    if (!record.extras)
        record.extras = std::make_unique<NodeExtras>();
    return *record.extras;
}

} // namespace

/// The fields of a NodeProto, as views of the file.
struct GraphReader::NodeProto {
    Message message;
    boost::container::small_vector<std::string_view, 8> inputs, outputs;
    std::string_view name, type, domain, overload, documentation;
    boost::container::small_vector<Message, 8> attributes;
    std::vector<Message> metadata, devices;
};

std::string_view dialectOf(std::string_view domain) { return domain.empty() || domain == "ai.onnx" ? "onnx" : domain; }

GraphReader::GraphReader(ir::Model &model, TensorReader &tensors, TypeReader &types, const Task &task)
    : m_model(model),
      m_tensors(tensors),
      m_attributes(model, tensors, types),
      m_task(task)
{
}

GraphRecord GraphReader::graph(const Message &graph, int depth)
{
    if (depth > limits::maxMessageDepth)
        unusable(formatted("subgraphs are nested deeper than {}", limits::maxMessageDepth),
                 formatted("byte {}", graph.offset()));
    GraphRecord record;
    MessageReader reader(graph);
    for (Field field; reader.next(field);) {
        switch (field.tag) {
        case bytesField(1):
            record.nodes.push_back(node(field.payload, record, depth));
            break;
        case bytesField(2):
            record.name = field.text();
            break;
        case bytesField(5):
            record.initializers.push_back(m_tensors.initializer(field.payload));
            break;
        case bytesField(10):
            record.documentation = field.text();
            break;
        case bytesField(11):
            record.inputs.push_back(value(field.payload, record));
            break;
        case bytesField(12):
            record.outputs.push_back(value(field.payload, record));
            break;
        case bytesField(13):
            record.values.push_back(value(field.payload, record));
            break;
        case bytesField(14):
            record.annotations.push_back(field.payload);
            break;
        case bytesField(15):
            record.initializers.push_back(m_tensors.sparseInitializer(field.payload));
            break;
        case bytesField(16):
            record.metadata.push_back(readText(field.payload));
            break;
        default:
            break;
        }
    }
    return record;
}

FunctionRecord GraphReader::function(const Message &function)
{
    FunctionRecord record;
    GraphRecord &graph = record.graph;
    MessageReader reader(function);
    for (Field field; reader.next(field);) {
        switch (field.tag) {
        case bytesField(1):
            record.name = field.text();
            break;
        case bytesField(4):
            graph.inputs.push_back({name(field.text()), {}});
            break;
        case bytesField(5):
            graph.outputs.push_back({name(field.text()), {}});
            break;
        case bytesField(6):
            record.attributes.push_back({name(field.text()), ir::None{}});
            break;
        case bytesField(7):
            graph.nodes.push_back(node(field.payload, graph, 0));
            break;
        case bytesField(8):
            graph.documentation = field.text();
            break;
        case bytesField(9):
            record.opsets.push_back(field.payload);
            break;
        case bytesField(10):
            record.domain = field.text();
            break;
        case bytesField(11): {
            const AttributeProto attribute = readAttribute(field.payload);
            record.attributes.push_back({name(attribute.name), m_attributes.operand(attribute)});
            break;
        }
        case bytesField(12):
            graph.values.push_back(value(field.payload, graph));
            break;
        case bytesField(13):
            record.overload = field.text();
            break;
        case bytesField(14):
            graph.metadata.push_back(readText(field.payload));
            break;
        default:
            break;
        }
    }
    return record;
}

GraphReader::NodeProto GraphReader::readNodeProto(const Message &node)
{
    NodeProto proto;
    proto.message = node;
    MessageReader reader(node);
    for (Field field; reader.next(field);) {
        switch (field.tag) {
        case bytesField(1):
            proto.inputs.push_back(field.text());
            break;
        case bytesField(2):
            proto.outputs.push_back(field.text());
            break;
        case bytesField(3):
            proto.name = field.text();
            break;
        case bytesField(4):
            proto.type = field.text();
            break;
        case bytesField(5):
            proto.attributes.push_back(field.payload);
            break;
        case bytesField(6):
            proto.documentation = field.text();
            break;
        case bytesField(7):
            proto.domain = field.text();
            break;
        case bytesField(8):
            proto.overload = field.text();
            break;
        case bytesField(9):
            proto.metadata.push_back(field.payload);
            break;
        case bytesField(10):
            proto.devices.push_back(field.payload);
            break;
        default:
            break;
        }
    }
    return proto;
}

NodeRecord GraphReader::node(const Message &node, GraphRecord &graph, int depth)
{
    if (m_task.stopRequested())
        throw Unusable(cancelled().error());
    const NodeProto proto = readNodeProto(node);
    NodeRecord record;
    record.op = op(proto);
    record.name = name(proto.name);
    record.firstName = static_cast<std::uint32_t>(graph.names.size());
    record.inputs = static_cast<std::uint32_t>(proto.inputs.size());
    record.outputs = static_cast<std::uint32_t>(proto.outputs.size());
    for (const std::string_view input : proto.inputs)
        graph.names.push_back(name(input));
    for (const std::string_view output : proto.outputs)
        graph.names.push_back(name(output));
    record.constant = foldedConstant(proto);
    if (record.constant)
        return record;
    record.arguments.reserve(proto.inputs.size() + proto.attributes.size());
    record.arguments.resize(proto.inputs.size());
    for (const Message &attribute : proto.attributes)
        addAttribute(record, readAttribute(attribute), depth);
    addTexts(record, proto);
    return record;
}

std::optional<ir::TensorId> GraphReader::foldedConstant(const NodeProto &proto)
{
    if (proto.type != "Constant" || dialectOf(proto.domain) != "onnx" || !proto.inputs.empty()
        || proto.outputs.size() != 1 || proto.attributes.size() != 1)
        return std::nullopt;
    return m_attributes.constant(readAttribute(proto.attributes.front()), proto.outputs.front());
}

void GraphReader::addAttribute(NodeRecord &record, const AttributeProto &attribute, int depth)
{
    if (!attribute.documentation.empty())
        extrasOf(record).kept.emplace_back(name(std::string(attribute.name) + ": doc_string"),
                                           name(attribute.documentation));
    const bool isGraph = attribute.type == AttributeType::Graph || attribute.type == AttributeType::Graphs;
    if (!isGraph || !attribute.reference.empty()) {
        record.arguments.push_back({name(attribute.name), m_attributes.operand(attribute)});
        return;
    }
    forEachGraph(attribute, [&](const Message &message) {
        NodeExtras &extras = extrasOf(record);
        GraphRecord subgraph = graph(message, depth + 1);
        const std::vector<ir::NameId> captures = namesFromOutside(subgraph, m_model);
        extras.captures.insert(extras.captures.end(), captures.begin(), captures.end());
        // The regions of an If are in the order then, else, whatever the order in the file.
        const bool first = attribute.name == "then_branch";
        extras.graphs.insert(first ? extras.graphs.begin() : extras.graphs.end(), std::move(subgraph));
        extras.graphAttributes.insert(first ? extras.graphAttributes.begin() : extras.graphAttributes.end(),
                                      name(attribute.name));
    });
}

void GraphReader::addTexts(NodeRecord &record, const NodeProto &proto)
{
    if (!proto.documentation.empty())
        extrasOf(record).documentation = proto.documentation;
    for (const Message &entry : proto.metadata)
        extrasOf(record).metadata.push_back(readText(entry));
    for (const Message &device : proto.devices)
        extrasOf(record).kept.emplace_back(name("device_configuration"), name(describeNodeDevices(device)));
}

ValueRecord GraphReader::value(const Message &value, GraphRecord &graph)
{
    ValueRecord record;
    const std::size_t firstText = graph.valueTexts.size();
    MessageReader reader(value);
    for (Field field; reader.next(field);) {
        if (field.tag == bytesField(1))
            record.name = name(field.text());
        else if (field.tag == bytesField(2))
            record.type = field.payload;
        else if (field.tag == bytesField(3) && !field.text().empty())
            graph.valueTexts.push_back({{}, {"doc_string", field.text()}});
        else if (field.tag == bytesField(4))
            graph.valueTexts.push_back({{}, readText(field.payload)});
    }
    for (ValueText &text : std::span(graph.valueTexts).subspan(firstText))
        text.value = record.name;
    return record;
}

ir::OpId GraphReader::op(const NodeProto &proto)
{
    if (proto.type.empty() || !isUtf8(proto.type))
        unusable(
            formatted("node {} has {}", shown(proto.name),
                      proto.type.empty() ? "no operator (op_type)" : "an operator (op_type) that is not UTF-8 text"),
            formatted("byte {}", proto.message.offset()));
    const std::string_view dialect = dialectOf(proto.domain);
    if (dialect != "onnx" || !proto.overload.empty())
        return m_model.context->op(dialect, proto.type, proto.overload);
    const auto [entry, isNew] = m_standardOps.try_emplace(proto.type);
    if (isNew)
        entry->second = m_model.context->op("onnx", proto.type);
    return entry->second;
}

} // namespace cutaway::formats::onnx
