// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/text/text.h"
#include "core/run/backend.h"
#include "core/tensor/numbers.h"
#include "core/tensor/statistics.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

/// Returns outputs alone, as plugins do.
class OfOutputs : public Backend {
public:
    int runs = 0;

    Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) override
    {
        ++runs;
        return evaluatorBackend()->run(subject, inputs, task);
    }
    Result<protocol::Profile::Result> profile(const Subject &, const Inputs &, double, const Task &) override
    {
        return backendError("it takes no times");
    }
};

struct WatchRow {
    const char *name;
    const char *nodes;       ///< nodes on x: float32[3] -1 0 2
    const char *ofEvaluator; ///< "a -2 0 1; r 0 0 1"
    const char *ofOutputs;
};

class Watch : public testing::TestWithParam<WatchRow> {
protected:
    std::string seenBy(Backend &backend, std::optional<std::uint64_t> bytes)
    {
        const ir::Model model =
            *ir::parseText(std::string("graph @forward(%x: float32[3]) {\n") + GetParam().nodes + "}\n");
        const ir::Graph &graph = model.at(ir::FunctionId{0}).graph;
        const std::vector<float> numbers{-1, 0, 2};
        const Inputs inputs{{graph.at(ir::Graph::body).inputs.front(), "x",
                             tensor::tensorOf(ir::DType::Float32, {3}, std::as_bytes(std::span(numbers)))}};
        std::vector<Watched> watched;
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
            for (const ir::ValueRef value : ir::NodeRef(graph, ir::NodeId{i}).outputs())
                watched.push_back({value, bytes});
        std::vector<std::string> seen;
        const auto outcome = backend.watch({model, {0}, std::nullopt}, inputs, watched,
                                           [&](ir::ValueId value, const protocol::Tensor &tensor) {
                                               seen.push_back(ir::nameOf(ir::ValueRef(graph, value)) + " "
                                                              + joined(tensor::firstElements(tensor, 8), " "));
                                           },
                                           {});
        if (!outcome)
            return outcome.error().text();
        m_results = outcome->outputs.size();
        std::ranges::sort(seen);
        return joined(seen, "; ");
    }

    std::size_t m_results = 0;
};

TEST_P(Watch, showsValuesOnce)
{
    EXPECT_EQ(seenBy(*evaluatorBackend(), {}), GetParam().ofEvaluator);
    EXPECT_EQ(m_results, 1U);
    OfOutputs together, apart;
    EXPECT_EQ(seenBy(together, 12), GetParam().ofOutputs);
    EXPECT_EQ(together.runs, 1);
    EXPECT_EQ(m_results, 1U);
    EXPECT_EQ(seenBy(apart, std::uint64_t{1} << 40), GetParam().ofOutputs);
    EXPECT_EQ(m_results, 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Watch,
    testing::Values(
        WatchRow{"results", "%a = aten::neg(self=%x) %b = aten::abs(self=%a) %r = aten::relu(self=%a) return %r",
                 "a 1 -0 -2; b 1 0 2; r 1 -0 0", "a 1 -0 -2; b 1 0 2; r 1 -0 0"},
        WatchRow{"asTheyAreMade", "%a = aten::neg(self=%x) %r = aten::relu_(self=%a) return %r", "a 1 -0 -2; r 1 -0 0",
                 "a 1 -0 -2; r 1 -0 0"},
        WatchRow{
            "whatIsFilledLater", "%e = aten::empty_like(self=%x) %r = aten::fill_.Scalar(self=%e, value=1) return %r",
            "e 0 0 0; r 1 1 1", "no value for aten::empty_like: the evaluator's rule does not cover these arguments"},
        WatchRow{"nodesThatAreLowered", "%a = onnx::Mish(%x) %b = onnx::HardSwish(%x) %r = onnx::Neg(%b) return %r",
                 "a -0.303401 0 1.94396; b -0.333333 0 1.66667; r 0.333333 -0 -1.66667",
                 "a -0.303401 0 1.94396; b -0.333333 0 1.66667; r 0.333333 -0 -1.66667"},
        WatchRow{"inputsThatAreHandedOn", "%a = onnx::Identity(%x) %r = onnx::Neg(%a) return %r", "a -1 0 2; r 1 -0 -2",
                 "a -1 0 2; r 1 -0 -2"},
        WatchRow{"iterations",
                 "%r = prim::Loop(2, true, %x) region \"body\" (%i: int, %c: float32[3]) {\n"
                 "  %d = aten::add.Tensor(self=%c, other=%c) return true, %d }\nreturn %r",
                 "d -2 0 4; d -4 0 8; r -4 0 8", "r -4 0 8"}),
    [](const auto &row) { return row.param.name; });

} // namespace

} // namespace cutaway::run
