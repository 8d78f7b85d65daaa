// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/backend.h"

#include "core/base/checked.h"
#include "core/base/limits.h"
#include "core/base/overloaded.h"
#include "core/ir/json/json_reader.h"

#include <algorithm>
#include <array>

namespace cutaway::protocol {

namespace {

using Reader = ir::JsonReader;

ir::DType readDType(Reader &reader, const Json &json)
{
    const std::string name = reader.text(json, "dtype");
    const auto dtype = ir::dtypeFromName(name);
    if (!dtype && !reader.failed())
        reader.failWith("'" + name + "' is not a dtype");
    return dtype.value_or(ir::DType::Float32);
}

std::vector<std::int64_t> readShape(Reader &reader, const Json &json)
{
    std::vector<std::int64_t> shape;
    reader.items(json, "shape", [&](const Json &size) { shape.push_back(reader.integer(size)); });
    return shape;
}

std::vector<std::string> readTexts(Reader &reader, const Json &json, const char *key)
{
    std::vector<std::string> texts;
    reader.items(json, key, [&](const Json &text) { texts.push_back(reader.text(text)); });
    return texts;
}

LoadedId readModel(Reader &reader, const Json &json) { return {reader.natural(json, "model")}; }

Json write(const SentTensor &tensor)
{
    return {{"name", tensor.name},
            {"dtype", ir::name(tensor.dtype)},
            {"shape", tensor.shape},
            {"offset", tensor.offset},
            {"length", tensor.length}};
}
SentTensor readSent(Reader &reader, const Json &json)
{
    return {reader.text(json, "name"), readDType(reader, json), readShape(reader, json), reader.natural(json, "offset"),
            reader.natural(json, "length")};
}

Json write(const DrawnTensor &tensor)
{
    Json json = {
        {"name", tensor.name}, {"dtype", ir::name(tensor.dtype)}, {"shape", tensor.shape}, {"seed", tensor.seed}};
    if (tensor.range)
        json["range"] = {tensor.range->low, tensor.range->high};
    return json;
}
std::optional<ir::NumberRange> readRange(Reader &reader, const Json &json)
{
    std::optional<ir::NumberRange> range;
    reader.member(json, "range", [&](const Json &ends) {
        reader.pair(ends, [&](const Json &low, const Json &high) {
            if (low.is_number() && high.is_number() && low.get<double>() <= high.get<double>())
                range = {low.get<double>(), high.get<double>()};
            else
                reader.fail(ends, "a number and another that is not smaller");
        });
    });
    return range;
}
DrawnTensor readDrawn(Reader &reader, const Json &json)
{
    return {reader.text(json, "name"), readDType(reader, json), readShape(reader, json),
            static_cast<std::uint32_t>(reader.natural(json, "seed")), readRange(reader, json)};
}

constexpr std::array itemKinds{std::pair(InputItems::Kind::List, "list"), std::pair(InputItems::Kind::Tuple, "tuple"),
                               std::pair(InputItems::Kind::Dict, "dict")};

template <class T>
Json write(const std::vector<T> &list);
Json write(const PlainInput &input) { return {{"name", input.name}, {"value", input.value}}; }
Json write(const InputItems &input)
{
    const auto *kind = std::ranges::find(itemKinds, input.kind, [](const auto &pair) { return pair.first; });
    return {{"name", input.name}, {kind->second, write(input.items)}};
}

Json write(const OpaqueResult &result) { return {{"name", result.name}, {"type", result.type}}; }

template <class T>
Json write(const std::vector<T> &list)
{
    Json json = Json::array();
    for (const T &each : list)
        json.push_back(std::visit([](const auto &one) { return write(one); }, each));
    return json;
}
std::vector<ModelInput> readInputs(Reader &reader, const Json &json, const char *key, int depth = 0);

PlainInput readPlain(Reader &reader, const Json &json)
{
    PlainInput input{reader.text(json, "name"), json["value"]};
    if (input.value.is_structured())
        reader.fail(input.value, "a number, a truth value, a text or null");
    return input;
}

ModelInput readInput(Reader &reader, const Json &json, int depth)
{
    if (!json.is_object())
        return readSent(reader, json);
    if (json.contains("seed"))
        return readDrawn(reader, json);
    if (json.contains("value"))
        return readPlain(reader, json);
    for (const auto &[kind, key] : itemKinds)
        if (json.contains(key))
            return InputItems{reader.text(json, "name"), kind, readInputs(reader, json, key, depth + 1)};
    return readSent(reader, json);
}

std::vector<ModelInput> readInputs(Reader &reader, const Json &json, const char *key, int depth)
{
    std::vector<ModelInput> inputs;
    if (depth > limits::maxNesting)
        reader.fail(json, "lists that are not as deep");
    else
        reader.items(json, key, [&](const Json &input) { inputs.push_back(readInput(reader, input, depth)); });
    return inputs;
}
std::vector<ModelOutput> readOutputs(Reader &reader, const Json &json)
{
    std::vector<ModelOutput> outputs;
    reader.items(json, "outputs", [&](const Json &output) {
        if (output.is_object() && output.contains("type"))
            outputs.emplace_back(OpaqueResult{reader.text(output, "name"), reader.text(output, "type")});
        else
            outputs.emplace_back(readSent(reader, output));
    });
    return outputs;
}

Json write(const Spread &spread)
{
    return {{"median", spread.median}, {"p5", spread.p5}, {"p95", spread.p95}, {"count", spread.count}};
}
Spread readSpread(Reader &reader, const Json &json, const char *key)
{
    Spread spread;
    reader.member(json, key, [&](const Json &member) {
        spread = {readNumber(reader, member, "median"), readNumber(reader, member, "p5"),
                  readNumber(reader, member, "p95"), reader.natural(member, "count")};
    });
    return spread;
}

Json write(const Profile::NodeTime &node)
{
    Json json{{"name", node.name},          {"op", node.op},       {"index", node.index},
              {"provider", node.provider},  {"start", node.start}, {"time", write(node.time)},
              {"memory_bytes", node.memory}};
    if (node.node)
        json["node"] = *node.node;
    if (node.dims)
        json["dims"] = *node.dims;
    return json;
}
Profile::NodeTime readNode(Reader &reader, const Json &json)
{
    Profile::NodeTime node{.name = reader.text(json, "name"),
                           .op = reader.text(json, "op"),
                           .index = reader.natural(json, "index"),
                           .provider = reader.text(json, "provider"),
                           .start = readNumber(reader, json, "start"),
                           .time = readSpread(reader, json, "time"),
                           .memory = reader.natural(json, "memory_bytes")};
    if (json.contains("node"))
        node.node = reader.natural(json, "node");
    if (json.contains("dims"))
        node.dims = reader.text(json, "dims");
    return node;
}

/// Returns the value that `read` gives for the message, or the reader's error if it has met one.
template <class Read>
auto parsed(const Json &json, Read read) -> Result<decltype(read(std::declval<Reader &>()))>
{
    Reader reader;
    if (!json.is_object())
        reader.fail(json, "an object");
    auto value = read(reader);
    if (reader.failed())
        return std::unexpected(
            Error{ErrorKind::Backend, "wrote a message with a fault: " + reader.error()->text(), {}});
    return value;
}

} // namespace

const std::string &nameOf(const ModelInput &input)
{
    return std::visit([](const auto &each) -> const std::string & { return each.name; }, input);
}

SentTensor send(std::string name, const Tensor &tensor, std::string &payload)
{
    SentTensor sent{std::move(name), tensor.dtype, tensor.shape, payload.size(), tensor.bytes.size()};
    payload += tensor.bytes;
    return sent;
}

Result<Tensor> receive(const SentTensor &tensor, std::string_view payload)
{
    const auto end = checkedAdd(tensor.offset, tensor.length);
    if (!end || *end > payload.size())
        return std::unexpected(Error{ErrorKind::Backend, "sent a tensor that is not in its message", tensor.name});
    Tensor received{tensor.dtype, tensor.shape, std::string(payload.substr(tensor.offset, tensor.length))};
    if (auto fits = check(received); !fits)
        return std::unexpected(Error{ErrorKind::Backend, fits.error().message, tensor.name});
    return received;
}

// The members of each struct are listed twice, in print() and parse(), next to each other.

template <>
Json print(const Load &load)
{
    return {{"path", load.path},     {"optimization", load.optimization},
            {"device", load.device}, {"threads", load.threads},
            {"form", load.form},     {"function", load.function},
            {"files", load.files},   {"libraries", load.libraries},
            {"engine", load.engine}};
}
template <>
Result<Load> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        Load load{.path = reader.text(json, "path"),
                  .optimization = reader.text(json, "optimization"),
                  .device = reader.text(json, "device"),
                  .threads = reader.natural(json, "threads"),
                  .form = reader.text(json, "form"),
                  .function = reader.text(json, "function"),
                  .libraries = readTexts(reader, json, "libraries"),
                  .engine = reader.text(json, "engine")};
        reader.items(json, "files", [&](const Json &length) {
            if (length.is_number_unsigned())
                load.files.push_back(length.get<std::uint64_t>());
            else
                reader.fail(length, "a number of bytes");
        });
        return load;
    });
}

