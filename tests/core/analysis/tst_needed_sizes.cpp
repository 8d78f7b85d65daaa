// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions of nodes on open sizes. A case prints the first output, the symbols with derived bounds, and the
// diagnostics of sizes.
#include "core/analysis/analysis.h"
#include "core/ir/names.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

std::string neededIn(const GraphCase &given)
{
    const auto model = ir::parseText(given.graphs.front());
    if (!model)
        return model.error().text();
    const ir::Function &function = model->functions.front();
    const analysis::Analysis analysis = analysis::analyse(*model, ir::FunctionId{0});
    std::string text = ops::print(analysis.shapes.of(*function.outputs.front().value.as<ir::ValueId>()));
    for (const ir::Symbol &symbol : model->symbols)
        if (const std::string needed = analysis.needed.textOf(symbol); !needed.empty())
            text += "\n" + symbol.name + ": " + needed;
    for (const ir::Diagnostic &found : analysis::findings(analysis))
        text += "\n" + ir::nameOf(ir::NodeRef(function.graph, found.node.value())) + ": " + found.code + ": "
            + found.message;
    return text;
}

const bool registered = forEachCase("NeededSizes", "analysis_sizes", neededIn);

struct SuitableRow {
    std::string name, graph;
    std::int64_t wanted, suitable;
};

void PrintTo(const SuitableRow &row, std::ostream *out) { *out << row.name; }

class SuitableSize : public ::testing::TestWithParam<SuitableRow> { };

TEST_P(SuitableSize, isTheNearestWithWhichTheNodesRun)
{
    const auto model = ir::parseText("symbol s\n" + GetParam().graph);
    ASSERT_TRUE(model) << model.error().text();
    const analysis::NeededSizes needed(*model, analysis::inferShapes(*model, ir::FunctionId{0}));
    EXPECT_EQ(needed.suitable("s", GetParam().wanted), GetParam().suitable);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SuitableSize,
    ::testing::Values(
        SuitableRow{"theWantedOne", "graph @f(%x: float32[s]) { %r = onnx::Relu(%x) return %r }", 16, 16},
        SuitableRow{"aKernel",
                    "graph @f(%x: float32[1, 1, s], %w: float32[4, 1, 512]) { %r = onnx::Conv(%x, %w) return %r }", 16,
                    512},
        SuitableRow{"aMultiple", "graph @f(%x: float32[s, 5]) { %r = aten::reshape(self=%x, shape=[-1, 8]) return %r }",
                    17, 24},
        SuitableRow{"aSmallerOne",
                    "graph @f(%x: float32[s, 4], %y: float32[3, 4, 2]) {\n"
                    "  %r = aten::reshape(self=%x, shape=[3, 8]) return %r }",
                    224, 6}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
