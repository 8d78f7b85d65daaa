// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/made_names.h"
#include "core/protocol/supports.h"
#include "tests/plugins/conversation.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::protocol {

namespace {

// Protobuf's wire form; every number here is below 128, every length below 16384.
std::string number(int field, int value) { return {static_cast<char>(field << 3), static_cast<char>(value)}; }
std::string bytes(int field, const std::string &content)
{
    const std::size_t size = content.size();
    const std::string length = size < 128 ? std::string{static_cast<char>(size)}
                                          : std::string{static_cast<char>(size | 0x80), static_cast<char>(size >> 7)};
    return static_cast<char>(field << 3 | 2) + length + content;
}

enum ElementType {
    Float = 1,
    UInt8,
    Int8,
    UInt16,
    Int16,
    Int32,
    Int64,
    String,
    Bool,
    Float16,
    Double,
    UInt32,
    UInt64,
    BFloat16 = 16,
    Float8E4M3FN = 17
};

std::string tensorType(ElementType type) { return bytes(1, number(1, type)); }

std::string integerAttribute(const std::string &name, int value)
{
    return bytes(5, bytes(1, name) + number(3, value) + std::string("\xa0\x01\x02", 3));
}
std::string textsAttribute(const std::string &name, const std::vector<std::string> &texts)
{
    std::string content = bytes(1, name);
    for (const std::string &text : texts)
        content += bytes(9, text);
    return bytes(5, content + std::string("\xa0\x01\x08", 3));
}

/// y = op(x) where x has elements of this type; SequenceEmpty takes none.
std::string model(const std::string &op, ElementType type, const std::string &outputType,
                  const std::string &domain = "", const std::string &attributes = "")
{
    const std::string node = (op == "SequenceEmpty" ? std::string() : bytes(1, "x")) + bytes(2, "y")
        + bytes(3, "the node") + bytes(4, op) + attributes + (domain.empty() ? "" : bytes(7, domain));
    const std::string graph = bytes(1, node) + bytes(2, "g") + bytes(11, bytes(1, "x") + bytes(2, tensorType(type)))
        + bytes(12, bytes(1, "y") + bytes(2, outputType));
    return number(1, 10) + bytes(7, graph) + bytes(8, number(2, 21))
        + (domain.empty() ? "" : bytes(8, bytes(1, domain) + number(2, 3)));
}

TEST(OnnxRuntime, saysWhoItIs)
{
    Conversation plugin({CUTAWAY_PLUGIN});
    const auto initialize = plugin.ask(Initialize()), devices = plugin.request("devices", Json::object());
    const auto ping = plugin.ask(Ping()), odd = plugin.request("sing", Json::object());
    plugin.ask(Shutdown());
    plugin.hold();
    EXPECT_EQ(plugin.result<Initialize>(initialize).name, "onnxruntime");
    EXPECT_EQ(plugin.result<Initialize>(initialize).protocol, version);
    ASSERT_FALSE(plugin.result<Devices>(devices).devices.empty());
    EXPECT_EQ(plugin.result<Devices>(devices).devices.front().id, "cpu");
    EXPECT_EQ(plugin.failure(ping).code, 0);
    EXPECT_EQ(plugin.failure(odd).code, MethodNotFound);
}

TEST(OnnxRuntime, runsAModelOfAFile)
{
    Conversation plugin({CUTAWAY_PLUGIN});
    const auto load = plugin.ask(Load{CUTAWAY_SAMPLE, "all", "cpu", 1});
    const DrawnTensor image{"image", ir::DType::Float32, {1, 3, 32, 32}, 1};
    const auto drawn = plugin.ask(protocol::Run{{1}, {image}, {}});
    std::string payload;
    const SentTensor sent = send("image", randomTensor(image.dtype, image.shape, 1).value(), payload);
    const auto given = plugin.ask(protocol::Run{{1}, {sent}, {"logits"}}, payload);
    plugin.hold();
    EXPECT_EQ(plugin.result<Load>(load).inputs, std::vector<std::string>{"image"});
    EXPECT_EQ(plugin.result<Load>(load).outputs, std::vector<std::string>{"logits"});
    const auto result = plugin.result<protocol::Run>(drawn);
    ASSERT_EQ(result.outputs.size(), 1u);
    const auto &logits = std::get<SentTensor>(result.outputs.front());
    EXPECT_EQ(logits.shape, (std::vector<std::int64_t>{1, 10}));
    EXPECT_TRUE(receive(logits, plugin.answer(drawn).payload));
    EXPECT_EQ(plugin.answer(drawn).payload, plugin.answer(given).payload);
}

struct TypeRow {
    const char *label;
    ElementType type;
    ir::DType dtype;
};

class ElementTypes : public testing::TestWithParam<TypeRow> { };

TEST_P(ElementTypes, goThroughUnchanged)
{
    const Tensor tensor = randomTensor(GetParam().dtype, {3}, 5).value();
    Conversation plugin({CUTAWAY_PLUGIN});
    plugin.ask(Load(), model("Identity", GetParam().type, tensorType(GetParam().type)));
    std::string payload;
    const SentTensor sent = send("x", tensor, payload);
    const auto run = plugin.ask(protocol::Run{{1}, {sent}, {}}, payload);
    plugin.hold();
    const auto result = plugin.result<protocol::Run>(run);
    ASSERT_EQ(result.outputs.size(), 1u);
    EXPECT_EQ(receive(std::get<SentTensor>(result.outputs.front()), plugin.answer(run).payload), tensor);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ElementTypes,
    testing::Values(TypeRow{"Float32", Float, ir::DType::Float32}, TypeRow{"UInt8", UInt8, ir::DType::UInt8},
                    TypeRow{"Int8", Int8, ir::DType::Int8}, TypeRow{"UInt16", UInt16, ir::DType::UInt16},
                    TypeRow{"Int16", Int16, ir::DType::Int16}, TypeRow{"Int32", Int32, ir::DType::Int32},
                    TypeRow{"Int64", Int64, ir::DType::Int64}, TypeRow{"Strings", String, ir::DType::String},
                    TypeRow{"Bool", Bool, ir::DType::Bool}, TypeRow{"Float16", Float16, ir::DType::Float16},
                    TypeRow{"Float64", Double, ir::DType::Float64}, TypeRow{"UInt32", UInt32, ir::DType::UInt32},
                    TypeRow{"UInt64", UInt64, ir::DType::UInt64}, TypeRow{"BFloat16", BFloat16, ir::DType::BFloat16},
                    TypeRow{"Float8", Float8E4M3FN, ir::DType::Float8E4M3FN}),
    [](const auto &row) { return row.param.label; });

/// A result that is not a tensor: the operator that makes it of floats, its type, and what comes of it.
struct ResultRow {
    const char *label;
    const char *op, *domain;
    std::string attributes, type;
    std::vector<std::string> outputs;
};

class OtherResults : public testing::TestWithParam<ResultRow> { };

TEST_P(OtherResults, areSentByTheirItems)
{
    const ResultRow &row = GetParam();
    Conversation plugin({CUTAWAY_PLUGIN});
    plugin.ask(Load(), model(row.op, Float, row.type, row.domain, row.attributes));
    const auto run = plugin.ask(protocol::Run{{1}, {DrawnTensor{"x", ir::DType::Float32, {1, 2}, 1}}, {}});
    plugin.hold();
    std::vector<std::string> outputs;
    for (const ModelOutput &output : plugin.result<protocol::Run>(run).outputs)
        if (const auto *tensor = std::get_if<SentTensor>(&output))
            outputs.push_back(tensor->name + (receive(*tensor, plugin.answer(run).payload) ? "" : ": no bytes"));
        else
            outputs.push_back(std::get<OpaqueResult>(output).name + ": " + std::get<OpaqueResult>(output).type);
    EXPECT_EQ(outputs, row.outputs);
}

std::string sequenceOf(const std::string &type) { return bytes(4, bytes(1, type)); }

INSTANTIATE_TEST_SUITE_P(
    Rows, OtherResults,
    testing::Values(ResultRow{"Sequence",
                              "SplitToSequence",
                              "",
                              integerAttribute("axis", 1),
                              sequenceOf(tensorType(Float)),
                              {"y.0", "y.1"}},
                    ResultRow{
                        "EmptySequence", "SequenceEmpty", "", "", sequenceOf(tensorType(Float)), {"y: empty list"}},
                    ResultRow{"Optional", "Optional", "", "", bytes(9, bytes(1, tensorType(Float))), {"y"}},
                    ResultRow{"Maps",
                              "ZipMap",
                              "ai.onnx.ml",
                              textsAttribute("classlabels_strings", {"cat", "dog"}),
                              sequenceOf(bytes(5, number(1, String) + bytes(2, tensorType(Float)))),
                              {"y.0.cat", "y.0.dog"}}),
    [](const auto &row) { return row.param.label; });

TEST(OnnxRuntime, timesTheRunAndItsNodes)
{
    Conversation plugin({CUTAWAY_PLUGIN});
    plugin.ask(Load{CUTAWAY_SAMPLE, "none", "cpu", 1});
    const DrawnTensor image{"image", ir::DType::Float32, {1, 3, 32, 32}, 1};
    const auto profile = plugin.ask(Profile{{1}, {image}, 1, 0.3});
    plugin.hold();
    const auto result = plugin.result<Profile>(profile);
    EXPECT_GT(result.whole.count, 0u);
    EXPECT_GT(result.whole.median, 0);
    EXPECT_LE(result.whole.p5, result.whole.median);
    EXPECT_LE(result.whole.median, result.whole.p95);
    EXPECT_GT(result.peakBytes, 1u << 20);
    ASSERT_GT(result.nodes.size(), 10u);
    EXPECT_EQ(result.nodes.front().name, "/stem/conv/Conv");
    EXPECT_EQ(result.nodes.front().op, "Conv");
    EXPECT_EQ(result.inNodes.count, result.instrumented.count);
    EXPECT_GT(result.inNodes.median, 0);
    EXPECT_LT(result.inNodes.p5, result.instrumented.p95);
    EXPECT_GT(result.between.median, 0);
    EXPECT_GT(result.conditions.machine.memory, 1u << 20);
    // The result of the first convolution has 16 channels of 16 x 16 or more, and no node needs more than the peak.
    EXPECT_GE(result.nodes.front().memory, 16u * 16 * 16 * 4);
    EXPECT_GE(result.peakActivation, result.nodes.front().memory);
    EXPECT_TRUE(
        std::ranges::all_of(result.nodes, [&](const auto &node) { return node.memory <= result.peakActivation; }));
    EXPECT_EQ(result.conditions.threads, 1u);
}

/// y = Neg(x), r = Relu(y) or Abs(y): the Neg is called "Relu_0", as ONNX Runtime calls a Relu without a name.
std::string modelWithoutNames()
{
    const auto value = [](const std::string &name) { return bytes(1, name) + bytes(2, tensorType(Float)); };
    const auto node = [](const std::string &op, const std::string &from, const std::string &to,
                         const std::string &name) {
        return bytes(1, bytes(1, from) + bytes(2, to) + (name.empty() ? "" : bytes(3, name)) + bytes(4, op));
    };
    const auto branch = [&](const std::string &attribute, const std::string &op) {
        return bytes(5,
                     bytes(1, attribute)
                         + bytes(6, node(op, "y", "z", "") + bytes(2, attribute) + bytes(12, value("z")))
                         + std::string("\xa0\x01\x05", 3));
    };
    const std::string condition = bytes(1, "c") + bytes(2, tensorType(Bool));
    const std::string choice = bytes(1,
                                     bytes(1, "c") + bytes(2, "r") + bytes(4, "If") + branch("then_branch", "Relu")
                                         + branch("else_branch", "Abs"));
    const std::string graph = node("Neg", "x", "y", "Relu_0") + choice + bytes(2, "g") + bytes(11, value("x"))
        + bytes(11, condition) + bytes(12, value("r"));
    return number(1, 10) + bytes(7, graph) + bytes(8, number(2, 17));
}

TEST(OnnxRuntime, timesNodesWithoutNamesByTheirValues)
{
    Conversation plugin({CUTAWAY_PLUGIN});
    plugin.ask(Load{"", "none", "cpu", 1}, modelWithoutNames());
    const DrawnTensor x{"x", ir::DType::Float32, {4}, 1};
    const Tensor truth{ir::DType::Bool, {}, "\x01"};
    std::string payload;
    const SentTensor condition = send("c", truth, payload);
    const auto profile = plugin.ask(Profile{{1}, {x, condition}, 1, 0.05}, payload);
    plugin.hold();
    std::vector<std::string> timed;
    for (const auto &node : plugin.result<Profile>(profile).nodes)
        timed.push_back(node.op + " " + node.name);
    std::ranges::sort(timed);
    const std::vector<std::string> expected{"If " + madeName("r", 1), "Neg Relu_0", "Relu " + madeName("z", 1)};
    EXPECT_EQ(timed, expected);
}

TEST(OnnxRuntime, saysWhichNodesItTakes)
{
    const std::vector<std::string> models{
        model("Relu", Float, tensorType(Float)), model("Abs", BFloat16, tensorType(BFloat16)),
        model("Gelu2", Float, tensorType(Float), "mylib"), model("Abs", String, tensorType(String))};
    Supports request{.form = "onnx"};
    std::string payload;
    for (const std::string &each : models) {
        request.lengths.push_back(each.size());
        payload += each;
    }
    Conversation plugin({CUTAWAY_PLUGIN});
    const auto asked = plugin.ask(request, payload);
    plugin.hold();
    const auto verdicts = plugin.result<Supports>(asked).verdicts;
    ASSERT_EQ(verdicts.size(), models.size());
    EXPECT_EQ(verdicts[0].takes, true) << verdicts[0].reason;
    EXPECT_EQ(verdicts[1].takes, false) << "it has no kernel for bfloat16";
    EXPECT_FALSE(verdicts[1].reason.empty());
    EXPECT_EQ(verdicts[2].takes, false);
    EXPECT_TRUE(verdicts[2].reason.contains("Gelu2")) << verdicts[2].reason;
    EXPECT_EQ(verdicts[3].takes, std::nullopt) << "no type of ONNX's Abs is text";
}

TEST(OnnxRuntime, stopsWhenItIsAskedTo)
{
    Conversation plugin({CUTAWAY_PLUGIN});
    plugin.ask(Load{CUTAWAY_SAMPLE, "all", "cpu", 1});
    const DrawnTensor image{"image", ir::DType::Float32, {1, 3, 32, 32}, 1};
    const auto profile = plugin.ask(Profile{{1}, {image}, 1'000'000'000, 3600}); // a profile that would take hours
    plugin.cancel(profile);
    const auto unload = plugin.ask(Unload{{1}});
    plugin.hold();
    EXPECT_EQ(plugin.failure(profile).code, RequestCancelled) << plugin.failure(profile).message;
    EXPECT_EQ(plugin.failure(unload).code, 0);
}

TEST(OnnxRuntime, endsAtWhatIsNoMessage)
{
    const auto output = runProcess({CUTAWAY_PLUGIN}, "Hello?\r\n\r\n", std::chrono::seconds(60));
    ASSERT_TRUE(output) << output.error().text();
    EXPECT_FALSE(output->timedOut);
    EXPECT_EQ(output->exitCode, 1);
    EXPECT_EQ(output->standardOutput, "");
}

struct WrongRow {
    const char *label;
    std::string method;
    Json params;
    int code;
    const char *message;
};

class WrongRequests : public testing::TestWithParam<WrongRow> { };

TEST_P(WrongRequests, areAnsweredAndSoIsTheNextOne)
{
    Conversation plugin({CUTAWAY_PLUGIN});
    const auto load = plugin.ask(Load{CUTAWAY_SAMPLE, "all", "cpu", 1});
    const auto wrong = plugin.request(GetParam().method, GetParam().params);
    const auto unload = plugin.ask(Unload{{1}});
    plugin.hold();
    EXPECT_EQ(plugin.failure(load).code, 0);
    EXPECT_EQ(plugin.failure(wrong).code, GetParam().code);
    EXPECT_NE(plugin.failure(wrong).message.find(GetParam().message), std::string::npos)
        << plugin.failure(wrong).message;
    EXPECT_EQ(plugin.failure(unload).code, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongRequests,
    testing::Values(
        WrongRow{"NoModel", "run", print(protocol::Run{{9}, {}, {}}), InvalidParams, "no model 9"},
        WrongRow{"NoFile", "load", print(Load{"/nowhere/a.onnx", "all", "cpu", 0}), UnreadableFile, "/nowhere/a.onnx"},
        WrongRow{"NoOnnx", "load", print(Load()), InternalError, "ONNX Runtime"},
        WrongRow{"NoLevel", "load", print(Load{CUTAWAY_SAMPLE, "much", "cpu", 0}), InvalidParams, "'much'"},
        WrongRow{"NoDevice", "load", print(Load{CUTAWAY_SAMPLE, "all", "cuda:7", 0}), InvalidParams, "'cuda:7'"},
        WrongRow{"NoSuchDevice", "load", print(Load{CUTAWAY_SAMPLE, "all", "abacus", 0}), InvalidParams,
                 "no device 'abacus'; known: cpu"},
        WrongRow{"NoNumberOfADevice", "load", print(Load{CUTAWAY_SAMPLE, "all", "cuda:x", 0}), InvalidParams,
                 "no device 'cuda:x'"},
        WrongRow{"NoInputs", "run", print(protocol::Run{{1}, {}, {}}), InternalError, "image"},
        WrongRow{"WrongShape", "run", print(protocol::Run{{1}, {DrawnTensor{"image", ir::DType::Float32, {7}, 1}}, {}}),
                 InternalError, "image"},
        WrongRow{"BytesThatAreNotThere", "run",
                 print(protocol::Run{{1}, {SentTensor{"image", ir::DType::Float32, {2}, 0, 8}}, {}}), InvalidParams,
                 "not in its message"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::protocol
