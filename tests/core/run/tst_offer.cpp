// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/offer.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

struct Row {
    const char *name;
    Offer offer;
    const char *format;
    ir::FunctionId function;
    std::optional<std::string> obstacle;
};

const Offer plugin{"onnxruntime", "ONNX Runtime", true, {"onnx"}}, torch{"torch", "torch", true, {"ir", "torchscript"}},
    interpreter{"torch/torchscript", "torch", true, {"torchscript"}}, evaluator{"evaluator", "exact", false, {}};

class Obstacle : public testing::TestWithParam<Row> { };

TEST_P(Obstacle, isToldBeforeSomethingRuns)
{
    ir::Model model;
    model.format = GetParam().format;
    EXPECT_EQ(obstacle(GetParam().offer, model, GetParam().function), GetParam().obstacle);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Obstacle,
    testing::Values(Row{"aPluginRunsOnnx", plugin, "onnx", {0}, std::nullopt},
                    Row{"aPluginRunsNothingElse", plugin, "torchscript", {0}, "runs no torchscript models"},
                    Row{"aGraphIsRunWhateverItsFormat", torch, "pt2", {3}, std::nullopt},
                    Row{"butNotThatOfOnnx", torch, "onnx", {0}, "runs no onnx models"},
                    Row{"anInterpreterRunsItsFiles", interpreter, "torchscript", {0}, std::nullopt},
                    Row{"andNoOthers", interpreter, "pt2", {0}, "runs no pt2 models"},
                    Row{"aPluginRunsTheMainFunction", plugin, "onnx", {1}, "runs a model's main function alone"},
                    Row{"theEvaluatorRunsWhatItKnows", evaluator, "pt2", {1}, std::nullopt}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(Offers, haveTheEvaluatorWhatEverPluginsThereAre)
{
    const auto all = offers();
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.back().name, "evaluator");
    EXPECT_FALSE(all.back().takesTimes);
}

} // namespace

} // namespace cutaway::run
