// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class MachineLearning : public testing::TestWithParam<RuleRow> { };

TEST_P(MachineLearning, infers)
{
    const std::string header = "opset \"ai.onnx\" 17\n";
    EXPECT_EQ(inferred(GetParam().graph, header), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph, header), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, MachineLearning,
    testing::Values(
        RuleRow{"LinearClassifier",
                "(%x: float32[s0, 4]) { %l, %p = ai.onnx.ml::LinearClassifier(%x, "
                "classlabels_ints=[0, 1, 2], coefficients=[1.0, 2.0, 3.0]) return %l, %p }",
                "int64[s0]; float32[s0, 3]", "0/6*s0"},
        RuleRow{"ClassifierOfNames",
                "(%x: float32[5, 4]) { %l, %p = ai.onnx.ml::TreeEnsembleClassifier(%x, "
                "classlabels_strings=[\"a\", \"b\"]) return %l, %p }",
                "string[5]; float32[5, 2]", "0/?"},
        RuleRow{"SvmClassifierWithoutProbabilities",
                "(%x: float32[5, 4]) { %l, %p = ai.onnx.ml::SVMClassifier(%x, "
                "classlabels_ints=[0, 1, 2]) return %l, %p }",
                "int64[5]; float32[5, ?]"},
        RuleRow{"ValuesOfADictionary", "(%x: dict<int, float>) { %r = ai.onnx.ml::CastMap(%x) return %r }",
                "float32[1, u_0]"},
        RuleRow{"SparseDictionary",
                "(%x: dict<int, float>) { %r = ai.onnx.ml::CastMap(%x, cast_to=\"TO_INT64\", map_form=\"SPARSE\", "
                "max_map=9) return %r }",
                "int64[1, 9]"},
        RuleRow{"Regressor", "(%x: float32[5, 4]) { %r = ai.onnx.ml::LinearRegressor(%x, targets=2) return %r }",
                "float32[5, 2]"},
        RuleRow{"RegressorOfOneTarget", "(%x: float64[5, 4]) { %r = ai.onnx.ml::SVMRegressor(%x) return %r }",
                "float32[5, 1]"},
        RuleRow{"TreeEnsemble", "(%x: float64[5, 4]) { %r = ai.onnx.ml::TreeEnsemble(%x, n_targets=2) return %r }",
                "float64[5, 2]"},
        RuleRow{"Scaler", "(%x: int64[5, 4]) { %r = ai.onnx.ml::Scaler(%x) return %r }", "float32[5, 4]", "0/20"},
        RuleRow{"OneHot", "(%x: int64[5]) { %r = ai.onnx.ml::OneHotEncoder(%x, cats_int64s=[1, 2, 3]) return %r }",
                "float32[5, 3]"},
        RuleRow{
            "Labels",
            "(%x: string[5]) { %r = ai.onnx.ml::LabelEncoder(%x, keys_strings=[\"a\"], values_int64s=[1]) return %r }",
            "int64[5]"},
        RuleRow{"OldLabels", "(%x: int64[5]) { %r = ai.onnx.ml::LabelEncoder(%x, classes_strings=[\"a\"]) return %r }",
                "string[5]"},
        RuleRow{"Categories", "(%x: string[5]) { %r = ai.onnx.ml::CategoryMapper(%x) return %r }", "int64[5]"},
        RuleRow{"Features",
                "(%x: float32[5, 4], %y: float32[5, 2]) "
                "{ %r = ai.onnx.ml::FeatureVectorizer(%x, %y, inputdimensions=[4, 2]) return %r }",
                "float32[5, 6]"},
        RuleRow{"Columns",
                "(%x: float32[5, 4], %i: int64[2]) { %r = ai.onnx.ml::ArrayFeatureExtractor(%x, %i) return %r }",
                "float32[5, 2]"},
        RuleRow{"ZipMap", "(%x: float32[5, 3]) { %r = ai.onnx.ml::ZipMap(%x) return %r }",
                "list of 5 × dict of float32[]"},
        RuleRow{"Momentum",
                "(%r: float32[], %t: int64[], %x: float32[3], %y: float32[4, 2]) "
                "{ %a, %b, %c, %d = ai.onnx.preview.training::Momentum(%r, %t, %x, %y, %x, %y, %x, %y) "
                "return %a, %b, %c, %d }",
                "float32[3]; float32[4, 2]; float32[3]; float32[4, 2]"},
        RuleRow{"Adam",
                "(%r: float32[], %t: int64[], %x: float32[3]) "
                "{ %a, %b, %c = ai.onnx.preview.training::Adam(%r, %t, %x, %x, %x, %x) return %a, %b, %c }",
                "float32[3]; float32[3]; float32[3]"},
        RuleRow{"Gradient",
                "(%x: float32[3], %y: float32[4]) { %a, %b = ai.onnx.preview.training::Gradient(%x, %y, "
                "xs=[\"x\", \"y\"]) return %a, %b }",
                "float32[3]; float32[4]"}),
    rowName);

} // namespace

} // namespace cutaway::test
