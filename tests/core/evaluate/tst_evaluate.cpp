// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// tests/data/evaluate has what the evaluator computes: SOURCE.graph for the rules of core/ops/*/SOURCE.cpp. Expected
// numbers are those of PyTorch and ONNX Runtime, or follow from the definition.
#include "core/base/formatted.h"
#include "core/evaluate/evaluate.h"
#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "tests/core/graph_cases.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cutaway::evaluate {
namespace {

using compute::Array;
using compute::Sizes;

ir::Model parsed(const std::string &graph)
{
    auto model = ir::parseText("model \"m\"\n" + graph + "\n");
    EXPECT_TRUE(model) << (model ? "" : model.error().text()) << "\n" << graph;
    return model ? std::move(*model) : ir::Model();
}

/// "float32[2] 1 2.5", "complex64[1] 1+2i", what rounding leaves of a zero is one; "3" and "[1, 2]" of what is no
/// tensor.
std::string text(const Value &value)
{
    const auto *array = value.as<Array>();
    if (!array)
        return value.as<ops::Fact>() ? ops::print(*value.as<ops::Fact>()) : "tensors";
    std::string result =
        std::string(name(array->dtype)) + ir::print(ir::Shape(array->shape.begin(), array->shape.end()));
    const std::vector<double> numbers = floatsOf(*array);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool isRounding = numbers[i] != 0 && std::abs(numbers[i]) < 1e-12;
        result += formatted(" {:.6g}", isRounding ? 0 : numbers[i]);
        if (array->imaginary.empty())
            continue;
        const double imaginary = std::abs(array->imaginary[i]) < 1e-12 ? 0 : array->imaginary[i];
        result += formatted("{}{:.6g}i", imaginary < 0 ? "" : "+", imaginary);
    }
    return result;
}

std::string resultOf(const std::string &graph, const Values &inputs)
{
    const ir::Model model = parsed(graph);
    if (model.functions.empty())
        return "no graph";
    const auto results = evaluate(model, ir::FunctionId{0}, inputs);
    return results ? text(results->front()) : results.error().text();
}

Array floats(Sizes shape, std::vector<double> elements)
{
    return {ir::DType::Float32, std::move(shape), std::move(elements)};
}

Array wholes(ir::DType dtype, Sizes shape, std::vector<std::int64_t> elements)
{
    return {dtype, std::move(shape), std::move(elements)};
}

/// The first result of a graph whose inputs are %x, float32[2, 3] -2 … 3, and %i, int64[3] 7 -7 2, or some of them.
std::string computed(const test::GraphCase &given)
{
    const std::string &graph = given.graphs.front();
    Values inputs;
    if (graph.contains("(%x: float32[2, 3]"))
        inputs.emplace_back(floats({2, 3}, {-2, -1, 0, 1, 2, 3}));
    if (graph.contains("%i: int64[3])"))
        inputs.emplace_back(wholes(ir::DType::Int64, {3}, {7, -7, 2}));
    return resultOf(graph, inputs);
}

const bool cases = test::forEachCase("Evaluated", "evaluate", computed);

TEST(EvaluateControlFlow, followsTheBranchThatIsTaken)
{
    const std::string graph = R"(graph @forward(%x: float32[1]) { %c = aten::Bool.Tensor(a=%x)
        %r = prim::If(%c) region "then" { %a = aten::neg(self=%x) return %a } region "else" { return %x }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{floats({1}, {2})}), "float32[1] -2");
    EXPECT_EQ(resultOf(graph, Values{floats({1}, {0})}), "float32[1] 0");
}

TEST(EvaluateControlFlow, turnsALoopAsOftenAsItSays)
{
    const std::string graph = R"(graph @forward(%x: float32[1]) { %r = prim::Loop(3, true, %x)
        region "body" (%i: int, %s) { %t = aten::add.Scalar(self=%s, other=%i) return true, %t }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{floats({1}, {10})}), "float32[1] 13");
}

