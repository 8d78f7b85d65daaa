// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/saved_profile.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

constexpr std::string_view whole = R"({
  "schema": "cutaway.profile/1",
  "model": {"format": "onnx", "function": "main", "file": "net.onnx", "bytes": 99, "sha256_of_ends": "ab"},
  "inputs": [{"name": "x", "dtype": "float16", "shape": [1, 3]}],
  "machine": {"processor": "Z80", "cores": 1, "clock_hertz": 4e6, "libraries": ["L 1"], "threads_used": 2,
              "optimization": "all", "device": "cpu", "time": "2026-11-22T09:10:00Z"},
  "whole_ms": {"median": 10, "p5": 9, "p95": 12, "count": 20},
  "instrumented_ms": {"median": 11, "p5": 10, "p95": 13, "count": 20},
  "in_nodes_ms": {"median": 2.75, "p5": 2, "p95": 3, "count": 20},
  "sum_ms": 2.75, "process_peak_bytes": null, "measured_peak_activation_bytes": 1280, "peak_activation_bytes": "4*N",
  "nodes": [
    {"id": 4, "ids": [4, 5], "parts": [{"id": 4, "name": "c", "op": "onnx::Conv"},
                                       {"id": 5, "name": "r", "op": "onnx::Relu"}],
     "backend_name": "fused c", "backend_op": "FusedConv", "backend_index": 7, "provider": "CPU", "start_ms": 1, "memory_bytes": 640,
     "ms": {"median": 2, "p5": 1.5, "p95": 3, "count": 20}, "flops": 10, "bytes": null},
    {"id": null, "ids": [], "parts": [], "backend_name": "reorder", "ms": {"median": 0.5}}
  ]})";

TEST(SavedProfiles, tellWhatTheyWereTakenOf)
{
    const auto saved = parseProfile(whole);
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_EQ(saved->format, "onnx");
    EXPECT_EQ(saved->function, "main");
    EXPECT_EQ(saved->timing.file, (ModelFile{"net.onnx", 99, "ab"}));
    EXPECT_EQ(saved->timing.inputs, (std::vector<InputSize>{{"x", ir::DType::Float16, {1, 3}}}));
}

TEST(SavedProfiles, tellTheConditions)
{
    const auto saved = parseProfile(whole);
    ASSERT_TRUE(saved) << saved.error().text();
    const protocol::Conditions &conditions = saved->timing.conditions;
    EXPECT_EQ(conditions.machine.processor, "Z80");
    EXPECT_EQ(conditions.machine.clock, 4e6);
    EXPECT_EQ(conditions.libraries, std::vector<std::string>{"L 1"});
    EXPECT_EQ(conditions.threads, 2u);
    EXPECT_EQ(conditions.time, "2026-11-22T09:10:00Z");
}

TEST(SavedProfiles, haveTimesInSeconds)
{
    const auto saved = parseProfile(whole);
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_DOUBLE_EQ(saved->timing.whole.median, 0.010);
    EXPECT_DOUBLE_EQ(saved->timing.instrumented.p95, 0.013);
    EXPECT_EQ(saved->timing.whole.count, 20u);
    EXPECT_DOUBLE_EQ(saved->sum().value(), 0.00275);
    EXPECT_EQ(saved->timing.peakBytes, 0u);
    EXPECT_EQ(saved->timing.peakActivation, 1280u);
    EXPECT_EQ(saved->nodes[0].measured.memory, 640u);
    EXPECT_EQ(saved->nodes[1].measured.memory, 0u);
}

TEST(SavedProfiles, addUpMediansWhereTheSumIsNotTold)
{
    const auto saved = parseProfile(R"({"schema":"cutaway.profile/1",
                                        "nodes":[{"ms":{"median":2}},{"ms":{"median":0.5}}]})");
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_DOUBLE_EQ(saved->sum().value(), 0.0025);
}

TEST(SavedProfiles, haveRowsOfSeveralNodesAndOfNone)
{
    const auto saved = parseProfile(whole);
    ASSERT_TRUE(saved) << saved.error().text();
    ASSERT_EQ(saved->nodes.size(), 2u);
    EXPECT_EQ(saved->nodes[0].parts,
              (std::vector<SavedPart>{{ir::NodeId{4}, "c", "onnx::Conv"}, {ir::NodeId{5}, "r", "onnx::Relu"}}));
    EXPECT_EQ(saved->nodes[0].measured.index, 7u);
    EXPECT_DOUBLE_EQ(saved->nodes[0].measured.start, 0.001);
    EXPECT_TRUE(saved->nodes[1].parts.empty());
    EXPECT_EQ(saved->nodes[1].measured.name, "reorder");
}

struct BadRow {
    const char *label;
    const char *text;
    const char *message;
};

class BadProfiles : public testing::TestWithParam<BadRow> { };

TEST_P(BadProfiles, areRefusedInASentence)
{
    const auto saved = parseProfile(GetParam().text);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().kind, ErrorKind::Unreadable);
    EXPECT_NE(saved.error().text().find(GetParam().message), std::string::npos) << saved.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadProfiles,
    testing::Values(
        BadRow{"Empty", "", "not JSON"}, BadRow{"CutShort", R"({"schema":"cutaway.profile/1","nodes":[)", "not JSON"},
        BadRow{"AList", "[]", "it has no schema"}, BadRow{"NoSchema", "{}", "it has no schema"},
        BadRow{"AnotherSchema", R"({"schema":"cutaway.run/1"})", "'cutaway.run/1', expected 'cutaway.profile/1'"},
        BadRow{"ATimeThatIsAText", R"({"schema":"cutaway.profile/1","whole_ms":{"median":"fast"}})",
               R"(found "fast" where a number is expected)"},
        BadRow{"ATimeBelowZero", R"({"schema":"cutaway.profile/1","whole_ms":{"median":-1}})",
               "'median' is not a time"},
        BadRow{"AnIdBelowZero", R"({"schema":"cutaway.profile/1","nodes":[{"parts":[{"id":-1}]}]})", "nodes[0]"},
        BadRow{"AnIdTooLarge", R"({"schema":"cutaway.profile/1","nodes":[{"parts":[{"id":99999999999}]}]})",
               "nodes[0]"},
        BadRow{"NodesThatAreNoList", R"({"schema":"cutaway.profile/1","nodes":7})", "an array is expected"},
        BadRow{"NoDType", R"({"schema":"cutaway.profile/1","inputs":[{"name":"x","dtype":"floaty"}]})",
               "'floaty' is not a dtype"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::run
