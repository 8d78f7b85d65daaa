// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/given.h"
#include "core/request/model_figures.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::request {

namespace {

Figures figuresIn(const std::string &text, const std::vector<std::string> &bindings = {})
{
    ir::Model model = test::parsed(text);
    const auto given = readGiven(model, {}, bindings, {});
    EXPECT_TRUE(given) << given.error().text();
    return figuresOf(model, analysis::analyse(model, ir::FunctionId{}, *given));
}

const std::string linear = R"(
    storage 0: 48 bytes missing "a test"
    tensor @w: float32[3, 4] parameter in storage 0
    graph @forward(%x: float32[s0, 4]) {
      weight %p: float32[3, 4] = @w
      %y = aten::linear.default(input=%x, weight=%p)
      %z = aten::relu.default(self=%y)
      return %z })";

TEST(ModelFigures, areNumbersWhereSizesAre)
{
    const Figures figures = figuresIn("symbol s0 [2, 64] " + linear, {"s0=5"});
    EXPECT_EQ(figures.at("flops").value, 2. * 5 * 4 * 3);
    EXPECT_EQ(figures.at("macs").value, 5. * 4 * 3);
    EXPECT_EQ(figures.at("bytes").value, 4. * (5 * 4 + 3 * 4 + 5 * 3 + 2 * 5 * 3));
    EXPECT_EQ(figures.at("params").value, 12);
    EXPECT_EQ(figures.at("weights").value, 48);
    EXPECT_EQ(figures.at("nodes").value, 2);
    EXPECT_EQ(figures.at("peak").value, 4. * (5 * 4 + 5 * 3));
    for (const auto &[name, figure] : figures)
        EXPECT_EQ(figure.whyUnknown, "") << name;
}

TEST(ModelFigures, areNotKnownWhereTheyAreFormulas)
{
    const Figures figures = figuresIn("symbol s0 [2, 64] " + linear);
    EXPECT_EQ(figures.at("flops").value, std::nullopt);
    EXPECT_EQ(figures.at("flops").whyUnknown, "it is 24*s0; --bind or --input gives the sizes");
    EXPECT_EQ(figures.at("macs").whyUnknown, "the FLOPs are not known: it is 24*s0; --bind or --input gives the sizes");
    EXPECT_EQ(figures.at("params").value, 12);
}

TEST(ModelFigures, areNotKnownWhereTheyAreBounds)
{
    const Figures figures = figuresIn(R"(graph @forward(%x: float32[2, 4], %w: float32[4, 3]) {
        %y = aten::mm.default(self=%x, mat2=%w)
        %z = custom::unheard_of(x=%y)
        return %z })");
    EXPECT_EQ(figures.at("flops").whyUnknown, "it is at least 48, and of 1 node it is not known");
    EXPECT_EQ(figures.at("nodes").value, 2);
    EXPECT_EQ(figures.at("outputs").names, std::vector<std::string>{});
    EXPECT_EQ(figures.at("outputs").whyUnknown, "the dtype of 'z' is not known");
}

TEST(ModelFigures, nameOperatorsAlsoOfRegionsAndCalledFunctions)
{
    const Figures figures = figuresIn(R"(
        graph @main(%c: bool[], %x: float32[2]) {
          %y = onnx::If(%c) region "then_branch" () { %a = onnx::Relu(%x) return %a }
                            region "else_branch" () { %b = onnx::Neg(%x) return %b }
          %z = local::Twice(%y, function=graph @twice)
          return %z }
        function @twice(%v) { %w = onnx::Add(%v, %v) return %w }
        function @unused(%v) { %w = onnx::Sub(%v, %v) return %w })");
    EXPECT_EQ(figures.at("ops").names,
              (std::vector<std::string>{"local::Twice", "onnx::Add", "onnx::If", "onnx::Neg", "onnx::Relu"}));
    EXPECT_EQ(figures.at("inputs").names, (std::vector<std::string>{"bool", "float32"}));
}

} // namespace

} // namespace cutaway::request