TEST(EvaluateControlFlow, stacksWhatALoopOfOnnxScans)
{
    const std::string graph = R"(graph @forward(%n: int64[], %x: float32[1]) { %r, %all = onnx::Loop(%n, none, %x)
        region "body" (%i: int64[], %c: bool[], %s: float32[1]) { %t = onnx::Add(%s, %s) return %c, %t, %s }
        return %all })";
    EXPECT_EQ(resultOf(graph, Values{wholes(ir::DType::Int64, {}, {3}), floats({1}, {1})}), "float32[3, 1] 1 2 4");
}

TEST(EvaluateControlFlow, scansBackwards)
{
    const std::string graph = R"(opset "ai.onnx" 17
        graph @forward(%s: float32[], %x: float32[3]) {
        %last, %r = onnx::Scan(%s, %x, num_scan_inputs=1, scan_input_directions=[1])
        region "body" (%a: float32[], %b: float32[]) { %c = onnx::Add(%a, %b) return %c, %c }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{floats({}, {0}), floats({3}, {1, 2, 3})}), "float32[3] 3 5 6");
}

TEST(EvaluateControlFlow, repeatsWhileTheConditionHolds)
{
    const std::string graph =
        R"(graph @forward(%i: int64[], %x: float32[1]) { %n, %r = higher_order::while_loop([%i, %x], [])
        region "condition" (%a: int64[], %b: float32[1]) { %c = aten::lt.Scalar(self=%a, other=3) return %c }
        region "body" (%d: int64[], %e: float32[1]) {
          %f = aten::add.Scalar(self=%d, other=1) %g = aten::mul.Scalar(self=%e, other=2) return %f, %g }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{wholes(ir::DType::Int64, {}, {0}), floats({1}, {1})}), "float32[1] 8");
}

TEST(EvaluateControlFlow, mapsOverSlices)
{
    const std::string graph =
        R"(graph @forward(%x: float32[2, 2], %y: float32[2]) { %r = higher_order::map_impl([%x], [%y])
        region "body" (%a: float32[2], %b: float32[2]) { %c = aten::add.Tensor(self=%a, other=%b) return %c }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{floats({2, 2}, {1, 2, 3, 4}), floats({2}, {10, 20})}),
              "float32[2, 2] 11 22 13 24");
}

TEST(EvaluateCalls, runTheFunction)
{
    const auto model =
        ir::parseText("model \"m\"\n"
                      "graph @forward(%x: float32[2]) { "
                      "%r = prim::CallFunction(function=graph @twice, %x) return %r }\n"
                      "function @twice(%a: float32[2]) { %b = aten::add.Tensor(self=%a, other=%a) return %b }\n");
    ASSERT_TRUE(model) << model.error().text();
    const auto results = evaluate(*model, ir::FunctionId{0}, Values{floats({2}, {1, 2})});
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_EQ(text(results->front()), "float32[2] 2 4");
}

TEST(EvaluateCalls, ofMethodsGiveTheTuplesThatTheyReturn)
{
    const auto model =
        ir::parseText("module 0 \"\" class \"Net\"\n"
                      "module 1 in 0 \"list\" class \"List\"\n"
                      "module 2 in 1 \"0\" class \"A\" attributes(n: int = 2)\n"
                      "module 3 in 1 \"1\" class \"A\" attributes(n: int = 3)\n"
                      "graph @forward(%x: float32[2], custom_object %self: module \"__torch__.Net\") { "
                      "%list: module \"__torch__.List\" = prim::GetAttr(self=%self, name=\"list\") "
                      "%last: interface \"__torch__.Any\" = prim::ModuleContainerIndex.list(self=%list, ind=1) "
                      "%t: tuple<tensor[*], tuple<tensor[*], int>> = prim::CallMethod(method=\"f\", self=%last, %x) "
                      "%a: tensor[*], %u: tuple<tensor[*], int> = prim::TupleUnpack(%t) "
                      "%b: tensor[*], %n: int = prim::TupleUnpack(%u) "
                      "%c: tensor[*] = aten::mul.Scalar(self=%b, other=%n) return %a, %c }\n"
                      "method @__torch__.A.f(custom_object %self: module \"__torch__.A\", %x: tensor[*]) { "
                      "%n: int = prim::GetAttr(self=%self, name=\"n\") %b: tensor[*] = aten::neg(self=%x) "
                      "return %x, %b, %n }\n");
    ASSERT_TRUE(model) << model.error().text();
    const Value self(ops::Fact(ir::ModuleId{0}));
    const auto results = evaluate(*model, ir::FunctionId{0}, Values{floats({2}, {1, 2}), self});
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_EQ(text((*results)[0]), "float32[2] 1 2");
    EXPECT_EQ(text((*results)[1]), "float32[2] -3 -6");
}

