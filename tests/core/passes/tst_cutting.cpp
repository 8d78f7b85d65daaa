// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of graphs, tests/data/extraction, and graphs made small, tests/data/reduction.
#include "core/base/formatted.h"
#include "core/ir/verify.h"
#include "core/passes/cutting/extraction.h"
#include "core/passes/cutting/reduction.h"
#include "tests/core/graph_cases.h"
#include "tests/core/passes/pass_test.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <ranges>

namespace cutaway::test {
namespace {

std::vector<std::string> wordsOf(const std::string &text)
{
    std::vector<std::string> words;
    for (const auto word : text | std::views::split(' '))
        if (!word.empty())
            words.emplace_back(word.begin(), word.end());
    return words;
}

std::string afterExtraction(const GraphCase &given)
{
    const ir::Model read = parsed(given.graphs.front());
    const ir::FunctionId function{0};
    const auto model = passes::withoutWrites(read, function);
    if (!model)
        return "error: " + model.error().message;
    const auto from = passes::valuesNamed(*model, read, function, wordsOf(given.option("from")), "--from");
    const auto to = passes::valuesNamed(*model, read, function, wordsOf(given.option("to")), "--to");
    if (!from || !to)
        return "error: " + (from ? to : from).error().message;
    const auto part = passes::extracted(*model, function, *from, *to, analysis::inferShapes(*model, function));
    if (!part)
        return "error: " + part.error().message;
    std::string text = printed(part->model);
    for (const std::string &fault : ir::verify(part->model))
        text += "fault: " + fault + "\n";
    for (const std::string &constant : part->constants)
        text += "constant: " + constant + "\n";
    return text;
}

/// Whether the model still has the operators of the option `keeps`.
std::string afterReduction(const GraphCase &given)
{
    const ir::Model model = parsed(given.graphs.front());
    const std::vector<std::string> wanted = wordsOf(given.option("keeps"));
    const auto isKept = [&](const ir::Model &candidate) -> Result<bool> {
        const std::string text = printed(candidate);
        return std::ranges::all_of(wanted, [&](const std::string &word) { return text.contains(word + "("); });
    };
    const auto small = passes::reduced(model, ir::FunctionId{0}, isKept, {});
    if (!small)
        return "error: " + small.error().message;
    std::string text = printed(small->model);
    for (const std::string &fault : ir::verify(small->model))
        text += "fault: " + fault + "\n";
    return text + (small->isMinimal ? "" : "not minimal\n");
}

const bool extractionCases = forEachCase("Extraction", "extraction", afterExtraction);
const bool reductionCases = forEachCase("Reduction", "reduction", afterReduction);

/// Relu, Neg, Relu, Neg, … of x.
std::string chain(int length)
{
    std::string text = "graph @main(%v0: float32[2]) {\n";
    for (int i = 0; i < length; ++i)
        text += formatted("  %v{} = onnx::{}(%v{})\n", i + 1, i == length / 3 ? "Sigmoid" : i % 2 ? "Neg" : "Relu", i);
    return text + formatted("  return %v{}\n}}", length);
}

passes::Reduced reducedChain(const std::function<Result<bool>(const ir::Model &)> &isKept,
                             const passes::ReductionLimits &limits, const Task &task = {})
{
    return passes::reduced(parsed(chain(64)), ir::FunctionId{0}, isKept, limits, task).value();
}

bool hasSigmoid(const ir::Model &model) { return printed(model).contains("Sigmoid"); }

TEST(Reducing, takesFewTriesByHalves)
{
    const auto small = reducedChain([](const ir::Model &model) { return hasSigmoid(model); }, {});
    EXPECT_EQ(small.nodesBefore, 64u);
    EXPECT_EQ(small.nodes, 1u);
    EXPECT_TRUE(small.isMinimal);
    EXPECT_LT(small.tries, 25u);
}

TEST(Reducing, asksTheSameEachTime)
{
    std::string asked[2];
    for (std::string &all : asked)
        reducedChain(
            [&](const ir::Model &model) {
                all += printed(model);
                return hasSigmoid(model);
            },
            {});
    EXPECT_EQ(asked[0], asked[1]);
}

TEST(Reducing, keepsTheBestSoFar)
{
    const auto few =
        reducedChain([](const ir::Model &model) { return hasSigmoid(model); }, {.deadline = {}, .tries = 2});
    EXPECT_EQ(few.tries, 2u);
    EXPECT_FALSE(few.isMinimal);
    EXPECT_LT(few.nodes, 64u);
    EXPECT_TRUE(hasSigmoid(few.model));
    std::stop_source stop;
    std::size_t asked = 0;
    const auto stopped = reducedChain(
        [&](const ir::Model &model) {
            if (++asked == 3)
                stop.request_stop();
            return hasSigmoid(model);
        },
        {}, {.stop = stop.get_token(), .progress = {}});
    EXPECT_EQ(asked, 3u);
    EXPECT_FALSE(stopped.isMinimal);
    EXPECT_TRUE(hasSigmoid(stopped.model));
    const auto late = reducedChain([](const ir::Model &) { return true; },
                                   {.deadline = std::chrono::steady_clock::now(), .tries = 0});
    EXPECT_EQ(late.tries, 0u);
}

TEST(Reducing, endsWithTheQuestionsError)
{
    const auto failed = passes::reduced(parsed(chain(4)), ir::FunctionId{0},
                                        [](const ir::Model &) -> Result<bool> { return backendError("gone"); }, {});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "gone");
}

} // namespace
} // namespace cutaway::test
