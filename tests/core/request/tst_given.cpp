// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shapes.h"
#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/request/given.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

using Texts = std::vector<std::string>;

Result<symbolic::Bindings> given(ir::Model &model, const Texts &bindings, const Texts &inputs)
{
    const Result<symbolic::Bindings> symbols = request::parseBindings(model, bindings);
    if (!symbols)
        return symbols;
    CUTAWAY_TRY(const analysis::Given all, request::giveInputs(model, {}, inputs, *symbols));
    return all.bindings;
}

struct Good {
    const char *name;
    Texts bindings;
    Texts inputs;
    symbolic::Bindings wanted;
};

class GivenThings : public testing::TestWithParam<Good> { };

TEST_P(GivenThings, decideSymbols)
{
    ir::Model model = test::smallModel();
    const auto result = given(model, GetParam().bindings, GetParam().inputs);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(*result, GetParam().wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, GivenThings,
    testing::Values(Good{"nothing", {}, {}, {}}, Good{"listOfSymbols", {"s0=8,u0=3"}, {}, {{"s0", 8}, {"u0", 3}}},
                    Good{"optionTwice", {"s0=8", "u0=3"}, {}, {{"s0", 8}, {"u0", 3}}},
                    Good{"sizesOfAnInput", {}, {"x=5x4x6:float32"}, {{"s0", 5}, {"u0", 3}}},
                    Good{"numberInput", {}, {"n=7"}, {{"u0", 7}}},
                    Good{"bothAgreeing", {"u0=3"}, {"x=5x4x6:float32", "n=3"}, {{"s0", 5}, {"u0", 3}}}),
    [](const auto &row) { return row.param.name; });

TEST(Given, theInputHasTheTypeThatIsGivenButTheSymbolsOfTheFile)
{
    ir::Model model = test::smallModel();
    ASSERT_TRUE(given(model, {}, {"x=5x4x6:float16"}));
    const ir::Function &function = model.functions.front();
    const auto x = std::get<ir::ValueId>(function.inputs[1].value.v);
    EXPECT_EQ(model.context->print(function.graph.at(x).type), "float16[s0, 4, 2*u0]");
}

TEST(Given, aWeightThatMayBeReplacedHasOtherElementsAndNoOtherType)
{
    auto model = ir::parseText("model \"m\" tensor @s: int64[2] graph @f(%x: float32[2, 6], overridable weight %s: "
                               "int64[2] = @s) { %r = onnx::Reshape(%x, %s) return %r }");
    ASSERT_TRUE(model) << model.error().text();
    const auto result = request::giveInputs(*model, {}, Texts{"s=[3,4]"}, {});
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_TRUE(result->tensors.contains("s"));
    const auto made = std::get<ir::ValueId>(model->functions.front().outputs[0].value.v);
    EXPECT_EQ(ops::print(analysis::inferShapes(*model, {}, result->withoutTensors()).of(made)), "float32[3, 4]");
    const auto other = request::giveInputs(*model, {}, Texts{"s=3:int64"}, {});
    EXPECT_EQ(other ? "" : other.error().message,
              "input 's' has a default of int64[2], in whose place another type cannot be given");
}

/// Sizes that the user gives although the file fixes them.
struct Replacement {
    const char *name;
    Texts inputs;
    const char *type;     ///< the type of the input
    const char *replaced; ///< the type in the file; "" if it is kept
};

class SizesOfTheFile : public testing::TestWithParam<Replacement> { };

TEST_P(SizesOfTheFile, areReplaced)
{
    ir::Model model = test::smallModel();
    const auto result = request::readGiven(model, {}, {}, GetParam().inputs);
    ASSERT_TRUE(result) << result.error().text();
    const ir::Function &function = model.functions.front();
    const auto x = std::get<ir::ValueId>(function.inputs[1].value.v);
    EXPECT_EQ(model.context->print(function.graph.at(x).type), GetParam().type);
    std::string replaced;
    for (const auto &[name, type] : result->replaced)
        replaced += name + ": " + model.context->print(type);
    EXPECT_EQ(replaced, GetParam().replaced);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SizesOfTheFile,
    testing::Values(Replacement{"aNumber", {"x=5x7x6:float32"}, "float32[s0, 7, 2*u0]", "x: float32[s0, 4, 2*u0]"},
                    Replacement{"aName", {"x=5xKx6:float32"}, "float32[s0, K, 2*u0]", "x: float32[s0, 4, 2*u0]"},
                    Replacement{"noElements", {"x=5x0x6:float32"}, "float32[s0, 0, 2*u0]", "x: float32[s0, 4, 2*u0]"},
                    Replacement{"aDType", {"x=5x4x6:float16"}, "float16[s0, 4, 2*u0]", "x: float32[s0, 4, 2*u0]"},
                    Replacement{"theSame", {"x=5x4x6:float32"}, "float32[s0, 4, 2*u0]", ""},
                    Replacement{"theFilesSymbol", {"x=s0x4x6:float32"}, "float32[s0, 4, 2*u0]", ""}),
    [](const auto &row) { return row.param.name; });

TEST(SizesOfTheFile, canBeSymbolsThatAreBoundAndSwept)
{
    ir::Model model = test::smallModel();
    const Texts inputs{"x=5xKx6:float32"};
    const auto open = request::readGiven(model, {}, {}, inputs);
    ASSERT_TRUE(open) << open.error().text();
    EXPECT_TRUE(request::parseSweep(model, open->bindings, "K=1:8"));
    ir::Model other = test::smallModel();
    const Texts bindings{"K=3"};
    const auto bound = request::readGiven(other, {}, bindings, inputs);
    ASSERT_TRUE(bound) << bound.error().text();
    EXPECT_EQ(bound->bindings, (symbolic::Bindings{{"K", 3}, {"s0", 5}, {"u0", 3}}));
}

TEST(SizesOfTheFile, areForgottenInside)
{
    ir::Model model = test::smallModel();
    const Texts inputs{"x=5x7x6:float32"};
    ASSERT_TRUE(request::readGiven(model, {}, {}, inputs));
    const std::string text = ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading);
    EXPECT_NE(text.find("%linear: float32[*]"), std::string::npos) << text;
    EXPECT_NE(text.find("%x: float32[s0, 7, 2*u0]"), std::string::npos) << text;
}

