// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/operator.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Random : public testing::TestWithParam<RuleRow> { };

TEST_P(Random, infers) { EXPECT_EQ(inferred(GetParam().graph), GetParam().results); }

INSTANTIATE_TEST_SUITE_P(
    Rows, Random,
    testing::Values(
        RuleRow{"Rand", "(%n: int(s0)) { %r = aten::rand([2, %n]) return %r }", "float32[2, s0]"},
        RuleRow{"Uniform", "() { %r = prims::uniform([2, 3], low=0, high=1, dtype=float64) return %r }",
                "float64[2, 3]"},
        RuleRow{"Randint", "() { %r = aten::randint.low(0, 5, [2, 3]) return %r }", "int64[2, 3]"},
        RuleRow{"Permutation", "(%n: int(s0)) { %r = aten::randperm(%n) return %r }", "int64[s0]"},
        RuleRow{"Like", "(%x: float16[2]) { %r = aten::randn_like(%x, dtype=float32) return %r }", "float32[2]"},
        RuleRow{"InPlace", "(%x: float16[2]) { %r = aten::normal_(%x, 0.0, 1.0) return %r }", "float16[2]"},
        RuleRow{"NormalOfTensors",
                "(%m: float32[2, 1], %d: float32[3]) { %r = aten::normal.Tensor_Tensor(%m, %d) return %r }",
                "float32[2, 3]"},
        RuleRow{"NormalOfASize", "() { %r = aten::normal.float_float(0.0, 1.0, [4]) return %r }", "float32[4]"},
        RuleRow{"Multinomial", "(%w: float32[2, s0]) { %r = aten::multinomial(%w, 5) return %r }", "int64[2, 5]"},
        RuleRow{"MultinomialOfNoRow", "(%w: float32[]) { %r = aten::multinomial(%w, 5) return %r }",
                "!weights of shape [], wanted are one or two dimensions unknown"},
        RuleRow{"OnnxMultinomial", "(%w: float32[2, 7]) { %r = onnx::Multinomial(%w, sample_size=5) return %r }",
                "int32[2, 5]"},
        RuleRow{"OnnxNormal", "() { %r = onnx::RandomNormal(shape=[2, 3], dtype=11) return %r }", "float64[2, 3]"},
        RuleRow{"OnnxBernoulli", "(%x: float32[2, s0]) { %r = onnx::Bernoulli(%x, dtype=9) return %r }",
                "bool[2, s0]"}),
    rowName);

TEST(RandomOperators, saySo)
{
    EXPECT_EQ(ops::findOperator("aten", "randn_like")->traits.effect, ops::Effect::Random);
    EXPECT_EQ(ops::findOperator("aten", "uniform_")->traits.effect, ops::Effect::Random);
    EXPECT_EQ(ops::findOperator("aten", "relu_")->traits.effect, ops::Effect::Pure);
}

} // namespace

} // namespace cutaway::test
