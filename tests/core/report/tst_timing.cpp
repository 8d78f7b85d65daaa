// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/timing_report.h"

#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cutaway::report {
namespace {

using nlohmann::json;

/// Nodes in regions are timed by themselves: what is around them without them, in loops all turns together.
TEST(Timing, costsAreThoseOfTheMeasuredTime)
{
    const ir::Model model = test::parsed(R"(
graph @f(%x: float32[2, 2], %c: bool[], %n: int64[]) {
  %r = onnx::If(%c)
    region "then_branch" {
      %a: float32[2, 2] = onnx::MatMul(%x, %x)
      return %a
    }
    region "else_branch" {
      %b: float32[2, 2] = onnx::MatMul(%x, %x)
      return %b
    }
  %s = onnx::Loop(%n, none, %x)
    region "body" (%i: int64[], %go: bool[], %v: float32[2, 2]) {
      %m: float32[2, 2] = onnx::MatMul(%v, %v)
      return %go, %m
    }
  %p = onnx::MatMul(%r, %s)
  return %p
}
)");
    const analysis::Analysis analysis = analysis::analyse(model, {0});
    run::Timing timing;
    for (ir::NodeId id{0}; id.index < model.functions[0].graph.nodeCount(); ++id.index)
        timing.nodes.push_back({{id}, {.time = {1e-3, 1e-3, 1e-3, 1}}});
    const json report = json::parse(timingJson({model, analysis, timing}));
    std::string found;
    for (const json &node : report.at("nodes"))
        found += node.at("name").get<std::string>() + " " + node.at("flops").dump() + "\n";
    EXPECT_EQ(found, "r null\na 16\nb 16\ns null\nm null\np 16\n");
}

} // namespace
} // namespace cutaway::report