TEST(SizesOfTheFile, areKeptByWhatIsRun)
{
    const ir::Model file = test::smallModel();
    ir::Model model = file;
    const Texts inputs{"x=5x7x6:float16"};
    ASSERT_TRUE(request::readGiven(model, {}, {}, inputs));
    const ir::Model plain = request::withoutGiven(model, file, {});
    const ir::Function &function = plain.functions.front();
    const auto x = std::get<ir::ValueId>(function.inputs[1].value.v);
    EXPECT_EQ(plain.context->print(function.graph.at(x).type), "float32[s0, 7, 2*u0]");
}

TEST(DevicesOfInputs, areWhatAPassMadeThem)
{
    const ir::Model file = test::smallModel();
    ir::Model model = file;
    ir::Graph &graph = model.functions.front().graph;
    const auto x = std::get<ir::ValueId>(model.functions.front().inputs[1].value.v);
    ir::TensorType type = *ir::ValueRef(graph, x).tensorType();
    type.device = ir::Device{model.context->name("cuda"), 0};
    graph.setType(x, model.context->type(type));
    const ir::Model plain = request::withoutGiven(model, file, {});
    EXPECT_EQ(ir::ValueRef(plain.functions.front().graph, x).tensorType()->device, type.device);
}

/// A function with (%l: list<tensor[*]>, %p: tuple<float32[2], tuple<int, float>>, %d: dict<str, tensor[*]>, %o:
/// list<int>, %n: tuple "N" <"image": tensor[*], "sizes": list<int>>).
struct Part {
    const char *name;
    Texts inputs;
    const char *result; ///< the argument of the function, or the error
};

class PartsOfInputs : public testing::TestWithParam<Part> { };

TEST_P(PartsOfInputs, makeWhatTheInputIsDeclaredToBe)
{
    auto model = ir::parseText("model \"m\" graph @forward(%l: list<tensor[*]>, "
                               "%p: tuple<float32[2], tuple<int, float>>, %d: dict<str, tensor[*]>, %o: list<int>, "
                               "%n: tuple \"N\" <\"image\": tensor[*], \"sizes\": list<int>>) { return %l }");
    ASSERT_TRUE(model) << model.error().text();
    const auto result = request::giveInputs(*model, {}, GetParam().inputs, {});
    std::string text = result ? "" : result.error().message;
    for (const auto &[name, fact] : result ? result->inputs : decltype(result->inputs)())
        text += (text.empty() ? "" : "; ") + ops::print(fact);
    EXPECT_EQ(text, GetParam().result);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, PartsOfInputs,
    testing::Values(Part{"itemsOfAList", {"l.0=2:float32", "l.1=3x4:int64"}, "[float32[2], int64[3, 4]]"},
                    Part{"inTheirOrder", {"l.10=2:int8", "l.9=3:int8"}, "[int8[3], int8[2]]"},
                    Part{"noItems", {"l=[]"}, "[]"},
                    Part{"bothPartsOfATuple", {"p.0=2:float32", "p.1.0=5"}, "(float32[2], (5, float))"},
                    Part{"theOtherPartStaysAsItIs", {"p.1.1=0.5"}, "(float32[2], (int, 0.5))"},
                    Part{"fieldsOfANamedTuple", {"n.sizes.0=3", "n.image=2:int8"}, "(int8[2], [3])"},
                    Part{"noField", {"n.mask=2:int8"}, "input 'n' has no part 'mask'"},
                    Part{"entriesOfADictionary", {"d.a=2:float32"}, "{\"a\": float32[2]}"},
                    Part{"moreThanATupleHas", {"p.2=1"}, "input 'p' has no part '2'"},
                    Part{"moreThanATupleInsideHas", {"p.1.2=1"}, "input 'p.1' has no part '2'"},
                    Part{"noIndex", {"l.first=2:float32"}, "input 'l' has no part 'first'"},
                    Part{"partOfATensorInside", {"p.0.0=1"}, "input 'p.0' is a tensor, which has no part '0'"},
                    Part{"anotherRank", {"p.0=2x3:float32"}, "input 'p.0' has 1 dimensions, not 2"},
                    Part{
                        "aNumberForATensor",
                        {"l.0=3"},
                        "input 'l.0' is a tensor; expected SHAPE:DTYPE, for example 1x3x224x224:float32, its elements, "
                        "for example [0, 1], or its file, for example @x.npy"},
                    Part{"aFractionForAWholeNumber", {"o.0=2.5"}, "input 'o.0' cannot be '2.5'; expected a number"}),
    [](const auto &row) { return row.param.name; });

