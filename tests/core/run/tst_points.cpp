// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/run/points.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

struct OutputsRow {
    const char *name;
    const char *nodes;  ///< nodes on x: float32[2]; the last one returns %r
    const char *wanted; ///< the value that is asked for
    const char *extended;
};

class WithOutputs : public testing::TestWithParam<OutputsRow> { };

TEST_P(WithOutputs, returnsValuesAsTheyAreMade)
{
    const std::string head = "graph @forward(%x: float32[2]) {\n";
    const ir::Model model = *ir::parseText(head + GetParam().nodes + "  return %r\n}\n");
    const ir::Graph &graph = model.at(ir::FunctionId{0}).graph;
    std::vector<ir::ValueId> wanted;
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
        if (ir::ValueRef(graph, ir::ValueId{i}).name() == GetParam().wanted)
            wanted.push_back({i});
    const ir::Model extended = withOutputs(model, {0}, wanted);
    EXPECT_EQ(ir::verify(extended), std::vector<std::string>());
    const std::string text = ir::printText(extended, {0}, ir::TextForm::Reading);
    EXPECT_EQ(text, head + GetParam().extended + "}\n");
    const auto &outputs = extended.at(ir::FunctionId{0}).outputs;
    EXPECT_EQ(extended.context->text(outputs.back().name), GetParam().wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WithOutputs,
    testing::Values(OutputsRow{"keptValue", "  %a = aten::neg(self=%x)\n  %r = aten::relu(self=%a)\n", "a",
                               "  %a = aten::neg(self=%x)\n  %r = aten::relu(self=%a)\n  return %r, %a\n"},
                    OutputsRow{"overwrittenValue", "  %a = aten::neg(self=%x)\n  %r = aten::relu_(self=%a)\n", "a",
                               "  %a = aten::neg(self=%x)\n  #2 %#0 = aten::clone(self=%a) from #0\n"
                               "  #1 %r = aten::relu_(self=%a)\n  return %r, %#0 named \"a\"\n"},
                    OutputsRow{"valueWhoseViewIsOverwritten",
                               "  %a = aten::neg(self=%x)\n  %v = aten::view(self=%a, size=[2])\n"
                               "  %r = aten::relu_(self=%v)\n",
                               "a",
                               "  %a = aten::neg(self=%x)\n  #3 %#0 = aten::clone(self=%a) from #0\n"
                               "  #1 %v = aten::view(self=%a, size=[2])\n  %r = aten::relu_(self=%v)\n"
                               "  return %r, %#0 named \"a\"\n"}),
    [](const auto &row) { return row.param.name; });

} // namespace

} // namespace cutaway::run
