// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Times of calls that a backend knows by operator, sizes and order.
#include "core/trace/times.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

constexpr const char *net = R"(model "m"
graph @forward(%x: float32[2, 4]) {
  %n = prim::NumToTensor(a=2)
  %a = aten::relu(self=%x)
  %b = aten::neg(self=%a)
  %c = aten::relu(self=%b)
  return %c
}
)";

struct TimedCall {
    std::string op, dims;
};

struct CallRow {
    std::string name;
    std::vector<TimedCall> calls;
    std::string expected; ///< the ids of the nodes of each call
};

void PrintTo(const CallRow &row, std::ostream *out) { *out << row.name; }

class CalledOperators : public testing::TestWithParam<CallRow> { };

TEST_P(CalledOperators, findTheirNodesByOrder)
{
    run::Timing timing;
    for (const TimedCall &call : GetParam().calls) {
        protocol::Profile::NodeTime measured{.name = "call", .op = call.op};
        measured.time.median = 1e-3;
        measured.dims = call.dims;
        timing.nodes.push_back({{}, measured});
    }
    const ir::Model model = parsed(net);
    trace::linkCalls(timing, model, analysis::analyse(model, ir::FunctionId{0}));
    std::string found;
    for (const run::TimedNodes &timed : timing.nodes) {
        found += found.empty() ? "" : " ";
        for (const ir::NodeId node : timed.nodes)
            found += std::to_string(node.index);
        if (timed.nodes.empty())
            found += "-";
    }
    EXPECT_EQ(found, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, CalledOperators,
    testing::Values(CallRow{"all", {{"relu", "[[2,4]]"}, {"neg", "[[2,4]]"}, {"relu", "[[2,4]]"}}, "1 2 3"},
                    CallRow{
                        "writingInPlace", {{"relu_", "[[2,4]]"}, {"neg", "[[2,4]]"}, {"relu_", "[[2,4]]"}}, "1 2 3"},
                    CallRow{"oneWasFoldedAway", {{"neg", "[[2,4]]"}, {"relu", "[[2,4]]"}}, "2 3"},
                    CallRow{"oneIsNoNodes",
                            {{"relu", "[[2,4]]"}, {"zeros", "[[]]"}, {"neg", "[[2,4]]"}, {"relu", "[[2,4]]"}},
                            "1 - 2 3"},
                    CallRow{"damagedSizes", {{"relu", "[[2,"}, {"neg", ""}, {"relu", "no"}}, "1 2 3"},
                    CallRow{"none", {}, ""}),
    [](const auto &row) { return row.param.name; });

TEST(CallsOfBackends, leaveEntriesWithNodesAlone)
{
    run::Timing timing;
    timing.nodes.push_back({{ir::NodeId{2}}, {.name = "b", .op = "neg"}});
    const ir::Model model = parsed(net);
    trace::linkCalls(timing, model, analysis::analyse(model, ir::FunctionId{0}));
    EXPECT_EQ(timing.nodes.front().nodes, std::vector{ir::NodeId{2}});
}

} // namespace
} // namespace cutaway::test
