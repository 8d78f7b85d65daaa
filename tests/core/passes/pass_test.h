// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "tests/core/ir/parsed.h"

#include <regex>

/// Tests the effect of passes on a graph.
namespace cutaway::test {

/// As modelOf() has them, for a history.
inline std::shared_ptr<const ir::Model> parsedModel(const std::string &graph, const std::string &header = "")
{
    return std::make_shared<const ir::Model>(modelOf(graph, header));
}

/// The main function, without the ids of nodes and without which nodes they come from.
inline std::string printed(const ir::Model &model)
{
    static const std::regex ids("( next| from) #[0-9]+(, #[0-9]+)*|(\\n *)#[0-9]+ ");
    return std::regex_replace(ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading), ids, "$3");
}

/// The main function after the pipeline, or why it failed.
inline std::string afterPipeline(const std::string &pipeline, const std::shared_ptr<const ir::Model> &model)
{
    const auto passes = passes::parsePipeline(pipeline);
    if (!passes)
        return passes.error().text();
    passes::History history(model, ir::FunctionId{0});
    history.run(*passes);
    if (history.failure())
        return "failed: " + history.failure()->error.text();
    return printed(*history.modelAfter(history.steps().size()));
}

} // namespace cutaway::test
