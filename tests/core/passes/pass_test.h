// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/passes/history.h"

#include <gtest/gtest.h>
#include <regex>
#include <string>

/// What passes make of a graph in the textual form.
namespace cutaway::test {

struct PassRow {
    std::string name;
    std::string before; ///< "(%x: float32[2]) { %r = aten::relu(self=%x) return %r }", further functions may follow
    std::string after;  ///< the same; "" if the pass is to leave it as it is
    std::string options = {}; ///< "{from=relu}"
    std::string header = {};  ///< lines before the graph: tensors, opsets
};
inline std::string rowName(const ::testing::TestParamInfo<PassRow> &row) { return row.param.name; }

inline std::shared_ptr<const ir::Model> parsedModel(const std::string &graph, const std::string &header = "")
{
    auto model = ir::parseText("model \"m\"\n" + header + "graph @forward" + graph + "\n");
    EXPECT_TRUE(model) << (model ? "" : model.error().text()) << "\n" << graph;
    return std::make_shared<const ir::Model>(model ? std::move(*model) : ir::Model());
}

/// Without the ids of nodes, which say what was there before.
inline std::string printed(const ir::Model &model)
{
    static const std::regex ids(" next #[0-9]+| from #[0-9]+(, #[0-9]+)*|#[0-9]+ ");
    return std::regex_replace(ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading), ids, "");
}

/// The main function after the pipeline, or why it failed.
inline std::string afterPipeline(const std::string &pipeline, const std::string &graph, const std::string &header = "")
{
    const auto passes = passes::parsePipeline(pipeline);
    if (!passes)
        return passes.error().text();
    const auto model = parsedModel(graph, header);
    if (model->functions.empty())
        return "no graph";
    passes::History history(model, ir::FunctionId{0});
    history.run(*passes);
    if (history.failure())
        return "failed: " + history.failure()->error.text();
    return printed(*history.modelAfter(history.steps().size()));
}

inline void expectRow(const std::string &pass, const PassRow &row)
{
    const auto expected = parsedModel(row.after.empty() ? row.before : row.after, row.header);
    EXPECT_EQ(afterPipeline(pass + row.options, row.before, row.header), printed(*expected));
}

} // namespace cutaway::test