template <>
Json print(const Load::Result &result)
{
    return {{"model", result.model.number},
            {"backend", result.backend},
            {"inputs", result.inputs},
            {"outputs", result.outputs}};
}
template <>
Result<Load::Result> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        return Load::Result{readModel(reader, json), reader.text(json, "backend"), readTexts(reader, json, "inputs"),
                            readTexts(reader, json, "outputs")};
    });
}

template <>
Json print(const Run &run)
{
    return {
        {"model", run.model.number}, {"inputs", write(run.inputs)}, {"outputs", run.outputs}, {"values", run.values}};
}
template <>
Result<Run> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        return Run{readModel(reader, json), readInputs(reader, json, "inputs"), readTexts(reader, json, "outputs"),
                   readTexts(reader, json, "values")};
    });
}

template <>
Json print(const Run::Result &result)
{
    return {{"outputs", write(result.outputs)}, {"seconds", result.seconds}};
}
template <>
Result<Run::Result> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        return Run::Result{readOutputs(reader, json), readNumber(reader, json, "seconds")};
    });
}

template <>
Json print(const Profile &profile)
{
    return {{"model", profile.model.number},
            {"inputs", write(profile.inputs)},
            {"warm_up", profile.warmUp},
            {"seconds", profile.seconds}};
}
template <>
Result<Profile> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        return Profile{readModel(reader, json), readInputs(reader, json, "inputs"), reader.natural(json, "warm_up"),
                       readNumber(reader, json, "seconds", Profile().seconds)};
    });
}

