// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/backend.h"
#include "core/protocol/supports.h"

#include <gtest/gtest.h>

namespace cutaway::protocol {

namespace {

/// Printed messages are parsed with all of their members.
template <class T>
void expectToComeBack(const T &value)
{
    const Json json = print(value);
    const auto again = parse<T>(Json::parse(json.dump()));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(print(*again), json);
}

TEST(BackendMethods, comeBackAsTheyWere)
{
    expectToComeBack(Load{"/m.onnx", "basic", "cpu", 3});
    expectToComeBack(Load{"", "all", "cuda:1", 0, "ir", "forward", {17, 4}, {"/lib/libmyops.so"}, "compile"});
    expectToComeBack(Load::Result{{4}, "ONNX Runtime 1.21.0", {"x"}, {"y", "z"}});
    const SentTensor sent{"x", ir::DType::Int8, {2, 3}, 5, 6};
    expectToComeBack(protocol::Run{{4}, {sent, DrawnTensor{"y", ir::DType::Float32, {}, 9}}, {"z"}});
    expectToComeBack(
        protocol::Run{{4}, {DrawnTensor{"i", ir::DType::Int64, {2}, 9, ir::NumberRange{0, 49}}}, {}, {"relu"}});
    expectToComeBack(protocol::Run{{4},
                                   {PlainInput{"n", 3}, PlainInput{"f", 2.0}, PlainInput{"none", nullptr},
                                    InputItems{"xs", InputItems::Kind::Dict, {PlainInput{"", "k"}, sent}}},
                                   {}});
    expectToComeBack(protocol::Run::Result{{sent, OpaqueResult{"s", "seq(tensor(float))"}}, 0.25});
    expectToComeBack(Profile{{4}, {sent}, 1, 2.5});
    const Spread spread{0.5, 0.25, 0.75, 11};
    const Machine machine{"host", "CPU",         1,       2,      4, 3, 32 << 10, 1 << 20, 8 << 20, 2e9,
                          3e9,    "performance", 1 << 30, "Linux"};
    const Conditions conditions{machine,
                                {"ONNX Runtime 1.21.0"},
                                2,
                                "all",
                                "cuda:0",
                                "2026-11-22T09:10:00Z",
                                Accelerator{"NVIDIA H100", 80, 1.98e9, 2e9, "550.54"}};
    expectToComeBack(Profile::Result{spread,
                                     spread,
                                     spread,
                                     spread,
                                     1000,
                                     77,
                                     {{"conv", "Conv", 3, "CPU", 0.125, spread, 99}, {"", "", 0, "", 0, spread, 64, 7}},
                                     conditions});
    expectToComeBack(Unload{{4}});
    expectToComeBack(Supports{"onnx", "cuda:1", {17, 4}});
    expectToComeBack(Supports::Result{{{true, ""}, {false, "no kernel"}, {{}, "its types are not known"}}});
}

TEST(BackendMethods, asksWithModelsOneAfterTheOther)
{
    const auto models = modelsOf({.lengths = {2, 0, 3}}, "abcde");
    ASSERT_TRUE(models);
    EXPECT_EQ(*models, (std::vector<std::string_view>{"ab", "", "cde"}));
    EXPECT_FALSE(modelsOf({.lengths = {6}}, "abcde"));
    EXPECT_FALSE(parse<Supports::Result>(Json::parse(R"({"verdicts":[{"takes":"yes"}]})")));
}

TEST(BackendMethods, sayWhichMemberIsWrong)
{
    const auto run = parse<protocol::Run>(Json::parse(R"({"model":1,"inputs":[{"name":"x","dtype":"floaty"}]})"));
    ASSERT_FALSE(run);
    EXPECT_NE(run.error().text().find("'floaty' is not a dtype"), std::string::npos) << run.error().text();
}

TEST(BackendMethods, refuseInputsThatNestTooDeep)
{
    std::string inputs = R"({"name":"n","value":1})";
    for (int i = 0; i < 1000; ++i)
        inputs = R"({"name":"l","list":[)" + inputs + "]}";
    const auto run = parse<protocol::Run>(Json::parse(R"({"model":1,"inputs":[)" + inputs + "]}"));
    ASSERT_FALSE(run);
    EXPECT_NE(run.error().text().find("not as deep"), std::string::npos) << run.error().text();
}

TEST(SentTensors, areReceived)
{
    std::string payload = "before";
    const Tensor tensor{ir::DType::Int16, {2}, "abcd"};
    const SentTensor sent = send("x", tensor, payload);
    EXPECT_EQ(sent.offset, 6u);
    EXPECT_EQ(receive(sent, payload), tensor);
}

TEST(SentTensors, mustLieInThePayload)
{
    const std::string payload = "abcd";
    EXPECT_FALSE(receive({"x", ir::DType::Int16, {2}, 2, 4}, payload));
    EXPECT_FALSE(receive({"x", ir::DType::Int16, {2}, ~std::uint64_t{0}, 4}, payload));
    EXPECT_FALSE(receive({"x", ir::DType::Int16, {3}, 0, 4}, payload));
    EXPECT_TRUE(receive({"x", ir::DType::Int16, {2}, 0, 4}, payload));
}

} // namespace

} // namespace cutaway::protocol