/// Sizes that are formulas: not every value of a symbol makes them sizes.
struct Formula {
    const char *name;
    const char *size;
    const char *message; ///< "" if s0 = 4 is fine
};

class FormulaOfAnInput : public testing::TestWithParam<Formula> { };

TEST_P(FormulaOfAnInput, mustBeASize)
{
    auto model = ir::parseText("model \"m\" symbol s0 [0, *] graph @forward(%x: float32[3, "
                               + std::string(GetParam().size) + "]) { return %x }");
    ASSERT_TRUE(model) << model.error().text();
    const auto result = given(*model, {"s0=4"}, {});
    EXPECT_EQ(result ? "" : result.error().message, GetParam().message);
    EXPECT_TRUE(given(*model, {}, {}));
}

INSTANTIATE_TEST_SUITE_P(Rows, FormulaOfAnInput,
                         testing::Values(Formula{"positive", "8//(s0 - 2)", ""},
                                         Formula{"dividedByZero", "8//(s0 - 4)",
                                                 "input 'x', dimension 1: division by zero"},
                                         Formula{"negative", "s0 - 5", "input 'x', dimension 1 would be -1"},
                                         Formula{"tooLarge", "s0*4611686018427387904",
                                                 "input 'x', dimension 1: a number is out of 64 bits"}),
                         [](const auto &row) { return row.param.name; });

struct Bad {
    const char *name;
    Texts bindings;
    Texts inputs;
    const char *message;
};

class WrongThings : public testing::TestWithParam<Bad> { };

TEST_P(WrongThings, areRefusedByName)
{
    ir::Model model = test::smallModel();
    const auto result = given(model, GetParam().bindings, GetParam().inputs);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Usage);
    EXPECT_NE(result.error().message.find(GetParam().message), std::string::npos) << result.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongThings,
    testing::Values(Bad{"unknownSymbol", {"s9=1"}, {}, "unknown symbol 's9'; the model has s0, u0"},
                    Bad{"outOfRange", {"s0=1"}, {}, "symbol 's0' cannot be 1: its range is 2 to 64"},
                    Bad{"noNumber", {"s0=many"}, {}, "'s0=many' is not a binding"},
                    Bad{"hugeNumber", {"s0=99999999999999999999"}, {}, "is not a binding"},
                    Bad{"twoValues", {"s0=3", "s0=4"}, {}, "given as 3 and as 4"},
                    Bad{"unknownInput", {}, {"y=1:float32"}, "unknown input 'y'; the function has x, n"},
                    Bad{"noEquals", {}, {"x"}, "'x' is not an input"},
                    Bad{"noDtype", {}, {"x=1x4x2"}, "expected SHAPE:DTYPE"},
                    Bad{"unknownDtype", {}, {"x=1x4x2:double"}, "unknown dtype 'double'"},
                    Bad{"noShape", {}, {"x=1x-4x2:float32"}, "'1x-4x2' is not a shape"},
                    Bad{"otherRank", {}, {"x=5x4:float32"}, "input 'x' has 3 dimensions, not 2"},
                    Bad{"otherKind", {}, {"x=5x4x6:int64"}, "input 'x' is float32, not int64"},
                    Bad{"partOfATensor", {}, {"x.0=5x4x6:float32"}, "input 'x' is a tensor, which has no part '0'"},
                    Bad{"noSolution", {}, {"x=5x4x7:float32"}, "dimension 2: the model has 2*u0, which no u0 makes 7"},
                    Bad{"anotherName", {}, {"x=5x4xK:float32"}, "dimension 2: the model has 2*u0, not K"},
                    Bad{"noName", {}, {"x=5x4x6a:float32"}, "'5x4x6a' is not a shape"},
                    Bad{"twice", {}, {"x=5x4x6:float32", "x=5x4x6:float32"}, "input 'x' is given twice"},
                    Bad{"sizeOutOfRange", {}, {"x=65x4x6:float32"}, "symbol 's0' cannot be 65"},
                    Bad{"disagreement", {"u0=4"}, {"x=5x4x6:float32"}, "dimension 2: the model has 2*u0 = 8, not 6"},
                    Bad{"textForANumber", {}, {"n=\"a\""}, "expected a number"}),
    [](const auto &row) { return row.param.name; });

} // namespace
