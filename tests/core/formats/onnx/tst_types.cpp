// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/context.h"
#include "tests/core/formats/onnx/onnx_writer.h"

#include <gtest/gtest.h>

namespace {

using namespace cutaway;
using namespace onnxtest;

/// The printed type of a model's one input.
std::string inputType(const Proto &type)
{
    const ir::Model model = opened(onnxtest::model(graph({node("Op", {"x"}, {"y"})}, {value("x", type)}, {})));
    const ir::Function &main = model.functions.front();
    return model.context->print(main.graph.at(*main.inputs.front().value.as<ir::ValueId>()).type);
}

TEST(Types, HaveUnknownRankWithoutAShape)
{
    const auto unknownRank = inputType(Proto().message(1, Proto().number(1, 1)));
    const auto scalar = inputType(tensorType(1, {}));
    EXPECT_NE(unknownRank, scalar);
    EXPECT_EQ(scalar, "float32[]");
}

TEST(Types, CoverSequencesOptionalsMapsAndOpaqueOnes)
{
    const Proto tensor = tensorType(7, {2});
    EXPECT_EQ(inputType(Proto().message(4, Proto().message(1, tensor))), "list<int64[2]>");
    EXPECT_EQ(inputType(Proto().message(9, Proto().message(1, tensor))), "optional<int64[2]>");
    EXPECT_EQ(inputType(Proto().message(5, Proto().number(1, 8).message(2, tensor))), "dict<str, int64[2]>");
    const std::string opaque = inputType(Proto().message(7, Proto().text(1, "my.dom").text(2, "Thing")));
    EXPECT_NE(opaque.find("my.dom.Thing"), std::string::npos) << opaque;
}

TEST(Types, MakeASymbolOfEveryNamedInputSize)
{
    const auto x = value("x", tensorType(1, {"batch", 3, "2*h"}));
    const ir::Model model = opened(onnxtest::model(
        graph({node("Op", {"x"}, {"y"})}, {x}, {value("y", tensorType(1, {"batch", "2*h", "batch + 1", "other"}))})));
    ASSERT_EQ(model.symbols.size(), 2u);
    EXPECT_EQ(model.symbols[0].name, "batch");
    EXPECT_EQ(model.symbols[1].name, "2*h");
    const ir::Graph &g = model.functions.front().graph;
    const auto *type =
        ir::tensorType(*model.context, g.at(*model.functions.front().outputs.front().value.as<ir::ValueId>()).type);
    ASSERT_TRUE(type && type->shape);
    const auto kind = [&](std::size_t i) { return std::get<symbolic::Expr>((*type->shape)[i]).kind(); };
    EXPECT_EQ(kind(0), symbolic::Kind::Symbol);
    EXPECT_EQ(kind(1), symbolic::Kind::Symbol);
    EXPECT_EQ(kind(2), symbolic::Kind::Add);
    EXPECT_EQ(kind(3), symbolic::Kind::Symbol);
}

struct FormulaNameRow {
    std::string name;
    std::vector<std::string> sizes; ///< the sizes of the input
    std::string last;               ///< the last size as it is read
};

class FormulaNames : public ::testing::TestWithParam<FormulaNameRow> { };

TEST_P(FormulaNames, areFormulasOfOtherNamesOrNames)
{
    onnxtest::Proto shape;
    for (const std::string &size : GetParam().sizes)
        shape.message(1, Proto().text(2, size));
    const auto type = Proto().message(1, Proto().number(1, 1).message(2, shape));
    const ir::Model model = opened(onnxtest::model(graph({node("Op", {"x"}, {"y"})}, {value("x", type)}, {})));
    const ir::Function &function = model.functions.front();
    const auto *read =
        ir::tensorType(*model.context, function.graph.at(*function.inputs.front().value.as<ir::ValueId>()).type);
    ASSERT_TRUE(read && read->shape && !read->shape->empty());
    EXPECT_EQ(symbolic::printParsable(std::get<symbolic::Expr>(read->shape->back())), GetParam().last);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, FormulaNames,
    ::testing::Values(FormulaNameRow{"sum", {"past_length", "length", "past_length + length"}, "length + past_length"},
                      FormulaNameRow{"ofANumber", {"n", "2*n - 1"}, "2*n - 1"},
                      FormulaNameRow{"withBrackets", {"a", "b", "(a + b)//4"}, "(a + b)//4"},
                      FormulaNameRow{"beforeItsParts", {"a + b", "a", "b", "1 + a+b"}, "a + b + 1"},
                      FormulaNameRow{"ofNamesWithSpaces", {"seq len", "past", "seq len + past"}, "past + `seq len`"},
                      FormulaNameRow{"ofNamesWithDots", {"p.dim.0", "p.dim.1", "p.dim.0 * p.dim.1"}, "p.dim.0*p.dim.1"},
                      FormulaNameRow{"ofAFormula", {"a", "a + 1", "(a + 1)*2"}, "2*(a + 1)"},
                      FormulaNameRow{"ofAnUnknownPartIsAName", {"a", "a + b"}, "`a + b`"},
                      FormulaNameRow{"aFunctionIsAName", {"a", "b", "max(a, b)"}, "`max(a, b)`"},
                      FormulaNameRow{"trueDivisionIsAName", {"a", "a/2"}, "`a/2`"},
                      FormulaNameRow{"aNumberIsAName", {"a", "3 + 4"}, "`3 + 4`"},
                      FormulaNameRow{"halfAFormulaIsAName", {"a", "a +"}, "`a +`"},
                      FormulaNameRow{"aLongerNameIsNoPart", {"len", "seq_len"}, "seq_len"}),
    [](const auto &row) { return row.param.name; });

TEST(Types, ShowNegativeSizesAsUnknownWithANote)
{
    const auto x = value("x", tensorType(1, {-5}));
    const ir::Model model = opened(onnxtest::model(graph({node("Op", {"x"}, {"y"})}, {x}, {})));
    EXPECT_NE(diagnostics(model).find("onnx.negative-size"), std::string::npos);
}

TEST(Types, OfElementsNobodyKnowsYetAreLeftOpenWithANote)
{
    const ir::Model model =
        opened(onnxtest::model(graph({node("Op", {"x"}, {"y"})}, {value("x", tensorType(77, {2}))}, {})));
    EXPECT_NE(diagnostics(model).find("onnx.unknown-dtype"), std::string::npos);
}

TEST(Types, NestedTooDeepAreRefused)
{
    Proto type = tensorType(1, {});
    for (int i = 0; i < 200; ++i)
        type = Proto().message(4, Proto().message(1, type));
    const auto result = read(onnxtest::model(graph({node("Op", {"x"}, {"y"})}, {value("x", type)}, {})));
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("nested deeper"), std::string::npos);
}

TEST(Types, KeepDenotations)
{
    const Proto type = Proto(tensorType(1, {2})).text(6, "IMAGE");
    const ir::Model model = opened(onnxtest::model(graph({node("Op", {"x"}, {"y"})}, {value("x", type)}, {})));
    ASSERT_EQ(model.attachments.size(), 1u);
    EXPECT_EQ(model.attachments[0].name, "value x: denotation");
    EXPECT_EQ(model.attachments[0].text, "IMAGE");
}

} // namespace
