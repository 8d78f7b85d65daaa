// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/reader.h"

#include "core/base/formatted.h"
#include "core/formats/archive/probe.h"
#include "core/formats/limits.h"
#include "core/formats/onnx/parameters.h"
#include "core/formats/onnx/read/devices.h"
#include "core/formats/onnx/read/external_data.h"
#include "core/formats/onnx/read/function_calls.h"
#include "core/formats/onnx/read/graph_builder.h"
#include "core/formats/onnx/read/graph_reader.h"
#include "core/formats/onnx/read/range_constraints.h"
#include "core/ir/context.h"

#include <algorithm>
#include <limits>

// How a file is read: one pass over ModelProto remembers where its fields lie (ModelProto below); GraphReader turns
// graph and functions into records, interns names and enters tensors; GraphBuilder resolves the names and makes the
// graphs of the IR. The bytes of weights are skipped by their length, so that only the pages with the graph are ever
// touched.

namespace cutaway::formats::onnx {

namespace {

constexpr std::int64_t newestIrVersion = 13;
constexpr std::int64_t firstVersionWithOpsets = 3;
constexpr std::int64_t newestOpset = 26;

/// A ModelProto whose large parts are still in the file.
struct ModelProto {
    std::int64_t irVersion = 0;
    std::optional<Message> graph;
    std::vector<Message> functions, opsets, training, configurations;
};

/// Returns the tag of a field of ModelProto, which includes the kind of its value; nothing for unknown fields.
std::optional<std::uint32_t> knownTag(std::uint32_t number)
{
    switch (number) {
    case 1:
    case 5:
        return varintField(number);
    case 2:
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 14:
    case 20:
    case 25:
    case 26:
        return bytesField(number);
    default:
        return std::nullopt;
    }
}

void keep(ir::Model &model, std::string name, std::string_view text)
{
    if (!text.empty())
        model.attachments.push_back({std::move(name), std::string(text), {}});
}

void addMetadata(ir::Model &model, const Text &entry) { model.metadata.emplace_back(entry.key, entry.text); }

ModelProto readModelProto(const Message &message, ir::Model &model)
{
    ModelProto proto;
    MessageReader reader(message);
    for (Field field; reader.next(field);) {
        switch (field.tag) {
        case varintField(1):
            proto.irVersion = field.integer();
            break;
        case bytesField(2):
            model.producer = field.text();
            break;
        case bytesField(3):
            model.producerVersion = field.text();
            break;
        case bytesField(4):
            keep(model, "model: domain", field.text());
            break;
        case varintField(5):
            keep(model, "model: model_version", field.value != 0 ? formatted("{}", field.integer()) : "");
            break;
        case bytesField(6):
            model.documentation = field.text();
            break;
        case bytesField(7):
            proto.graph = field.payload;
            break;
        case bytesField(8):
            proto.opsets.push_back(field.payload);
            break;
        case bytesField(14):
            addMetadata(model, readText(field.payload));
            break;
        case bytesField(20):
            proto.training.push_back(field.payload);
            break;
        case bytesField(25):
            proto.functions.push_back(field.payload);
            break;
        case bytesField(26):
            proto.configurations.push_back(field.payload);
            break;
        default:
            break;
        }
    }
    return proto;
}

std::pair<std::string, std::int64_t> readOpset(const Message &message)
{
    std::pair<std::string, std::int64_t> opset{"ai.onnx", 0};
    MessageReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.tag == bytesField(1) && !field.text().empty())
            opset.first = field.text();
        else if (field.tag == varintField(2))
            opset.second = field.integer();
    }
    return opset;
}

void readOpsets(ir::Model &model, const std::vector<Message> &messages, Notes &notes)
{
    for (const Message &message : messages) {
        const auto opset = readOpset(message);
        if (std::ranges::contains(model.opsets, opset.first, [](const auto &known) { return known.first; }))
            notes.warning("onnx.opset", formatted("the operator set {} is imported twice", shown(opset.first)));
        if (opset.second < 1 || (opset.first == "ai.onnx" && opset.second > newestOpset))
            notes.warning("onnx.opset",
                          formatted("version {} of the operator set {} is not known; ai.onnx goes from 1 to {}",
                                    opset.second, shown(opset.first), newestOpset));
        model.opsets.push_back(opset);
    }
}

void keepModelParts(ir::Model &model, const ModelProto &proto, Notes &notes)
{
    const auto rangeOf = [](const Message &part) { return ir::FileRange{{}, part.offset(), part.bytes.size()}; };
    for (const Message &devices : proto.configurations)
        model.attachments.push_back({"model: device_configuration", describeDevices(devices), rangeOf(devices)});
    for (const Message &training : proto.training) {
        model.attachments.push_back({"model: training_info", {}, rangeOf(training)});
        notes.info("onnx.training-info", "the file has graphs for training; the one for inference is shown");
    }
    if (proto.irVersion > newestIrVersion)
        notes.warning(
            "onnx.ir-version",
            formatted("IR version {} is newer than {}, the newest this version knows; fields it adds are left out",
                      proto.irVersion, newestIrVersion));
}