template <>
Json print(const Profile::Result &result)
{
    Json nodes = Json::array();
    for (const Profile::NodeTime &node : result.nodes)
        nodes.push_back(write(node));
    return {{"whole", write(result.whole)},      {"instrumented", write(result.instrumented)},
            {"in_nodes", write(result.inNodes)}, {"between", write(result.between)},
            {"peak_bytes", result.peakBytes},    {"peak_activation_bytes", result.peakActivation},
            {"nodes", std::move(nodes)},         {"conditions", print(result.conditions)}};
}
template <>
Result<Profile::Result> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        Profile::Result result{.whole = readSpread(reader, json, "whole"),
                               .instrumented = readSpread(reader, json, "instrumented"),
                               .inNodes = readSpread(reader, json, "in_nodes"),
                               .between = readSpread(reader, json, "between"),
                               .peakBytes = reader.natural(json, "peak_bytes"),
                               .peakActivation = reader.natural(json, "peak_activation_bytes")};
        reader.member(json, "conditions",
                      [&](const Json &member) { result.conditions = readConditions(reader, member); });
        reader.items(json, "nodes", [&](const Json &node) { result.nodes.push_back(readNode(reader, node)); });
        return result;
    });
}

template <>
Json print(const Unload &unload)
{
    return {{"model", unload.model.number}};
}
template <>
Result<Unload> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) { return Unload{readModel(reader, json)}; });
}

template <>
Json print(const Unload::Result &)
{
    return Json::object();
}
template <>
Result<Unload::Result> parse(const Json &json)
{
    return parsed(json, [](Reader &) { return Unload::Result(); });
}

} // namespace cutaway::protocol
