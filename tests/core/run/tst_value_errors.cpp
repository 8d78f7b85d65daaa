// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/ir/text/text.h"
#include "core/run/values/errors.h"
#include "core/tensor/numbers.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

struct ErrorRow {
    const char *name;
    const char *a, *b;    ///< nodes of x: float32[3] -1 0 2
    const char *expected; ///< the largest absolute error of A's nodes
};

class RunErrors : public testing::TestWithParam<ErrorRow> {
protected:
    static ir::Model parsed(const char *nodes)
    {
        return *ir::parseText(std::string("graph @forward(%x: float32[3]) {\n") + nodes + "}\n");
    }
    static Inputs inputsOf(const ir::Model &model)
    {
        const std::vector<float> numbers{-1, 0, 2};
        return {{model.functions.front().graph.at(ir::Graph::body).inputs.front(), "x",
                 tensor::tensorOf(ir::DType::Float32, {3}, std::as_bytes(std::span(numbers)))}};
    }
};

TEST_P(RunErrors, areOfMatchedValues)
{
    const ir::Model a = parsed(GetParam().a), b = parsed(GetParam().b);
    const auto ofA = analysis::analyse(a, {0}), ofB = analysis::analyse(b, {0});
    const diff::Side sideA{a, ofA}, sideB{b, ofB};
    const auto pairs = valuePairs(sideA, sideB, diff::compare(sideA, sideB));
    const auto backend = evaluatorBackend();
    const auto errors = errorsOf({*backend, {a, {0}, std::nullopt}, inputsOf(a)},
                                 {*backend, {b, {0}, std::nullopt}, inputsOf(b)}, pairs, ofA.shapes);
    ASSERT_TRUE(errors) << errors.error().text();
    const node_data::Column error = errorColumns(a.functions.front(), *errors).front();
    std::vector<std::string> texts;
    for (const ir::NodeRef node : ir::nodesOf(a.functions.front().graph))
        texts.push_back(ir::nameOf(node.output(0)) + " " + node_data::print(error.cells[node.id().index]));
    EXPECT_EQ(error.name, "run.error");
    EXPECT_EQ(joined(texts, "; "), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RunErrors,
    testing::Values(ErrorRow{"same", "%a = aten::neg(self=%x) %r = aten::abs(self=%a) return %r",
                             "%p = aten::neg(self=%x) %s = aten::abs(self=%p) return %s", "a 0; r 0"},
                    ErrorRow{
                        "anotherNumber", "%a = aten::neg(self=%x) %m = aten::mul.Scalar(self=%a, other=2.0) return %m",
                        "%p = aten::neg(self=%x) %m = aten::mul.Scalar(self=%p, other=2.5) return %m", "a 0; m 1"}),
    [](const auto &row) { return row.param.name; });

/// Two backends, or one with two settings.
TEST_F(RunErrors, areOfAFunctionThatIsRunTwice)
{
    const ir::Model model = parsed("%a = aten::neg(self=%x) %r = aten::abs(self=%a) return %r");
    const run::Subject subject{model, {0}, std::nullopt};
    const auto shapes = analysis::inferShapes(model, {0});
    const auto pairs = valuePairs(subject, shapes);
    EXPECT_EQ(pairs.size(), 2u);
    const auto backend = run::evaluatorBackend();
    const ComparedRun once{*backend, subject, inputsOf(model)};
    const auto errors = errorsOf(once, once, pairs, shapes);
    ASSERT_TRUE(errors) << errors.error().text();
    EXPECT_EQ(errors->size(), 2u);
}

} // namespace

} // namespace cutaway::run