std::string functionName(const FunctionRecord &function)
{
    std::string name = formatted("{}::{}", dialectOf(function.domain), function.name);
    return function.overload.empty() ? name : name + "." + std::string(function.overload);
}

void addFunction(ir::Model &model, FunctionRecord &record, GraphBuilder &builder)
{
    const std::string name = functionName(record);
    model.functions.push_back(builder.local(model.context->name(name), record.graph));
    model.functions.back().attributes = std::move(record.attributes);
    std::string opsets;
    for (const Message &message : record.opsets) {
        const auto [domain, version] = readOpset(message);
        opsets += formatted("{}{} {}", opsets.empty() ? "" : ", ", domain, version);
    }
    keep(model, "function " + name + ": opset_import", opsets);
    for (const auto &[key, text] : record.graph.metadata)
        keep(model, "function " + name + ": " + std::string(key), text);
}

/// Makes the index of the functions. The main graph is function 0 of the model.
FunctionIndex indexOf(const std::vector<FunctionRecord> &functions, ir::Model &model, Notes &notes)
{
    FunctionIndex index;
    for (std::uint32_t i = 0; i < functions.size(); ++i) {
        const FunctionRecord &f = functions[i];
        if (!index.emplace(model.context->op(dialectOf(f.domain), f.name, f.overload), ir::FunctionId{i + 1}).second)
            notes.warning("onnx.duplicate-function",
                          formatted("there are two functions {}; calls go to the first", shown(functionName(f))));
    }
    return index;
}

void readModel(const Message &message, ir::Model &model, const Task &task,
               const ExternalData::Replacements &replacements)
{
    Notes notes(model);
    task.report("reading the graph");
    const ModelProto proto = readModelProto(message, model);
    if (!proto.graph)
        unusable("this protobuf message has no graph (field 7), so it is not an ONNX model");
    if (proto.opsets.empty() && proto.irVersion >= firstVersionWithOpsets)
        unusable("the model imports no operator set (field 8); the end of the file may be missing");
    model.formatVersion = formatted("ir {}", proto.irVersion);
    readOpsets(model, proto.opsets, notes);
    keepModelParts(model, proto, notes);

    ExternalData external(model, notes, model.files.front().path, replacements);
    TensorReader tensors(model, notes, external);
    TypeReader types(model, notes);
    GraphReader reader(model, tensors, types, task);
    GraphRecord graph = reader.graph(*proto.graph);
    std::vector<FunctionRecord> functions;
    for (const Message &function : proto.functions)
        functions.push_back(reader.function(function));

    if (const auto &file = model.files.front().mapping)
        file->releasePages(); // names are interned by now, and most of the file is not read again

    const FunctionIndex index = indexOf(functions, model, notes);
    GraphBuilder builder(model, notes, types, index, task);
    model.name = graph.name;
    for (const auto &[key, text] : graph.metadata)
        keep(model, "main graph: " + std::string(key), text);
    if (graph.nodes.empty())
        notes.warning("onnx.empty-graph", "the graph has no nodes");
    model.functions.push_back(builder.main(graph, proto.irVersion));
    for (FunctionRecord &function : functions)
        addFunction(model, function, builder);
    markParameters(model, tensors.declared());
    readRangeConstraints(model);
    checkCalls(model, notes);
    notes.finish();
}

} // namespace

bool sniff(const archive::Probe &file)
{
    const bool named = file.path().extension() == ".onnx";
    bool started = false;
    try {
        const auto head = file.bytes().first(std::min(file.bytes().size(), limits::maxMessageSize));
        MessageReader reader({head, head.data()});
        constexpr int enough = 1000;
        Field field;
        for (int i = 0; i < enough && reader.next(field); ++i) {
            const auto expected = knownTag(field.number());
            if (expected && *expected != field.tag)
                return started && named;
            started = started || expected;
            if (field.tag == bytesField(7))
                return true;
        }
    } catch (const Unusable &) {
        return started && named;
    }
    return started && named;
}

Result<ir::Model> readBytes(std::span<const std::byte> bytes, ir::DataFile origin, const Task &task,
                            const std::map<std::filesystem::path, std::filesystem::path> &replacements)
{
    if (bytes.size() > limits::maxMessageSize)
        return unreadable(
            formatted("the file has {} bytes; a protobuf message has at most {}: weights must lie in external files",
                      bytes.size(), limits::maxMessageSize));
    return resultOf([&] {
        ir::Model model;
        model.path = origin.path.string();
        model.format = "onnx";
        model.files.push_back(std::move(origin));
        readModel({bytes, bytes.data()}, model, task, replacements);
        return model;
    });
}

Result<ir::Model> read(const archive::Probe &file, const Task &task)
{
    return readBytes(file.bytes(), file.file(), task);
}

} // namespace cutaway::formats::onnx
