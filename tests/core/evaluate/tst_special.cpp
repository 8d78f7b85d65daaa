// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/evaluate/row_test.h"

// Expected numbers are those of PyTorch.

namespace cutaway::evaluate {

INSTANTIATE_TEST_SUITE_P(
    Complex, Evaluate,
    ::testing::Values(
        Row{"ofParts",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::view_as_real(self=%c)",
            "float32[3, 2] -2 1 -1 2 0 3"},
        Row{"product",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::mul.Tensor(self=%c, other=%c)",
            "complex64[3] 3-4i -3-4i -9+0i"},
        Row{"quotient",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %d = aten::conj(self=%c) %r = aten::div.Tensor(self=%c, other=%d)",
            "complex64[3] 0.6-0.8i -0.6-0.8i -1+0i"},
        Row{"sumWithAReal",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::add.Tensor(self=%c, other=%a, alpha=2)",
            "complex64[3] -6+1i -3+2i 0+3i"},
        Row{"differenceFromANumber",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::rsub.Scalar(self=%c, other=1)",
            "complex64[3] 3-1i 2-2i 1-3i"},
        Row{"sizes",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::abs(self=%c)",
            "float32[3] 2.23607 2.23607 3"},
        Row{"angles",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::angle(self=%c)",
            "float32[3] 2.67795 2.03444 1.5708"},
        Row{"angleOfRealNumbers", "%r = aten::angle(self=%x)", "float32[2, 3] 3.14159 3.14159 0 0 0 0"},
        Row{"imaginaryParts",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %d = aten::conj(self=%c) %r = aten::imag(self=%d)",
            "float32[3] -1 -2 -3"},
        Row{"polar",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::polar(abs=%b, angle=%a)",
            "complex64[3] -0.416147-0.909297i 1.0806-1.68294i 3+0i"},
        Row{"exponential",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::exp(self=%c)",
            "complex64[3] 0.073122+0.113881i -0.153092+0.334512i -0.989992+0.14112i"},
        Row{"matrices",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %d = aten::view(self=%c, size=[1, 3]) %e = aten::t(self=%d) %r = "
            "aten::matmul(self=%d, other=%e)",
            "complex64[1, 1] -9-8i"},
        Row{"allDimensionsReversed",
            "%c = aten::complex(real=%x, imag=%x) %d = aten::numpy_T(self=%c) %r = aten::imag(self=%d)",
            "float32[3, 2] -2 1 -1 2 0 3"},
        Row{"movedByParts",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::cat(tensors=[%c, %c])",
            "complex64[6] -2+1i -1+2i 0+3i -2+1i -1+2i 0+3i"},
        Row{"flipped",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::flip(self=%c, dims=[0])",
            "complex64[3] 0+3i -1+2i -2+1i"},
        Row{"added",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::sum(self=%c)",
            "complex64[] -3+6i"},
        Row{"equal",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %d = aten::conj(self=%c) %r = aten::eq.Tensor(self=%c, other=%d)",
            "bool[3] 0 0 0"},
        Row{"pairsAsOne",
            "%y = aten::slice.Tensor(self=%x, dim=1, start=0, end=2) %z = aten::contiguous(self=%y) %r = "
            "aten::view_as_complex(self=%z)",
            "complex64[2] -2-1i 1+2i"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Fourier, Evaluate,
    ::testing::Values(
        Row{"whole",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::fft_fft(self=%c)",
            "complex64[3] -3+6i -2.36603-0.633975i -0.633975-2.36603i"},
        Row{"backToWhole",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::fft_ifft(self=%c, norm=\"ortho\")",
            "complex64[3] -1.73205+3.4641i -0.366025-1.36603i -1.36603-0.366025i"},
        Row{"half", "%r = aten::fft_rfft(self=%x)", "complex64[2, 2] -3+0i -1.5+0.866025i 6+0i -1.5+0.866025i"},
        Row{"halfOfMore", "%r = aten::fft_rfft(self=%x, n=4, norm=\"forward\")",
            "complex64[2, 3] -0.75+0i -0.5+0.25i -0.25+0i 1.5+0i -0.5-0.5i 0.5+0i"},
        Row{"backToReal",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::fft_irfft(self=%c)",
            "float32[4] -1 -1.5 0 0.5"},
        Row{"backToRealOfOddLength",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::fft_irfft(self=%c, n=5)",
            "float32[5] -0.8 -1.98979 0.594646 -0.747433 0.942581"},
        Row{"hermitian",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %c = "
            "aten::complex(real=%a, imag=%b) %r = aten::fft_hfft(self=%c)",
            "float32[4] -4 2 0 -6"},
        Row{"backFromHermitian", "%r = aten::fft_ihfft(self=%x)",
            "complex64[2, 2] -1+0i -0.5-0.288675i 2+0i -0.5-0.288675i"},
        Row{"planes", "%r = aten::fft_fft2(self=%x)", "complex64[2, 3] 3+0i -3+1.73205i -3-1.73205i -9+0i 0+0i 0+0i"},
        Row{"realPlanes", "%r = aten::fft_rfft2(self=%x)", "complex64[2, 2] 3+0i -3+1.73205i -9+0i 0+0i"},
        Row{"ofOneDimension", "%r = aten::fft_fftn(self=%x, dim=[0])",
            "complex64[2, 3] -1+0i 1+0i 3+0i -3+0i -3+0i -3+0i"},
        Row{"shortTime",
            "%s = aten::arange(end=8, dtype=float32) %w = aten::hann_window(window_length=4) %r = "
            "aten::stft.center(self=%s, n_fft=4, window=%w, center=true, return_complex=true)",
            "complex64[3, 9] 1+0i 2+0i 4+0i 6+0i 8+0i 10+0i 12+0i 13+0i 12+0i 0+0i -1+1i -2+1i -3+1i -4+1i -5+1i -6+1i "
            "-7+0i -6-1i -1+0i 0+0i 0+0i 0+0i 0+0i 0+0i 0+0i 1+0i 0+0i"},
        Row{"shortTimeInParts",
            "%s = aten::arange(end=8, dtype=float32) %w = aten::hann_window(window_length=4) %r = aten::stft(self=%s, "
            "n_fft=4, hop_length=2, normalized=true, return_complex=false)",
            "float32[3, 3, 2] 3 0 7 0 11 0 -1 1 -1 1 -1 1 -1 0 -1 0 -1 0"},
        Row{"andBack",
            "%s = aten::arange(end=8, dtype=float32) %w = aten::hann_window(window_length=4) %f = "
            "aten::stft.center(self=%s, n_fft=4, window=%w, return_complex=true) %r = aten::istft(self=%f, n_fft=4, "
            "window=%w)",
            "float32[8] 0 1 2 3 4 5 6 7"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Losses, Evaluate,
    ::testing::Values(
        Row{"squared",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::mse_loss(self=%a, target=%b)",
            "float32[] 9"},
        Row{"absolutes",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::l1_loss(self=%a, target=%b, reduction=2)",
            "float32[] 9"},
        Row{"smooth",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::smooth_l1_loss(self=%a, target=%b, reduction=0, beta=4)",
            "float32[3] 1.125 1.125 1.125"},
        Row{"huber",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::huber_loss(self=%a, target=%b, reduction=0, delta=2)",
            "float32[3] 4 4 4"},
        Row{"divergence",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::kl_div(self=%a, target=%b)",
            "float32[] 2.89404"},
        Row{"binary",
            "%p = aten::sigmoid(self=%x) %y = aten::gt.Scalar(self=%x, other=0) %t = aten::to.dtype(self=%y, "
            "dtype=float32) %r = aten::binary_cross_entropy(self=%p, target=%t)",
            "float32[] 0.270352"},
        Row{"binaryOfScores",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %y = "
            "aten::gt.Scalar(self=%a, other=-2) %t = aten::to.dtype(self=%y, dtype=float32) %r = "
            "aten::binary_cross_entropy_with_logits(self=%a, target=%t, pos_weight=%b, reduction=0)",
            "float32[3] 0.126928 2.62652 2.07944"},
        Row{"softMargin", "%s = aten::sign(self=%i) %r = aten::soft_margin_loss(self=%x, target=%s)",
            "float32[] 0.937019"},
        Row{"hinge", "%s = aten::sign(self=%i) %r = aten::hinge_embedding_loss(self=%x, target=%s, reduction=0)",
            "float32[2, 3] -2 2 0 1 0 3"},
        Row{"poisson",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::poisson_nll_loss(input=%a, target=%b, log_input=true, full=true, eps=1e-8, reduction=1)",
            "float32[] 2.6397"},
        Row{"ranking",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %s = "
            "aten::sign(self=%i) %r = aten::margin_ranking_loss(input1=%a, input2=%b, target=%s, margin=1, "
            "reduction=0)",
            "float32[3] 4 0 4"},
        Row{"likelihood", "%t = aten::arange(end=2) %r = aten::nll_loss_nd(self=%x, target=%t)", "float32[] 0"},
        Row{"entropy",
            "%t = aten::arange(end=2) %r = aten::cross_entropy_loss(self=%x, target=%t, label_smoothing=0.1)",
            "float32[] 1.85761"},
        Row{"entropyOfProbabilities",
            "%p = aten::softmax.int(self=%x, dim=1) %r = aten::cross_entropy_loss(self=%x, target=%p)",
            "float32[] 0.832396"},
        Row{"entropyWithWeights",
            "%t = aten::arange(end=2) %w = aten::abs(self=%i) %f = aten::to.dtype(self=%w, dtype=float32) %r = "
            "aten::cross_entropy_loss(self=%x, target=%t, weight=%f, ignore_index=0)",
            "float32[] 1.40761"},
        Row{"sequences",
            "%l = aten::log_softmax.int(self=%x, dim=1) %p = aten::view(self=%l, size=[2, 1, 3]) %t = "
            "aten::ones(size=[1, 1], dtype=int64) %r = aten::ctc_loss.IntList(log_probs=%p, targets=%t, "
            "input_lengths=[2], target_lengths=[1])",
            "float32[] 2.26377"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Special, Evaluate,
    ::testing::Values(
        Row{"digamma", "%r = aten::digamma(self=%i)", "float32[3] 1.87278 nan 0.422784"},
        Row{"digammaBetween", "%h = aten::add.Scalar(self=%x, other=0.25) %r = aten::digamma(self=%h)",
            "float32[2, 3] -2.32269 -2.89412 -4.22745 -0.227454 0.572546 1.01699"},
        Row{"trigamma", "%h = aten::add.Scalar(self=%x, other=2.5) %r = aten::polygamma(n=1, self=%h)",
            "float32[2, 3] 4.9348 0.934802 0.490358 0.330358 0.248725 0.199342"},
        Row{"bessel", "%r = aten::special_i0(self=%x)", "float32[2, 3] 2.27959 1.26607 1 1.26607 2.27959 4.88079"},
        Row{"besselOfOne", "%r = aten::special_i1(self=%x)",
            "float32[2, 3] -1.59064 -0.565159 0 0.565159 1.59064 3.95337"},
        Row{"inverseOfErf", "%h = aten::div.Scalar(self=%x, other=3.5) %r = aten::erfinv(self=%h)",
            "float32[2, 3] -0.559773 -0.258876 0 0.258876 0.559773 1.03608"},
        Row{"inverseOfErfAtTheEnds", "%h = aten::div.Scalar(self=%x, other=3.0) %r = aten::erfinv(self=%h)",
            "float32[2, 3] -0.68407 -0.30457 0 0.30457 0.68407 inf"},
        Row{"normal", "%r = aten::special_ndtr(self=%x)",
            "float32[2, 3] 0.0227501 0.158655 0.5 0.841345 0.97725 0.99865"},
        Row{"maximumOfNumbers", "%l = aten::log(self=%x) %r = aten::fmax(self=%x, other=%l)",
            "float32[2, 3] -2 -1 0 1 2 3"},
        Row{"countOfNotZero", "%r = aten::count_nonzero.dim_IntList(self=%x, dim=[1])", "int64[2] 2 3"},
        Row{"histogram", "%r = aten::histc(self=%x, bins=3)", "float32[3] 2 2 2"},
        Row{"logCumSumExp", "%r = aten::logcumsumexp(self=%x, dim=1)",
            "float32[2, 3] -2 -0.686738 0.407606 1 2.31326 3.40761"},
        Row{"rreluOutOfTraining", "%r = aten::rrelu(self=%x, lower=0.25, upper=0.75)",
            "float32[2, 3] -1 -0.5 0 1 2 3"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    SpecialProducts, Evaluate,
    ::testing::Values(
        Row{"tensordot", "%r = aten::tensordot(self=%x, other=%x, dims_self=[0, 1], dims_other=[0, 1])",
            "float32[] 19"},
        Row{"tensordotOfOne", "%r = aten::tensordot(self=%x, other=%x, dims_self=[1], dims_other=[1])",
            "float32[2, 2] 5 -4 -4 14"},
        Row{"kronecker",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::kron(self=%x, other=%b)",
            "float32[2, 9] -2 -4 -6 -1 -2 -3 0 0 0 1 2 3 2 4 6 3 6 9"},
        Row{"chain", "%t = aten::t(self=%x) %r = aten::linalg_multi_dot(tensors=[%x, %t, %x])",
            "float32[2, 3] -14 -13 -12 22 32 42"},
        Row{"addbmm",
            "%o = aten::ones(size=[3, 3]) %y = aten::view(self=%x, size=[2, 1, 3]) %z = aten::view(self=%x, size=[2, "
            "3, 1]) %r = aten::addbmm(self=%o, batch1=%z, batch2=%y, beta=2, alpha=0.5)",
            "float32[3, 3] 4.5 4 3.5 4 4.5 5 3.5 5 6.5"},
        Row{"cosine",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::cosine_similarity(x1=%x, x2=%b)",
            "float32[2] -0.478091 1"},
        Row{"distances",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::pairwise_distance(x1=%x, x2=%b, p=3)",
            "float32[2] 4.32675 1.44225e-06"},
        Row{"cross",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::cross(self=%x, other=%b)",
            "float32[2, 3] -3 6 -3 0 0 0"},
        Row{"vectors",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::linalg_vecdot(x=%x, y=%b)",
            "float32[2] -4 14"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    SpecialPlaces, Evaluate,
    ::testing::Values(
        Row{"embeddedDiagonal", "%r = aten::diag_embed(self=%x, offset=-1)",
            "float32[2, 4, 4] 0 0 0 0 -2 0 0 0 0 -1 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 2 0 0 0 0 3 0"},
        Row{"matrixOfDiagonal", "%r = aten::diag(self=%i, diagonal=1)", "int64[4, 4] 0 7 0 0 0 0 -7 0 0 0 0 2 0 0 0 0"},
        Row{"diagonalOfMatrix", "%r = aten::diag(self=%x)", "float32[2] -2 2"},
        Row{"trace", "%r = aten::trace(self=%x)", "float32[] 0"},
        Row{"put",
            "%p = onnx::Constant(value_ints=[-1, 0, 0]) %f = aten::to.dtype(self=%i, dtype=float32) %r = "
            "aten::put(self=%x, index=%p, source=%f, accumulate=true)",
            "float32[2, 3] -7 -1 0 1 2 10"},
        Row{"reducedIntoPlaces",
            "%p = onnx::Constant(value_ints=[1, 1]) %r = aten::index_reduce(self=%x, dim=0, index=%p, source=%x, "
            "reduce=\"mean\")",
            "float32[2, 3] -2 -1 0 0 1 2"},
        Row{"combinations",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::cartesian_prod(tensors=[%a, %b])",
            "float32[9, 2] -2 1 -2 2 -2 3 -1 1 -1 2 -1 3 0 1 0 2 0 3"},
        Row{"deepStack",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::select.int(self=%x, dim=0, index=1) %r = "
            "aten::dstack(tensors=[%a, %b])",
            "float32[1, 3, 2] -2 1 -1 2 0 3"},
        Row{"shuffledChannels",
            "%y = aten::view(self=%x, size=[1, 6, 1]) %r = aten::channel_shuffle(self=%y, groups=2)",
            "float32[1, 6, 1] -2 1 -1 2 0 3"},
        Row{"smoothlyResampled",
            "%y = aten::view(self=%x, size=[1, 1, 2, 3]) %r = aten::_upsample_bilinear2d_aa(self=%y, output_size=[1, "
            "2], align_corners=false)",
            "float32[1, 1, 1, 2] -0.125 1.125"},
        Row{"convolvedToTheSameSize",
            "%y = aten::view(self=%x, size=[1, 1, 2, 3]) %k = aten::ones(size=[1, 1, 2, 2]) %r = "
            "aten::_convolution_mode(input=%y, weight=%k, bias=none, stride=[1, 1], padding=\"same\", dilation=[1, 1], "
            "groups=1)",
            "float32[1, 1, 2, 3] 0 4 3 3 5 3"},
        Row{"filledAfterwards", "%e = aten::empty_like(self=%x) %r = aten::fill_.Scalar(self=%e, value=2)",
            "float32[2, 3] 2 2 2 2 2 2"},
        Row{"normalizedInTraining",
            "%y = aten::view(self=%x, size=[3, 2]) %m = aten::zeros(size=[2]) %v = aten::ones(size=[2]) %n = "
            "aten::batch_norm(input=%y, weight=none, bias=none, running_mean=%m, running_var=%v, training=true, "
            "momentum=0.5, eps=0, cudnn_enabled=false) %e = aten::add_.Tensor(self=%n, other=%m) %r = "
            "aten::add.Tensor(self=%e, other=%v)",
            "float32[3, 2] 1.27526 1.77526 2.5 3 3.72474 4.22474"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Autocast, Evaluate,
    ::testing::Values(Row{"lowersProducts",
                          R"(%r = higher_order::wrap_with_autocast("cpu", bfloat16, true, false, %x)
  region "body" (%y: float32[2, 3]) {
    %h = aten::add.Scalar(self=%y, other=0.001)
    %z = aten::linear(input=%h, weight=%h)
    return %z
  })",
                          "bfloat16[2, 2] 5 -4 -4 14"},
                      Row{"leavesOthers",
                          R"(%r = higher_order::wrap_with_autocast("cpu", bfloat16, true, false, %x)
  region "body" (%y: float32[2, 3]) {
    %z = aten::add.Scalar(self=%y, other=0.001)
    return %z
  })",
                          "float32[2, 3] -1.999 -0.999 0.001 1.001 2.001 3.001"},
                      Row{"isOverBehindItsEnd",
                          R"(%q = higher_order::wrap_with_autocast("cpu", bfloat16, true, false, %x)
  region "body" (%y: float32[2, 3]) {
    return %y
  }
  %r = aten::linear(input=%q, weight=%x))",
                          "float32[2, 2] 5 -4 -4 14"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Objects, Evaluate,
    ::testing::Values(
        Row{"keepWhatIsSet",
            "%o = prim::CreateObject() %p = prim::CreateObject() prim::SetAttr(self=%o, name=\"a\", value=%x) "
            "prim::SetAttr(self=%p, name=\"a\", value=%i) prim::SetAttr(self=%o, name=\"a\", value=%i) "
            "prim::SetAttr(self=%p, name=\"a\", value=%x) %r = prim::GetAttr(self=%o, name=\"a\")",
            "int64[3] 7 -7 2"},
        Row{"knowWhereTensorsLie",
            "%d = prim::device(a=%x) %t = prim::type(%d) %l = prim::ListConstruct(\"cuda\", \"cpu\") %r = "
            "aten::__contains__.str_list(l=%l, item=%t)",
            "true"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Lists, Evaluate,
    ::testing::Values(
        Row{"slices",
            "%l = prim::ListConstruct(%x, %i, %x) %m = aten::slice.t(l=%l, start=-2, end=none, step=1) %r, %q = "
            "prim::ListUnpack(%m)",
            "int64[3] 7 -7 2"},
        Row{"sums",
            "%l = prim::ListConstruct(%x) %k = prim::ListConstruct(%i) %m = aten::add.t(a=%l, b=%k) %q, %r = "
            "prim::ListUnpack(%m)",
            "int64[3] 7 -7 2"},
        Row{"itemsThatAreTheSameTensor",
            "%l = prim::ListConstruct(%i, %x) %m = aten::slice.t(l=%l, start=0, end=1, step=1) %q = "
            "prim::ListUnpack(%m) %n = aten::zero_(self=%q) %r = aten::add.Scalar(self=%i, other=1)",
            "int64[3] 1 1 1"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    SpecialRefused, Evaluate,
    ::testing::Values(
        Row{"realRulesOfComplexNumbers", "%c = aten::complex(real=%x, imag=%x) %r = aten::tan(self=%c)",
            "no value for aten::tan: the evaluator's rule does not cover complex numbers"},
        Row{"partsThatWouldBeLost", "%c = aten::complex(real=%x, imag=%x) %r = aten::to.dtype(self=%c, dtype=float32)",
            "no value for aten::to.dtype: the evaluator's rule does not cover complex numbers"},
        Row{"complexNumbersAmongWrites",
            "%c = aten::complex(real=%x, imag=%x) %d = aten::view_as_real(self=%c) %r = aten::zero_(self=%d)",
            "no value for aten::complex: the evaluator does not follow complex numbers where a model writes in place"},
        Row{"whatNothingWrote", "%e = aten::empty_like(self=%x) %r = aten::add.Tensor(self=%e, other=%x)",
            "no value for aten::empty_like: the evaluator's rule does not cover these arguments"},
        Row{"conjugatingProducts",
            "%a = aten::select.int(self=%x, dim=0, index=0) %c = aten::complex(real=%a, imag=%a) %r = "
            "aten::vdot(self=%c, other=%c)",
            "no value for aten::vdot: the evaluator's rule does not cover complex numbers"},
        Row{"positiveNumbersOnly", "%r = aten::polygamma(n=1, self=%x)",
            "no value for aten::polygamma: the evaluator's rule does not cover these arguments"}),
    rowName);

const std::string square = "%s = aten::slice.Tensor(self=%x, dim=1, end=2) ";
const std::string singular = "%a = aten::select.int(self=%x, dim=0, index=1) %s = aten::outer(self=%a, vec2=%a) ";

INSTANTIATE_TEST_SUITE_P(
    Decompositions, Evaluate,
    ::testing::Values(Row{"singularValues", "%r = aten::linalg_svdvals(A=%x)", "float32[2] 3.93964 1.86526"},
                      Row{"eigenvaluesOfTheLowerTriangle", square + "%r = aten::linalg_eigvalsh(self=%s)",
                          "float32[2] -2.23607 2.23607"},
                      Row{"eigenvaluesOfTheUpperTriangle", square + "%r = aten::linalg_eigvalsh(self=%s, UPLO=\"U\")",
                          "float32[2] -2.23607 2.23607"},
                      Row{"orthogonalFactor", square + "%r, %u = aten::linalg_qr(A=%s)",
                          "float32[2, 2] -0.894427 0.447214 0.447214 0.894427"},
                      Row{"triangularFactor", square + "%q, %r = aten::linalg_qr(A=%s, mode=\"r\")",
                          "float32[2, 2] 2.23607 1.78885 0 1.34164"},
                      Row{"nearlyDependentColumns", singular + "%r, %u = aten::linalg_qr(A=%s)",
                          "no value for aten::linalg_qr: the evaluator's rule does not cover these arguments"},
                      Row{"exponential", square + "%r = aten::linalg_matrix_exp(self=%s)",
                          "float32[2, 2] -0.246596 -1.58059 1.58059 6.07575"},
                      Row{"pseudoInverse", "%r = aten::linalg_pinv.atol_rtol_float(self=%x)",
                          "float32[3, 2] -0.444444 -0.0555556 -0.111111 0.111111 0.222222 0.277778"},
                      Row{"rank", singular + "%r = aten::linalg_matrix_rank.atol_rtol_float(self=%s)", "int64[] 1"},
                      Row{"rankThatRoundingDecides", singular + "%r = aten::linalg_matrix_rank(self=%s, tol=0.0)",
                          "no value for aten::linalg_matrix_rank: the evaluator's rule does not cover these arguments"},
                      Row{"vectorsWhoseSignsAreFree", "%u, %r, %v = aten::linalg_svd(A=%x)",
                          "no value for aten::linalg_svd: the evaluator has no rule for the operator"}),
    rowName);

// ---- matrices of all kinds

const std::string nine = "%n = aten::arange(end=9, dtype=float32) %s = aten::view(self=%n, size=[3, 3]) "; // of rank 2
const std::string flat = "%s = aten::zeros(size=[0, 3]) ";
const std::string nothing = "%s = aten::zeros(size=[0, 0]) ";
const std::string pair = "%n = aten::arange(end=8, dtype=float32) %s = aten::view(self=%n, size=[2, 2, 2]) ";
const std::string one = "%s = aten::full(size=[1, 1], fill_value=-3.0, dtype=float32) ";
const std::string large =
    "%o = aten::ones(size=[64, 64]) %e = aten::eye(n=64) %s = aten::add.Tensor(self=%o, other=%e, alpha=64) ";
const std::string tall = "%s = aten::t(self=%x) ";
const std::string infinite = "%z = aten::zeros(size=[1, 1]) %s = aten::reciprocal(self=%z) ";

INSTANTIATE_TEST_SUITE_P(
    RankDeficient, Evaluate,
    ::testing::Values(
        Row{"rank", nine + "%r = aten::linalg_matrix_rank(self=%s)", "int64[] 2"},
        Row{"pseudoInverse", nine + "%r = aten::linalg_pinv(self=%s)",
            "float32[3, 3] -0.555556 -0.166667 0.222222 -0.0555556 0 0.0555556 0.444444 0.166667 -0.111111"},
        Row{"determinant", nine + "%r = aten::linalg_det(A=%s)", "float32[] 0"},
        Row{"inverse", nine + "%r = aten::linalg_inv(A=%s)",
            "no value for aten::linalg_inv: the evaluator's rule does not cover these arguments"},
        Row{"solution", nine + "%r = aten::linalg_solve(A=%s, B=%s)",
            "no value for aten::linalg_solve: the evaluator's rule does not cover these arguments"},
        Row{"logarithmOfTheDeterminant", nine + "%r = aten::logdet(self=%s)",
            "no value for aten::logdet: the evaluator's rule does not cover these arguments"},
        Row{"cholesky", singular + "%r = aten::linalg_cholesky(self=%s)",
            "no value for aten::linalg_cholesky: the evaluator's rule does not cover these arguments"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    WithoutElements, Evaluate,
    ::testing::Values(Row{"singularValues", flat + "%r = aten::linalg_svdvals(A=%s)", "float32[0]"},
                      Row{"pseudoInverse", flat + "%r = aten::linalg_pinv(self=%s)", "float32[3, 0]"},
                      Row{"rank", flat + "%r = aten::linalg_matrix_rank(self=%s)", "int64[] 0"},
                      Row{"triangularFactor", flat + "%q, %r = aten::linalg_qr(A=%s)", "float32[0, 3]"},
                      Row{"completeOrthogonalFactor",
                          flat + "%f = aten::t(self=%s) %r, %q = aten::linalg_qr(A=%f, mode=\"complete\")",
                          "float32[3, 3] 1 0 0 0 1 0 0 0 1"},
                      Row{"determinant", nothing + "%r = aten::linalg_det(A=%s)", "float32[] 1"},
                      Row{"logarithmOfTheDeterminant", nothing + "%r = aten::logdet(self=%s)", "float32[] 0"},
                      Row{"inverse", nothing + "%r = aten::linalg_inv(A=%s)", "float32[0, 0]"},
                      Row{"solution", nothing + "%r = aten::linalg_solve(A=%s, B=%s)", "float32[0, 0]"},
                      Row{"cholesky", nothing + "%r = aten::linalg_cholesky(self=%s)", "float32[0, 0]"},
                      Row{"eigenvalues", nothing + "%r = aten::linalg_eigvalsh(self=%s)", "float32[0]"},
                      Row{"exponential", nothing + "%r = aten::linalg_matrix_exp(self=%s)", "float32[0, 0]"},
                      Row{"moreMatricesThanCanBeCounted",
                          "%s = aten::zeros(size=[1099511627776, 1099511627776, 0, 0]) %r = aten::linalg_inv(A=%s)",
                          "no value for aten::linalg_inv: the evaluator's rule does not cover these arguments"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    SeveralMatrices, Evaluate,
    ::testing::Values(
        Row{"determinants", pair + "%r = aten::linalg_det(A=%s)", "float32[2] -2 -2"},
        Row{"logarithmsOfDeterminants", pair + "%a, %r = aten::linalg_slogdet(A=%s)", "float32[2] 0.693147 0.693147"},
        Row{"signsOfDeterminants", pair + "%r, %a = aten::linalg_slogdet(A=%s)", "float32[2] -1 -1"},
        Row{"logarithmsOfNegativeDeterminants", pair + "%l = aten::logdet(self=%s) %r = aten::isnan(self=%l)",
            "bool[2] 1 1"},
        Row{"inverses", pair + "%r = aten::linalg_inv(A=%s)", "float32[2, 2, 2] -1.5 0.5 1 0 -3.5 2.5 3 -2"},
        Row{"solutions", pair + "%r = aten::linalg_solve(A=%s, B=%s)", "float32[2, 2, 2] 1 0 0 1 1 0 0 1"},
        Row{"singularValues", pair + "%r = aten::linalg_svdvals(A=%s)",
            "float32[2, 2] 3.70246 0.540182 11.2236 0.178197"},
        Row{"pseudoInverses", pair + "%r = aten::linalg_pinv(self=%s)", "float32[2, 2, 2] -1.5 0.5 1 0 -3.5 2.5 3 -2"},
        Row{"ranks", pair + "%r = aten::linalg_matrix_rank(self=%s)", "int64[2] 2 2"},
        Row{"eigenvalues", pair + "%r = aten::linalg_eigvalsh(self=%s)", "float32[2, 2] -1 4 -0.684658 11.6847"},
        Row{"orthogonalFactors", pair + "%r, %q = aten::linalg_qr(A=%s)",
            "float32[2, 2, 2] 0 -1 -1 0 -0.5547 -0.83205 -0.83205 0.5547"},
        Row{"triangularFactors", pair + "%q, %r = aten::linalg_qr(A=%s)",
            "float32[2, 2, 2] -2 -3 0 -1 -7.2111 -8.59785 0 -0.27735"},
        Row{"exponentials", pair + "%r = aten::linalg_matrix_exp(self=%s)",
            "float32[2, 2, 2] 5.2892 8.40326 16.8065 30.499 26346 31521.6 37825.9 45259"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    OneElement, Evaluate,
    ::testing::Values(Row{"determinant", one + "%r = aten::linalg_det(A=%s)", "float32[] -3"},
                      Row{"signOfTheDeterminant", one + "%r, %a = aten::linalg_slogdet(A=%s)", "float32[] -1"},
                      Row{"inverse", one + "%r = aten::linalg_inv(A=%s)", "float32[1, 1] -0.333333"},
                      Row{"singularValue", one + "%r = aten::linalg_svdvals(A=%s)", "float32[1] 3"},
                      Row{"pseudoInverse", one + "%r = aten::linalg_pinv(self=%s)", "float32[1, 1] -0.333333"},
                      Row{"eigenvalue", one + "%r = aten::linalg_eigvalsh(self=%s)", "float32[1] -3"},
                      Row{"orthogonalFactor", one + "%r, %q = aten::linalg_qr(A=%s)", "float32[1, 1] 1"},
                      Row{"triangularFactor", one + "%q, %r = aten::linalg_qr(A=%s)", "float32[1, 1] -3"},
                      Row{"exponential", one + "%r = aten::linalg_matrix_exp(self=%s)", "float32[1, 1] 0.0497871"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    SixtyFourRows, Evaluate,
    ::testing::Values(
        Row{"logarithmOfTheDeterminant", large + "%r = aten::logdet(self=%s)", "float32[] 266.862"},
        Row{"inverse", large + "%a = aten::linalg_inv(A=%s) %r = aten::sum(self=%a)", "float32[] 0.5"},
        Row{"solution", large + "%a = aten::linalg_solve(A=%s, B=%o) %r = aten::sum(self=%a)", "float32[] 32"},
        Row{"cholesky", large + "%a = aten::linalg_cholesky(self=%s) %r = aten::sum(self=%a)", "float32[] 709.787"},
        Row{"singularValues", large + "%a = aten::linalg_svdvals(A=%s) %r = aten::sum(self=%a)", "float32[] 4160"},
        Row{"rank", large + "%r = aten::linalg_matrix_rank(self=%s)", "int64[] 64"},
        Row{"pseudoInverse", large + "%a = aten::linalg_pinv(self=%s) %r = aten::sum(self=%a)", "float32[] 0.5"},
        Row{"eigenvalues", large + "%a = aten::linalg_eigvalsh(self=%s) %r = aten::sum(self=%a)", "float32[] 4160"},
        Row{"triangularFactor", large + "%q, %a = aten::linalg_qr(A=%s) %r = aten::sum(self=%a)", "float32[] -7442.49"},
        Row{"bothFactors",
            large
                + "%q, %u = aten::linalg_qr(A=%s) %p = aten::matmul(self=%q, other=%u) %r = "
                  "aten::sum(self=%p)",
            "float32[] 8192"},
        Row{"exponential",
            large
                + "%h = aten::div.Scalar(self=%s, other=64.0) %a = aten::linalg_matrix_exp(self=%h) %r = "
                  "aten::sum(self=%a)",
            "float32[] 472.9"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    WideAndTall, Evaluate,
    ::testing::Values(
        Row{"triangularFactorOfAWideOne", "%q, %r = aten::linalg_qr(A=%x)",
            "float32[2, 3] 2.23607 1.78885 1.34164 0 1.34164 2.68328"},
        Row{"orthogonalFactorOfATallOne", tall + "%r, %q = aten::linalg_qr(A=%s)",
            "float32[3, 2] -0.894427 0.182574 -0.447214 -0.365148 0 -0.912871"},
        Row{"completeFactorOfATallOne", tall + "%r, %q = aten::linalg_qr(A=%s, mode=\"complete\")",
            "float32[3, 3] -0.894427 0.182574 0.408248 -0.447214 -0.365148 -0.816497 0 -0.912871 0.408248"},
        Row{"triangularFactorOfATallOne", tall + "%q, %r = aten::linalg_qr(A=%s, mode=\"complete\")",
            "float32[3, 2] 2.23607 -1.78885 0 -3.28634 0 0"},
        Row{"singularValuesOfATallOne", tall + "%r = aten::linalg_svdvals(A=%s)", "float32[2] 3.93964 1.86526"},
        Row{"pseudoInverseOfATallOne", tall + "%r = aten::linalg_pinv(self=%s)",
            "float32[2, 3] -0.444444 -0.111111 0.222222 -0.0555556 0.111111 0.277778"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    SignsOfFactors, Evaluate,
    ::testing::Values(
        Row{"zeroThatIsGiven", "%e = aten::eye(n=2) %s = aten::flip(self=%e, dims=[0]) %q, %r = aten::linalg_qr(A=%s)",
            "float32[2, 2] -1 0 0 -1"},
        Row{"negativeZeroThatIsGiven",
            "%e = aten::eye(n=2) %f = aten::flip(self=%e, dims=[0]) %s = aten::neg(self=%f) %q, %r = "
            "aten::linalg_qr(A=%s)",
            "no value for aten::linalg_qr: the evaluator's rule does not cover these arguments"},
        Row{"zeroThatIsLeft",
            "%e = aten::eye(n=3) %s = aten::roll(self=%e, shifts=[1], dims=[1]) %q, %r = aten::linalg_qr(A=%s)",
            "no value for aten::linalg_qr: the evaluator's rule does not cover these arguments"},
        Row{"columnsThatNeedNoTurning", "%s = aten::eye(n=3) %q, %r = aten::linalg_qr(A=%s)",
            "float32[3, 3] 1 0 0 0 1 0 0 0 1"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    InfiniteElements, Evaluate,
    ::testing::Values(Row{"determinant", infinite + "%r = aten::linalg_det(A=%s)",
                          "no value for aten::linalg_det: the evaluator's rule does not cover these arguments"},
                      Row{"inverse", infinite + "%r = aten::linalg_inv(A=%s)",
                          "no value for aten::linalg_inv: the evaluator's rule does not cover these arguments"},
                      Row{"cholesky", infinite + "%r = aten::linalg_cholesky(self=%s)",
                          "no value for aten::linalg_cholesky: the evaluator's rule does not cover these arguments"},
                      Row{"singularValues", infinite + "%r = aten::linalg_svdvals(A=%s)",
                          "no value for aten::linalg_svdvals: the evaluator's rule does not cover these arguments"},
                      Row{"eigenvalues", infinite + "%r = aten::linalg_eigvalsh(self=%s)",
                          "no value for aten::linalg_eigvalsh: the evaluator's rule does not cover these arguments"},
                      Row{"pseudoInverse", infinite + "%r = aten::linalg_pinv(self=%s)",
                          "no value for aten::linalg_pinv: the evaluator's rule does not cover these arguments"},
                      Row{"rank", infinite + "%r = aten::linalg_matrix_rank(self=%s)",
                          "no value for aten::linalg_matrix_rank: the evaluator's rule does not cover these arguments"},
                      Row{"exponential", infinite + "%r = aten::linalg_matrix_exp(self=%s)",
                          "no value for aten::linalg_matrix_exp: the evaluator's rule does not cover these arguments"},
                      Row{"factors", infinite + "%q, %r = aten::linalg_qr(A=%s)",
                          "no value for aten::linalg_qr: the evaluator's rule does not cover these arguments"}),
    rowName);

} // namespace cutaway::evaluate
