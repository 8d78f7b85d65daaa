// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX has complex numbers as a last dimension of two.
#include "core/passes/lowerings/onnx_node.h"

#include <array>

namespace cutaway::passes {

namespace {

using N = OnnxNode;

/// A real or complex signal, whose last dimension is 1 or 2, without that dimension.
std::optional<Term> signalOf(N &n)
{
    const auto x = n.tensor(0);
    const auto parts = x && x->rank() > 1 ? ops::number(x->shape.back()) : std::nullopt;
    if (parts == 1)
        return n.d.make("squeeze.dim", {n.input(0), -1});
    return parts == 2 ? std::optional(n.d.make("view_as_complex", {n.input(0)})) : std::nullopt;
}

bool isReal(const N &n)
{
    const auto x = n.tensor(0);
    return x && ops::number(x->shape.back()) == 1;
}

/// Before operator set 20 the axis is an attribute.
Parts fourier(N &n)
{
    const auto x = n.tensor(0);
    const auto given = n.opset() < 20 ? std::optional(N::Numbers{n.integer("axis", 1)})
        : n.has(2)                    ? n.elements(2)
                                      : std::optional(N::Numbers{-2});
    const auto axis = given && given->size() == 1 ? n.dimension(given->front()) : std::nullopt;
    const auto length = n.has(1) ? n.elements(1) : std::optional(N::Numbers{});
    const auto signal = signalOf(n);
    if (!x || !axis || !length || !signal || *axis + 1 == x->rank())
        return n.refuse("its axis, its length or the size of its last dimension is not known");
    const bool isInverse = n.integer("inverse", 0) != 0, isOneSided = n.integer("onesided", 0) != 0;
    if (isOneSided && (isInverse || !isReal(n)))
        return n.refuse("one side is of what is real, and forwards");
    const ir::Operand count = length->empty() ? ir::Operand() : ir::Operand(length->front());
    const Term made = n.d.make(isInverse        ? "fft_ifft"
                                   : isOneSided ? "fft_rfft"
                                                : "fft_fft",
                               {*signal, count, static_cast<std::int64_t>(*axis)});
    return {n.d.make("view_as_real", {made})};
}

/// (signal, step, window, length): frames of the signal, each times the window.
Parts shortTimeFourier(N &n)
{
    const auto step = n.elements(1), given = n.has(3) ? n.elements(3) : std::optional(N::Numbers{});
    const auto window = n.tensor(2);
    auto length = given && given->size() == 1 ? std::optional(given->front()) : std::nullopt;
    if (!length && window && window->rank() == 1)
        length = ops::number(window->shape[0]);
    const auto signal = signalOf(n);
    if (!step || step->size() != 1 || !length || !signal)
        return n.refuse("its step, its length or the size of its last dimension is not known");
    const bool isOneSided = n.integer("onesided", 1) != 0 && isReal(n);
    Term frames = n.d.make("unfold", {*signal, 1, *length, step->front()});
    if (n.has(2))
        frames = frames * n.input(2);
    return {n.d.make("view_as_real", {n.d.make(isOneSided ? "fft_rfft" : "fft_fft", {frames})})};
}

/// a0 - a1·cos(2πk / N) + a2·cos(4πk / N), where N is the length or, of a symmetric one, one less.
Parts cosineWindow(N &n, double a0, double a1, double a2)
{
    const auto length = n.wholeNumber(0);
    const auto y = n.result();
    if (!length || *length < 1 || !y || !ir::isFloating(y->dtype))
        return n.refuse("its length is not known, or it is of no floats");
    constexpr double circle = 6.283185307179586;
    const double steps =
        static_cast<double>(n.integer("periodic", 1) != 0 ? *length : std::max<std::int64_t>(*length - 1, 1));
    const Term angles = n.d.cast(n.d.arange(*length), ir::DType::Float64) * (circle / steps);
    Term made = a0 - applied("cos", angles) * a1;
    if (a2 != 0)
        made = made + applied("cos", angles * 2) * a2;
    return {n.d.cast(made, y->dtype)};
}

Parts hann(N &n) { return cosineWindow(n, 0.5, 0.5, 0); }

Parts hamming(N &n) { return cosineWindow(n, 25.0 / 46, 21.0 / 46, 0); }

Parts blackman(N &n) { return cosineWindow(n, 0.42, 0.5, 0.08); }

constexpr std::array signalLoweringRows{
    OnnxLowering{"onnx::BlackmanWindow", blackman}, OnnxLowering{"onnx::DFT", fourier},
    OnnxLowering{"onnx::HammingWindow", hamming},   OnnxLowering{"onnx::HannWindow", hann},
    OnnxLowering{"onnx::STFT", shortTimeFourier},
};

} // namespace

std::span<const OnnxLowering> signalLowerings() { return signalLoweringRows; }

} // namespace cutaway::passes