TEST(EvaluateCalls, giveAFunctionOfOnnxItsAttributes)
{
    const auto model = ir::parseText(
        "model \"m\"\nopset \"ai.onnx\" 17\n"
        "graph @forward(%x: float32[2]) { %r = mine::Leak(%x, slope=0.5, callee=graph @leak) return %r }\n"
        "function @leak(%a) attributes(slope=none) { "
        "%b = onnx::LeakyRelu(%a, alpha={\"ref_attr_name\": \"slope\", \"type\": 1}) return %b }\n");
    ASSERT_TRUE(model) << model.error().text();
    const auto results = evaluate(*model, ir::FunctionId{0}, Values{floats({2}, {-1, 2})});
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_EQ(text(results->front()), "float32[2] -0.5 2");
}

/// Before operator set 13 Softmax is one over all dimensions from its axis on.
TEST(EvaluateCalls, readAFunctionOfOnnxByItsOwnOperatorSet)
{
    const auto model = ir::parseText("model \"m\"\nopset \"ai.onnx\" 17\n"
                                     "attachment \"function soft: opset_import\" text \"ai.onnx 11\"\n"
                                     "graph @forward(%x: float32[1, 2, 2]) { "
                                     "%r = mine::Soft(%x, callee=graph @soft) return %r }\n"
                                     "function @soft(%a) { %b = onnx::Softmax(%a, axis=1) return %b }\n");
    ASSERT_TRUE(model) << model.error().text();
    const auto results = evaluate(*model, ir::FunctionId{0}, Values{floats({1, 2, 2}, {0, 0, 0, 0})});
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_EQ(text(results->front()), "float32[1, 2, 2] 0.25 0.25 0.25 0.25");
}

TEST(EvaluateControlFlow, scansWithStates)
{
    const std::string graph =
        R"(graph @forward(%s: float32[], %x: float32[3]) { %r, %all = higher_order::scan([%s], [%x], 0, false, [])
        region "body" (%a: float32[], %b: float32[]) { %c = aten::add.Tensor(self=%a, other=%b) return %c, %c }
        return %all })";
    EXPECT_EQ(resultOf(graph, Values{floats({}, {0}), floats({3}, {1, 2, 3})}), "float32[3] 1 3 6");
}

TEST(EvaluateWeights, areRead)
{
    const std::string graph = R"(storage 0: 8 bytes data "\x00\x00\x80\x3f\x00\x00\x00\x40"
        tensor @w: float32[2] in storage 0
        graph @forward(%x: float32[2]) {
          weight %w: float32[2] = @w
          %r = aten::add.Tensor(self=%x, other=%w)
          return %r
        })";
    EXPECT_EQ(resultOf(graph, Values{floats({2}, {1, 2})}), "float32[2] 2 4");
}

TEST(EvaluateShapes, thatCannotBeAreTold)
{
    const std::string told =
        resultOf("graph @forward(%x: float32[2, 3]) { %r = aten::view(self=%x, size=[4]) return %r }",
                 Values{floats({2, 3}, {1, 2, 3, 4, 5, 6})});
    EXPECT_TRUE(told.starts_with("no value for aten::view: ") && told.contains("4")) << told;
}

TEST(EvaluateInputs, mustBeAsManyAsTheGraphHas)
{
    EXPECT_EQ(resultOf("graph @forward(%x: float32[1]) { return %x }", {}), "there are 1 inputs and 0 values for them");
}

} // namespace
} // namespace cutaway::evaluate
