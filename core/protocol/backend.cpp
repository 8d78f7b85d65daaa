// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/backend.h"

#include "core/base/checked.h"
#include "core/base/overloaded.h"
#include "core/ir/json_reader.h"

namespace cutaway::protocol {

namespace {

using Reader = ir::JsonReader;

double readNumber(Reader &reader, const Json &json, const char *key, double otherwise = 0)
{
    reader.member(json, key, [&](const Json &number) {
        if (number.is_number())
            otherwise = number.get<double>();
        else
            reader.fail(number, "a number");
    });
    return otherwise;
}

ir::DType readDType(Reader &reader, const Json &json)
{
    const std::string name = reader.text(json, "dtype");
    const auto dtype = ir::dtypeFromName(name);
    if (!dtype && !reader.failed())
        reader.failWith("'" + name + "' is no dtype");
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
    return {{"name", tensor.name}, {"dtype", ir::name(tensor.dtype)}, {"shape", tensor.shape}, {"seed", tensor.seed}};
}
DrawnTensor readDrawn(Reader &reader, const Json &json)
{
    return {reader.text(json, "name"), readDType(reader, json), readShape(reader, json),
            static_cast<std::uint32_t>(reader.natural(json, "seed"))};
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
std::vector<ModelInput> readInputs(Reader &reader, const Json &json)
{
    std::vector<ModelInput> inputs;
    reader.items(json, "inputs", [&](const Json &input) {
        if (input.is_object() && input.contains("seed"))
            inputs.emplace_back(readDrawn(reader, input));
        else
            inputs.emplace_back(readSent(reader, input));
    });
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
    return {{"name", node.name},         {"op", node.op},       {"index", node.index},
            {"provider", node.provider}, {"start", node.start}, {"time", write(node.time)}};
}
Profile::NodeTime readNode(Reader &reader, const Json &json)
{
    return {reader.text(json, "name"),     reader.text(json, "op"),           reader.natural(json, "index"),
            reader.text(json, "provider"), readNumber(reader, json, "start"), readSpread(reader, json, "time")};
}

/// The value that `read` makes of the message, unless it has met a fault.
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

// Each struct's members are named twice, in print() and in parse(), beside each other.

template <>
Json print(const Load &load)
{
    return {
        {"path", load.path}, {"optimization", load.optimization}, {"device", load.device}, {"threads", load.threads}};
}
template <>
Result<Load> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        return Load{reader.text(json, "path"), reader.text(json, "optimization"), reader.text(json, "device"),
                    reader.natural(json, "threads")};
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
    return {{"model", run.model.number}, {"inputs", write(run.inputs)}, {"outputs", run.outputs}};
}
template <>
Result<Run> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        return Run{readModel(reader, json), readInputs(reader, json), readTexts(reader, json, "outputs")};
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
        return Profile{readModel(reader, json), readInputs(reader, json), reader.natural(json, "warm_up"),
                       readNumber(reader, json, "seconds", Profile().seconds)};
    });
}

template <>
Json print(const Profile::Result &result)
{
    Json nodes = Json::array();
    for (const Profile::NodeTime &node : result.nodes)
        nodes.push_back(write(node));
    return {{"whole", write(result.whole)},
            {"instrumented", write(result.instrumented)},
            {"peak_bytes", result.peakBytes},
            {"nodes", std::move(nodes)}};
}
template <>
Result<Profile::Result> parse(const Json &json)
{
    return parsed(json, [&](Reader &reader) {
        Profile::Result result{readSpread(reader, json, "whole"),
                               readSpread(reader, json, "instrumented"),
                               reader.natural(json, "peak_bytes"),
                               {}};
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
