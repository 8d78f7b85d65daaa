// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/request/run_inputs.h"

#include <gtest/gtest.h>

namespace cutaway::report {

namespace {

constexpr const char *net = R"(model "net"
symbol s0 [2, 64] hint 5
graph @forward(%x: float32[s0, n], %y: float32[s0, 3]) {
  return %x
}
)";

struct RunInputsRow {
    const char *name;
    symbolic::Bindings given;
    std::vector<std::int64_t> shape; ///< the shape of x
    const char *note;
};

class RunInputsOf : public testing::TestWithParam<RunInputsRow> { };

TEST_P(RunInputsOf, haveWhatIsGivenAndChosenSizesElse)
{
    const ir::Model model = *ir::parseText(net);
    analysis::Given given;
    given.bindings = GetParam().given;
    const auto inputs = request::runInputs(model, {0}, given, {}, 7);
    ASSERT_TRUE(inputs) << inputs.error().text();
    const auto &x = std::get<protocol::DrawnTensor>(inputs->inputs.at(0).content);
    const auto &y = std::get<protocol::DrawnTensor>(inputs->inputs.at(1).content);
    EXPECT_EQ(x.shape, GetParam().shape);
    EXPECT_EQ(x.seed, 7u);
    EXPECT_EQ(y.shape, (std::vector<std::int64_t>{GetParam().shape[0], 3}));
    EXPECT_EQ(y.seed, 8u);
    EXPECT_EQ(inputs->note, GetParam().note);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RunInputsOf,
    testing::Values(RunInputsRow{"allGiven", {{"s0", 4}, {"n", 6}}, {4, 6}, ""},
                    RunInputsRow{"oneGiven", {{"s0", 4}}, {4, 16}, "n = 16 (default)"},
                    RunInputsRow{"noneGiven", {}, {5, 16}, "n = 16 (default), s0 = 5 (the exporter's example)"}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(RunInputs, ofImagesInColourHaveTheSizeThatNetworksAreTrainedOn)
{
    const ir::Model model = *ir::parseText(R"(model "net"
symbol n
symbol h
symbol w [2, 100]
symbol g
graph @forward(%x: float32[n, 3, h, w], %y: float32[n, 1, g, g]) {
  return %x
}
)");
    const auto inputs = request::runInputs(model, {0}, {}, {}, 7);
    ASSERT_TRUE(inputs) << inputs.error().text();
    EXPECT_EQ(std::get<protocol::DrawnTensor>(inputs->inputs.at(0).content).shape,
              (std::vector<std::int64_t>{1, 3, 224, 100}));
    EXPECT_EQ(std::get<protocol::DrawnTensor>(inputs->inputs.at(1).content).shape,
              (std::vector<std::int64_t>{1, 1, 16, 16}));
    EXPECT_EQ(inputs->note, "g = 16 (default), h = 224 (default), n = 1 (default), w = 100 (default)");
}

} // namespace

} // namespace cutaway::report
