// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/offer.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

struct OfferRow {
    const char *name;
    Offer offer;
    const char *format;
    ir::FunctionId function;
    std::optional<std::string> obstacle;
};

const Offer plugin{"onnxruntime", "ONNX Runtime", true, {"onnx"}}, torch{"torch", "torch", true, {"ir", "torchscript"}},
    interpreter{"torch/torchscript", "torch", true, {"torchscript"}}, evaluator{"evaluator", "exact", false, {}};

class Obstacle : public testing::TestWithParam<OfferRow> { };

TEST_P(Obstacle, isToldBeforeSomethingRuns)
{
    ir::Model model;
    model.format = GetParam().format;
    EXPECT_EQ(obstacle(GetParam().offer, model, GetParam().function), GetParam().obstacle);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Obstacle,
    testing::Values(OfferRow{"aPluginRunsOnnx", plugin, "onnx", {0}, std::nullopt},
                    OfferRow{"aPluginRunsNothingElse", plugin, "torchscript", {0}, "runs no torchscript models"},
                    OfferRow{"aGraphIsRunWhateverItsFormat", torch, "pt2", {3}, std::nullopt},
                    OfferRow{"butNotThatOfOnnx", torch, "onnx", {0}, "runs no onnx models"},
                    OfferRow{"anInterpreterRunsItsFiles", interpreter, "torchscript", {0}, std::nullopt},
                    OfferRow{"andNoOthers", interpreter, "pt2", {0}, "runs no pt2 models"},
                    OfferRow{"aPluginRunsTheMainFunction", plugin, "onnx", {1}, "runs a model's main function alone"},
                    OfferRow{"theEvaluatorRunsWhatItKnows", evaluator, "pt2", {1}, std::nullopt},
                    OfferRow{"nothingRunsATrace",
                             evaluator,
                             "trace",
                             {0},
                             "cannot run what a trace alone tells: it has no operands; open the model that was run"}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(Offers, haveTheEvaluatorWhatEverPluginsThereAre)
{
    const auto all = offers({});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all.back().name, "evaluator");
    EXPECT_FALSE(all.back().takesTimes);
}

TEST(Offers, haveTheEnginesOfAPluginForAllThatItRuns)
{
    plugin::Found found;
    found.plugins.emplace_back().name = "own";
    found.plugins.back().backend = plugin::BackendOffer{"runs it", {"pt2", "torchscript"}, {"compile"}};
    const auto all = offers(found);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[2].name, "own/compile");
    EXPECT_EQ(all[2].description, "runs it, by compile");
    EXPECT_EQ(all[2].runs, (std::vector<std::string>{"pt2", "torchscript"}));
}

TEST(Offers, sayWhyAPluginIsNotHere)
{
    plugin::Found found;
    for (const char *name : {"here", "gone", "passes"}) {
        plugin::Manifest manifest;
        manifest.name = name;
        if (manifest.name != "passes")
            manifest.backend = plugin::BackendOffer{"runs it", {"ir", "torchscript"}};
        (manifest.name == "here" ? found.plugins : found.elsewhere).push_back(manifest);
    }
    found.missing.push_back({"gone/plugin.json", "its program run is missing", "gone"});
    const std::string absence = "the plugin 'gone' cannot be used: its program run is missing";
    std::vector<std::pair<std::string, std::string>> all;
    for (const Offer &offer : offers(found))
        all.emplace_back(offer.name, offer.absence);
    EXPECT_EQ(all,
              (std::vector<std::pair<std::string, std::string>>{{"here", ""},
                                                                {"here/torchscript", ""},
                                                                {"evaluator", ""},
                                                                {"gone", absence},
                                                                {"gone/torchscript", absence}}));
}

} // namespace

} // namespace cutaway::run
