// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/evaluate/row_test.h"

// The ends of dtypes, zeros with a sign, what is no number, and arguments that ask for more than there is. Expected
// numbers are those of PyTorch.

namespace cutaway::evaluate {

/// %n is NaN, %o is 1.
const std::string nan = "%z = aten::zeros(size=[1], dtype=float32) %n = aten::div.Tensor(self=%z, other=%z) "
                        "%o = aten::ones(size=[1], dtype=float32) ";

INSTANTIATE_TEST_SUITE_P(
    NotANumber, Evaluate,
    ::testing::Values(
        Row{"staysInLogAddExp", nan + "%a = aten::logaddexp(self=%o, other=%n) %r = aten::isnan(self=%a)", "bool[1] 1"},
        Row{"staysInLogAddExp2", nan + "%a = aten::logaddexp2(self=%o, other=%n) %r = aten::isnan(self=%a)",
            "bool[1] 1"},
        Row{"staysInARankingLoss",
            nan
                + "%a = aten::margin_ranking_loss(input1=%n, input2=%o, target=%o, reduction=0) "
                  "%r = aten::isnan(self=%a)",
            "bool[1] 1"},
        Row{"isInNothing", nan + "%r = aten::isin.Tensor_Tensor(elements=%n, test_elements=%n)", "bool[1] 0"},
        Row{"hidesNothingElse",
            nan
                + "%a = aten::cat(tensors=[%o, %n, %z]) %r = aten::isin.Tensor_Tensor(elements=%a, "
                  "test_elements=%a)",
            "bool[3] 1 0 1"},
        Row{"hasNoSign", nan + "%r = aten::sign(self=%n)", "float32[1] 0"},
        Row{"comesAfterAllOthers",
            nan + "%s = aten::arange(end=3, dtype=float32) %r = aten::searchsorted.Tensor(sorted_sequence=%s, self=%n)",
            "int64[1] 3"},
        Row{"staysInAMatrixToThePowerOfOne",
            nan
                + "%s = aten::view(self=%n, size=[1, 1]) %a = aten::linalg_matrix_power(self=%s, n=1) %r = "
                  "aten::isnan(self=%a)",
            "bool[1, 1] 1"},
        Row{"isNoDivergenceOfNothing", nan + "%r = aten::kl_div(self=%z, target=%z, reduction=0)", "float32[1] 0"},
        Row{"angleOfNegativeZero", nan + "%m = aten::neg(self=%z) %r = aten::angle(self=%m)", "float32[1] 0"}),
    rowName);

const std::string ends = "%a = aten::full(size=[1], fill_value=-9223372036854775808, dtype=int64) "
                         "%b = aten::full(size=[1], fill_value=9223372036854775807, dtype=int64) "
                         "%t = aten::full(size=[1], fill_value=3, dtype=int64) ";

INSTANTIATE_TEST_SUITE_P(
    EndsOfInt64, Evaluate,
    ::testing::Values(
        Row{"commonDivisor", ends + "%r = aten::gcd(self=%a, other=%t)", "int64[1] 1"},
        Row{"commonDivisorOfTheSmallest", ends + "%r = aten::gcd(self=%a, other=%a)", "int64[1] -9.22337e+18"},
        Row{"commonMultipleWraps", ends + "%r = aten::lcm(self=%b, other=%t)", "int64[1] 9.22337e+18"},
        Row{"commonMultipleOfTheSmallest", ends + "%r = aten::lcm(self=%a, other=%t)", "int64[1] -9.22337e+18"},
        Row{"commonMultipleWithZero",
            ends + "%z = aten::zeros(size=[1], dtype=int64) %r = aten::lcm(self=%z, other=%z)", "int64[1] 0"},
        Row{"neighboursAreTwo",
            ends
                + "%s = aten::sub.Scalar(self=%b, other=1) %r = aten::isin.Tensor_Tensor(elements=%s, "
                  "test_elements=%b)",
            "bool[1] 0"},
        Row{"powerOfAMatrix",
            "%s = aten::slice.Tensor(self=%x, dim=1, end=2) %r = aten::linalg_matrix_power(self=%s, "
            "n=-9223372036854775808)",
            "no value for aten::linalg_matrix_power: the evaluator's rule does not cover these arguments"}),
    rowName);

const std::string signal = "%s = aten::arange(end=8, dtype=float32) ";

INSTANTIATE_TEST_SUITE_P(
    MoreThanThereIs, Evaluate,
    ::testing::Values(
        Row{"piecesOfASignal",
            signal + "%r = aten::stft(self=%s, n_fft=1000000000000, hop_length=1000000000000, return_complex=true)",
            "no value for aten::stft: the evaluator's rule does not cover complex numbers"},
        Row{"piecesOfASpectrum",
            signal
                + "%v = aten::view(self=%s, size=[2, 2, 2]) %c = aten::view_as_complex(self=%v) %r = "
                  "aten::istft(self=%c, n_fft=1000000000000, length=4)",
            "no value for aten::istft: the evaluator's rule does not cover complex numbers"},
        Row{"stepsOfASpectrum",
            signal
                + "%v = aten::view(self=%s, size=[2, 2, 2]) %c = aten::view_as_complex(self=%v) %r = "
                  "aten::istft(self=%c, n_fft=2, hop_length=4611686018427387904, length=4)",
            "no value for aten::istft: the evaluator's rule does not cover complex numbers"},
        Row{"aLongTransformOfOneSample",
            "%s = aten::ones(size=[1], dtype=float32) %r = aten::fft_fft(self=%s, n=4000000)",
            "no value for aten::fft_fft: the evaluator's rule does not cover complex numbers"},
        Row{"labelsOfSequences",
            "%l = aten::log_softmax.int(self=%x, dim=1) %p = aten::view(self=%l, size=[1, 2, 3]) %t = "
            "aten::ones(size=[3], dtype=int64) %r = aten::ctc_loss.IntList(log_probs=%p, targets=%t, "
            "input_lengths=[1, 1], target_lengths=[1, 9223372036854775807])",
            "no value for aten::ctc_loss.IntList: the evaluator's rule does not cover these arguments"},
        Row{"oneDimensionTwiceOfAMatrix", "%r = aten::linalg_matrix_norm.str_ord(self=%x, ord=\"fro\", dim=[0, 0])",
            "no value for aten::linalg_matrix_norm.str_ord: the evaluator's rule does not cover these arguments"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    AsTorchRounds, Evaluate,
    ::testing::Values(Row{"wholeQuotient",
                          "%a = aten::ones(size=[1]) %b = aten::full(size=[1], fill_value=0.1, dtype=float32) %r = "
                          "aten::floor_divide(self=%a, other=%b)",
                          "float32[1] 9"},
                      Row{"lossInTheDTypeOfTheInput",
                          "%a = aten::ones(size=[1], dtype=float16) %b = aten::zeros(size=[1], dtype=float32) %r = "
                          "aten::huber_loss(self=%a, target=%b, reduction=0)",
                          "float16[1] 0.5"},
                      Row{"planesTwiceAsLarge",
                          "%a = aten::arange(end=4, dtype=float32) %b = aten::view(self=%a, size=[1, 1, 2, 2]) %r = "
                          "aten::upsample_nearest2d.vec(input=%b, output_size=none, scale_factors=[2.3, 2.3])",
                          "float32[1, 1, 4, 4] 0 0 1 1 0 0 1 1 2 2 3 3 2 2 3 3"},
                      Row{"piecesOfComplexNumbers",
                          "%a = aten::ones(size=[2], dtype=float32) %c = aten::complex(real=%a, imag=%a) %l = "
                          "aten::split.Tensor(self=%c, split_size=1) %p, %r = prim::ListUnpack(%l)",
                          "complex64[1] 1+1i"}),
    rowName);

const std::string tree = "(%x, nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2], nodes_featureids=[0, 0, 0], "
                         "nodes_values=[0.5, 0.0, 0.0], nodes_modes=[\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], "
                         "nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0], ";
const std::string classes =
    "class_treeids=[0, 0, 0, 0, 0, 0], class_nodeids=[1, 1, 1, 2, 2, 2], class_ids=[0, 1, 2, 0, 1, 2], "
    "class_weights=[3.0, 1.0, 2.0, 1.0, 2.0, 0.5])";

INSTANTIATE_TEST_SUITE_P(
    Trees, Evaluate,
    ::testing::Values(
        Row{"sum",
            "%r = ai.onnx.ml::TreeEnsembleRegressor" + tree
                + "n_targets=1, target_treeids=[0, 0], target_nodeids=[1, 2], target_ids=[0, 0], "
                  "target_weights=[10.0, 20.0])",
            "float32[2, 1] 10 20"},
        Row{"labels", "%r, %s = ai.onnx.ml::TreeEnsembleClassifier" + tree + "classlabels_int64s=[5, 6, 7], " + classes,
            "int64[2] 5 6"},
        Row{"scores", "%l, %r = ai.onnx.ml::TreeEnsembleClassifier" + tree + "classlabels_int64s=[5, 6, 7], " + classes,
            "float32[2, 3] 3 1 2 1 2 0.5"},
        Row{"ofTwoClasses",
            "%r, %s = ai.onnx.ml::TreeEnsembleClassifier" + tree + "classlabels_int64s=[5, 6], " + classes,
            "no value for ai.onnx.ml::TreeEnsembleClassifier: the evaluator's rule does not cover these arguments"},
        Row{"thatGoInCircles",
            "%r = ai.onnx.ml::TreeEnsembleRegressor(%x, nodes_treeids=[0, 0], nodes_nodeids=[0, 1], "
            "nodes_featureids=[0, 0], nodes_values=[0.5, 0.5], nodes_modes=[\"BRANCH_LEQ\", \"BRANCH_LEQ\"], "
            "nodes_truenodeids=[1, 0], nodes_falsenodeids=[1, 0], n_targets=1, target_treeids=[0], "
            "target_nodeids=[1], target_ids=[0], target_weights=[1.0])",
            "no value for ai.onnx.ml::TreeEnsembleRegressor: the evaluator's rule does not cover these arguments"},
        Row{"wordsFarApart",
            "%r = onnx::TfIdfVectorizer(%i, mode=\"TF\", min_gram_length=2, max_gram_length=2, "
            "max_skip_count=9223372036854775807, ngram_counts=[0, 0], ngram_indexes=[0], pool_int64s=[7, 2])",
            "float32[1] 1"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    ComplexEquality, Evaluate,
    ::testing::Values(Row{
        "isOfRoundedNumbers",
        "%a = aten::full(size=[1], fill_value=0.1, dtype=float32) %z = aten::zeros_like(self=%a) %c = "
        "aten::complex(real=%a, imag=%z) %r = aten::eq.Scalar(self=%c, other=0.1)",
        "bool[1] 1"}),
    rowName);

} // namespace cutaway::evaluate
