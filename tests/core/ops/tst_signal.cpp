// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Signal : public testing::TestWithParam<RuleRow> { };

TEST_P(Signal, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// Real signals have half a spectrum.
INSTANTIATE_TEST_SUITE_P(
    Fourier, Signal,
    testing::Values(
        RuleRow{"Complex", "(%x: float32[2, s0]) { %r = aten::fft_fft.default(%x) return %r }", "complex64[2, s0]"},
        RuleRow{"Real", "(%x: float64[2, s0]) { %r = aten::fft_rfft.default(%x, none, 0) return %r }",
                "complex128[2, s0]"},
        RuleRow{"RealPadded", "(%x: float32[2, s0]) { %r = aten::fft_rfft.default(%x, 16) return %r }",
                "complex64[2, 9]"},
        RuleRow{"Back", "(%x: complex64[2, s0]) { %r = aten::fft_irfft.default(%x) return %r }",
                "float32[2, 2*s0 - 2]"},
        RuleRow{"OfIntegers", "(%x: int64[4]) { %r = aten::fft_ihfft.default(%x) return %r }", "complex64[3]", "0/40"},
        RuleRow{"OfTheLastTwo", "(%x: float32[3, 4, 5]) { %r = aten::fft_rfft2.default(%x) return %r }",
                "complex64[3, 4, 3]"},
        RuleRow{"OfGivenSizes", "(%x: float32[3, 4, 5]) { %r = aten::fft_rfftn.default(%x, [6, 7], [1, 0]) return %r }",
                "complex64[4, 6, 5]"},
        RuleRow{"Kernel", "(%x: complex64[3, s0]) { %r = aten::_fft_c2r.default(%x, [1], 2, 9) return %r }",
                "float32[3, 9]"},
        RuleRow{"Frequencies", "() { %r = aten::fft_rfftfreq.default(10) return %r }", "float32[6]"},
        RuleRow{"NoSuchDimension", "(%x: float32[4]) { %r = aten::fft_fft.default(%x, none, 1) return %r }",
                "!the transformed dimensions are not known unknown"}),
    rowName);

// A frame per hop.
INSTANTIATE_TEST_SUITE_P(
    ShortTime, Signal,
    testing::Values(
        RuleRow{
            "Centred",
            R"((%x: float32[2, 100], %w: float32[16]) { %r = aten::stft.center(%x, 16, 4, 16, %w, true, "reflect", false, true, true) return %r })",
            "complex64[2, 9, 26]"},
        RuleRow{"AsReal",
                "(%x: float32[s0], %w: float32[16]) { %r = aten::stft.default(%x, 16, 4, 16, %w, false, false, false) "
                "return %r }",
                "float32[16, (s0 - 16)//4 + 1, 2]"},
        RuleRow{"Back",
                "(%x: complex64[2, 9, 26], %w: float32[16]) { %r = aten::istft.default(%x, 16, 4, 16, %w) return %r }",
                "float32[2, 100]"},
        RuleRow{"Window", "() { %r = aten::hann_window.periodic(10, true, dtype=float64) return %r }", "float64[10]"}),
    rowName);

// The last dimension holds real and imaginary part.
INSTANTIATE_TEST_SUITE_P(
    Onnx, Signal,
    testing::Values(
        RuleRow{
            "Axis",
            R"((%x: float32[1, 10, 10, 1]) { %r = onnx::DFT(%x, axis=1, onesided=1) return %r } opset "ai.onnx" 17)",
            "float32[1, 6, 10, 2]"},
        RuleRow{"AxisIsAnInput",
                R"((%x: float32[1, 10, s0, 1]) { %r = onnx::DFT(%x, none, 2) return %r } opset "ai.onnx" 20)",
                "float32[1, 10, s0, 2]"},
        RuleRow{"Length", R"((%x: float32[1, 10, s0, 1]) { %r = onnx::DFT(%x, 16) return %r } opset "ai.onnx" 20)",
                "float32[1, 10, 16, 2]"},
        RuleRow{"ShortTime",
                R"((%x: float32[1, 128, 1]) { %r = onnx::STFT(%x, 8, none, 16) return %r } opset "ai.onnx" 17)",
                "float32[1, 15, 9, 2]"},
        RuleRow{
            "ShortTimeByWindow",
            R"((%x: float32[1, 128, 1], %w: float32[16]) { %r = onnx::STFT(%x, 8, %w, onesided=0) return %r } opset "ai.onnx" 17)",
            "float32[1, 15, 16, 2]"},
        RuleRow{"Mel", R"(() { %r = onnx::MelWeightMatrix(8, 16, 8192, 0.0, 4096.0) return %r } opset "ai.onnx" 17)",
                "float32[9, 8]"},
        RuleRow{"Window", R"(() { %r = onnx::HannWindow(10, output_datatype=11) return %r } opset "ai.onnx" 17)",
                "float64[10]"}),
    rowName);

} // namespace

} // namespace cutaway::test
