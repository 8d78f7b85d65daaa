// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Each pass of core/passes/library: graphs before and after it, tests/data/passes/PASS.graph.
#include "core/base/text.h"
#include "tests/core/graph_cases.h"
#include "tests/core/passes/number_test.h"

#include <charconv>

namespace cutaway::test {
namespace {

/// `// before: GRAPH` and `// after: GRAPH` are the options of the pipeline's pass.
std::string pipelineOf(const GraphCase &given)
{
    const std::string before = given.option("before"), after = given.option("after");
    const std::string options = "{before=" + quote(before) + " after=" + quote(after) + "}";
    return given.option("pipeline") + (before.empty() ? "" : options);
}

/// `// numbers: 1e-5`: weights get random elements, and the results may change by so much, relative to the larger of 1
/// and the number.
void expectNumbersOf(const GraphCase &given, const std::shared_ptr<const ir::Model> &model)
{
    const std::string text = given.option("numbers");
    double tolerance = 0;
    std::from_chars(text.data(), text.data() + text.size(), tolerance);
    std::mt19937 random(2);
    expectSameNumbers(pipelineOf(given), model, random, tolerance);
}

/// The main function after the pipeline; "unchanged" if it prints as before, or why the pipeline failed.
std::string afterPasses(const GraphCase &given)
{
    auto model = std::make_shared<ir::Model>(parsed(given.graphs.front()));
    if (model->functions.empty())
        return "no graph";
    const bool hasNumbers = !given.option("numbers").empty();
    if (std::mt19937 random(1); hasNumbers)
        fillTensors(*model, random);
    const std::string before = printed(*model), after = afterPipeline(pipelineOf(given), model);
    if (hasNumbers && after != before)
        expectNumbersOf(given, model);
    return after == before ? "unchanged" : after;
}

/// Remarks of a pipeline's last pass about candidates that it did not change; tests/data/pass_remarks.
std::string remarksOf(const GraphCase &given)
{
    const auto model = std::make_shared<ir::Model>(parsed(given.graphs.front()));
    std::mt19937 random(1);
    fillTensors(*model, random);
    passes::History history(model, ir::FunctionId{0});
    history.run(*passes::parsePipeline(pipelineOf(given)));
    if (history.failure())
        return "failed: " + history.failure()->error.text();
    std::string text;
    for (const std::string &remark : history.steps().back().remarks)
        text += remark + "\n";
    return text.empty() ? "nothing" : text;
}

const bool passCases = forEachCase("Pass", "passes", afterPasses);
const bool remarkCases = forEachCase("Remark", "pass_remarks", remarksOf);

} // namespace
} // namespace cutaway::test
