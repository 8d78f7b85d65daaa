// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ops/facts/fact.h"
#include "tests/core/analysis/analysed_again.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>
#include <string>

/// Returns the facts of a graph in the textual form: `(%x: float32[2, s0]) { %r = aten::relu(self=%x)  return %r }`.
namespace cutaway::test {

/// Also holds that other inputs give the same from here on as anew.
inline std::string inferred(const ir::Model &model)
{
    if (model.functions.empty())
        return "no graph";
    EXPECT_EQ(differenceAgain(model), "");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    std::string text;
    for (const analysis::Stop &stop : shapes.stops)
        if (stop.results != analysis::Stop::Results::Known || !stop.hidesCost) // not of a cost alone
            text += "!" + stop.reason + " ";
    const ir::Graph &body = model.functions[0].graph;
    for (const ir::Operand &output : body.at(ir::Graph::body).outputs)
        if (const auto *value = output.as<ir::ValueId>())
            text += (text.empty() || text.back() == ' ' ? "" : "; ") + ops::print(shapes.atEnd(*value));
    return text;
}

inline std::string inferred(const std::string &graph, const std::string &header = "")
{
    return inferred(modelOf(graph, header));
}

inline std::string costOf(const ir::Model &model)
{
    ops::Cost total;
    const ops::NodeCosts costs = analysis::inferShapes(model, ir::FunctionId{0}).costs;
    for (std::size_t i = 0; i < costs.size(); ++i)
        total = ops::plus(total, costs[i]);
    return ir::print(total.flops) + "/" + ir::print(total.otherFlops);
}

} // namespace cutaway::test
