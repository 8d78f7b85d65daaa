// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/ops/facts/fact.h"
#include "tests/core/analysis/analysed_again.h"

#include <gtest/gtest.h>
#include <string>

/// What propagation says of a graph in the textual form: `(%x: float32[2, s0]) { %r = aten::relu(self=%x)  return %r
/// }`.
namespace cutaway::test {

struct RuleRow {
    std::string name;
    std::string graph;
    std::string results;   ///< facts of what is returned, "float32[2, s0]; int64[2]"; "!" and a reason where it stops
    std::string cost = {}; ///< "flops/otherFlops" of all nodes together; "" if the row does not ask
};
inline std::string rowName(const ::testing::TestParamInfo<RuleRow> &row) { return row.param.name; }

/// `opsets`: lines before the graph such as `opset "ai.onnx" 17`.
inline ir::Model modelOf(const std::string &graph, const std::string &header = "")
{
    auto model = ir::parseText("model \"m\"\n" + header + "graph @forward" + graph + "\n");
    EXPECT_TRUE(model) << (model ? "" : model.error().text());
    return model ? std::move(*model) : ir::Model();
}

/// Also holds that other inputs give the same from here on as anew.
inline std::string inferred(const std::string &graph, const std::string &header = "")
{
    const ir::Model model = modelOf(graph, header);
    if (model.functions.empty())
        return "no graph";
    EXPECT_EQ(differenceAgain(model), "");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    std::string text;
    for (const analysis::Stop &stop : shapes.stops)
        text += "!" + stop.reason + " ";
    const ir::Graph &body = model.functions[0].graph;
    for (const ir::Operand &output : body.at(ir::Graph::body).outputs)
        if (const auto *value = output.as<ir::ValueId>())
            text += (text.empty() || text.back() == ' ' ? "" : "; ") + ops::print(shapes.of(*value));
    return text;
}

inline std::string costOf(const std::string &graph, const std::string &header = "")
{
    const ir::Model model = modelOf(graph, header);
    ops::Cost total;
    for (const ops::Cost &cost : analysis::inferShapes(model, ir::FunctionId{0}).costs)
        total = ops::plus(total, cost);
    return ir::print(total.flops) + "/" + ir::print(total.otherFlops);
}

} // namespace cutaway::test
