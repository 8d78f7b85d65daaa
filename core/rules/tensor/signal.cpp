// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <algorithm>
#include <numeric>

// Fourier transforms become ATen's transforms from complex to complex, from real to complex and back. These are no core
// operators, but PyTorch cannot compose them of others.

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

/// Returns the scaling of a Fourier transform: fft_norm_mode of ATen.
std::int64_t scaling(D &d, bool isForward)
{
    const std::string_view norm = d.text("norm");
    if (norm == "ortho")
        return 1;
    if (norm.empty() || norm == "backward")
        return isForward ? 0 : 2;
    if (norm != "forward")
        d.refuse("how it scales is not known");
    return isForward ? 2 : 0;
}

/// The dimensions that a call transforms, each once, and the sizes to which they are cut or padded first; -1: they keep
/// their size.
struct TransformedDims {
    std::vector<std::int64_t> dims, sizes;
};

TransformedDims transformedDims(D &d)
{
    const std::size_t rank = d.tensor("self").rank();
    const std::string_view lengths = d.has("n") ? "n" : "s";
    TransformedDims all;
    if (d.has(lengths))
        all.sizes = d.integers(lengths);
    if (d.has("dim")) {
        for (const std::int64_t given : d.integers("dim"))
            all.dims.push_back(
                static_cast<std::int64_t>(d.known(ops::dimension(given, rank), "a dimension that it transforms is")));
    } else {
        all.dims.resize(d.has(lengths) ? std::min(all.sizes.size(), rank) : rank);
        std::iota(all.dims.begin(), all.dims.end(), static_cast<std::int64_t>(rank - all.dims.size()));
    }
    if (!d.has(lengths))
        all.sizes.assign(all.dims.size(), -1);
    std::vector<std::int64_t> sorted = all.dims;
    std::ranges::sort(sorted);
    if (sorted.empty() || std::ranges::adjacent_find(sorted) != sorted.end() || all.sizes.size() != all.dims.size())
        d.refuse("it transforms no dimension, or one twice");
    return all;
}

/// Cuts a dimension to its first elements, or appends zeros to it.
Term madeAsLong(const Term &x, std::int64_t dim, std::int64_t size)
{
    AtenMaker &d = *x.made;
    const auto known = d.tensor(x);
    if (size == -1 || d.isRefused())
        return x;
    const auto own = d.known(ops::number(known.shape[static_cast<std::size_t>(dim)]), "the size that it transforms is");
    if (size < 1)
        d.refuse("it makes a dimension empty");
    if (size <= own)
        return size == own ? x : slice(x, static_cast<std::size_t>(dim), std::int64_t{0}, size);
    D::Numbers padding(2 * (known.rank() - static_cast<std::size_t>(dim)), 0);
    padding.back() = size - own;
    return d.make("constant_pad_nd", {x, D::list(padding)});
}

Term madeAsLong(Term x, const TransformedDims &to)
{
    for (std::size_t i = 0; i < to.dims.size() && i < to.sizes.size(); ++i)
        x = madeAsLong(x, to.dims[i], to.sizes[i]);
    return x;
}

/// Converts to the complex dtype of the same precision. Halves and integers are refused.
Term inComplex(const Term &x)
{
    const ir::DType dtype = x.made->dtype(x);
    if (ir::isComplex(dtype))
        return x;
    if (dtype != ir::DType::Float32 && dtype != ir::DType::Float64)
        x.made->refuse("it transforms halves or whole numbers");
    return cast(x, dtype == ir::DType::Float64 ? ir::DType::Complex128 : ir::DType::Complex64);
}

template <bool isForward>
Parts complexTransform(D &d)
{
    const TransformedDims to = transformedDims(d);
    const Term x = madeAsLong(inComplex(d["self"]), to);
    return {d.make("_fft_c2c", {x, D::list(to.dims), scaling(d, isForward), isForward})};
}

/// Transforms real numbers. Returns half of the frequencies of the last dimension: the other half are their conjugates.
Parts realTransform(D &d)
{
    if (!ir::isFloating(d.dtype("self")))
        d.refuse("it transforms whole numbers");
    const TransformedDims to = transformedDims(d);
    return {d.make("_fft_r2c", {madeAsLong(d["self"], to), D::list(to.dims), scaling(d, true), true})};
}

/// Transforms half of the last dimension's frequencies back.
Parts inverseOfReal(D &d)
{
    TransformedDims to = transformedDims(d);
    const auto result = d.result();
    if (d.isRefused() || result.rank() != d.tensor("self").rank())
        return d.refuse("its result has other dimensions");
    const std::int64_t length =
        d.known(ops::number(result.shape[static_cast<std::size_t>(to.dims.back())]), "the size of its result is");
    to.sizes.back() = length / 2 + 1;
    const Term x = madeAsLong(inComplex(d["self"]), to);
    return {d.make("_fft_c2r", {x, D::list(to.dims), scaling(d, false), length})};
}

/// Exchanges the halves of each dimension.
template <bool isBack>
Parts shiftedToMiddle(D &d)
{
    const auto known = d.tensor("self");
    const TransformedDims to = transformedDims(d);
    if (d.isRefused())
        return {};
    D::Numbers shifts;
    for (const std::int64_t dim : to.dims) {
        const auto size =
            d.known(ops::number(known.shape[static_cast<std::size_t>(dim)]), "the size of a dimension is");
        shifts.push_back(isBack ? (size + 1) / 2 : size / 2);
    }
    return {d.make("roll", {d["self"], D::list(shifts), D::list(to.dims)})};
}

/// Returns the window, padded to the length of the pieces; None if there is no window and pieces keep all of their
/// elements.
Term windowOver(D &d, std::int64_t length)
{
    Term window = d["window"];
    const std::int64_t own = d.integer("win_length", length);
    if (own < 1 || own > length || (!window.isNone() && !d.isTensor(window)))
        d.refuse("its window is longer than a piece, or not known");
    if (own == length || d.isRefused())
        return window;
    const Term made = window.isNone() ? d.full({own}, 1.0, d.dtype("self")) : window;
    const std::int64_t before = (length - own) / 2;
    return d.make("constant_pad_nd", {made, D::list({before, length - own - before})});
}

/// Transforms overlapping pieces: [batch, samples] becomes [batch, frequencies, pieces].
Parts shortTimeTransform(D &d)
{
    const auto known = d.tensor("self");
    const std::int64_t length = d.integer("n_fft"), hop = d.integer("hop_length", length / 4);
    if (d.has("center") || d.has("align_to_window"))
        return d.refuse("it pads the signal first");
    if (length < 1 || hop < 1 || known.rank() < 1 || known.rank() > 2 || !ir::isFloating(known.dtype))
        return d.refuse("it is no real signal, or its pieces make no sense");
    const Term window = windowOver(d, length);
    Term pieces = d.make("unfold", {d["self"], -1, length, hop});
    if (!window.isNone())
        pieces = pieces * window;
    const bool isHalf = !d.has("onesided") || d.flag("onesided");
    const Term made =
        d.make("_fft_r2c", {pieces, D::list({std::ssize(known.shape)}), std::int64_t{d.flag("normalized")}, isHalf});
    const Term spectrum = transposed(made, known.rank() - 1, known.rank());
    return {d.flag("return_complex") ? spectrum : d.make("view_as_real", {spectrum})};
}

constexpr DecompositionRule signalDecompositions[] = {
    {"aten::fft_fft", complexTransform<true>},    {"aten::fft_fft2", complexTransform<true>},
    {"aten::fft_fftn", complexTransform<true>},   {"aten::fft_fftshift", shiftedToMiddle<false>},
    {"aten::fft_ifft", complexTransform<false>},  {"aten::fft_ifft2", complexTransform<false>},
    {"aten::fft_ifftn", complexTransform<false>}, {"aten::fft_ifftshift", shiftedToMiddle<true>},
    {"aten::fft_irfft", inverseOfReal},           {"aten::fft_irfft2", inverseOfReal},
    {"aten::fft_irfftn", inverseOfReal},          {"aten::fft_rfft", realTransform},
    {"aten::fft_rfft2", realTransform},           {"aten::fft_rfftn", realTransform},
    {"aten::stft", shortTimeTransform},
};

// ---- from ONNX
//
// In ONNX complex numbers are a last dimension of size two.

using N = OnnxNode;

/// Returns a real or complex signal without its last dimension, if that has a size of 1 (real) or 2 (complex); nothing
/// for other tensors.
std::optional<Term> signalOf(N &n)
{
    const auto x = n.knownTensor(0);
    const auto parts = x && x->rank() > 1 ? ops::number(x->shape.back()) : std::nullopt;
    if (parts == 1)
        return n.make("squeeze.dim", {n[0], -1});
    return parts == 2 ? std::optional(n.make("view_as_complex", {n[0]})) : std::nullopt;
}

bool isReal(N &n)
{
    const auto x = n.knownTensor(0);
    return x && ops::number(x->shape.back()) == 1;
}

/// Makes a Fourier transform; before operator set 20 its axis is an attribute.
Parts fourier(N &n)
{
    const auto given = n.opset() < 20 ? n.integer("axis", 1)
        : n.has(2)                    ? n.known(n.call().integer(2), "its axis is")
                                      : -2;
    const auto x = n.tensor(0);
    const auto axis = ops::dimension(given, x.rank());
    const auto signal = signalOf(n);
    if (!axis || !signal || *axis + 1 == x.rank())
        return n.refuse("its axis, its length or the size of its last dimension is not known");
    const bool isInverse = n.integer("inverse", 0) != 0, isOneSided = n.integer("onesided", 0) != 0;
    if (isOneSided && (isInverse || !isReal(n)))
        return n.refuse("one side is of what is real, and forwards");
    const ir::Operand count = n.has(1) ? ir::Operand(n.known(n.call().integer(1), "its length is")) : ir::Operand();
    const AtenName target = isInverse ? AtenName("fft_ifft") : isOneSided ? AtenName("fft_rfft") : AtenName("fft_fft");
    return {n.make("view_as_real", {n.make(target, {*signal, count, static_cast<std::int64_t>(*axis)})})};
}

/// Takes (signal, step, window, length), and transforms frames of the signal, each multiplied by the window.
Parts shortTimeFourier(N &n)
{
    const ir::Shape *window = n.call().shape(2);
    const auto ofWindow = window && window->size() == 1 ? ops::number(window->front()) : std::nullopt;
    const std::int64_t step = n.known(n.call().integer(1), "its step is");
    const std::int64_t length =
        n.has(3) ? n.known(n.call().integer(3), "its length is") : n.known(ofWindow, "its length is");
    const auto signal = signalOf(n);
    if (!signal)
        return n.refuse("the size of its last dimension is not known");
    const bool isOneSided = n.integer("onesided", 1) != 0 && isReal(n);
    Term frames = n.make("unfold", {*signal, 1, length, step});
    if (n.has(2))
        frames = frames * n[2];
    return {n.make("view_as_real", {n.make(isOneSided ? AtenName("fft_rfft") : AtenName("fft_fft"), {frames})})};
}

/// Computes a0 - a1·cos(2πk / N) + a2·cos(4πk / N), where N is the length; for a symmetric window, it is one less.
Parts cosineWindow(N &n, double a0, double a1, double a2)
{
    const auto length = n.constantInteger(0);
    const ir::DType dtype = n.declaredDType();
    if (!length || *length < 1 || !ir::isFloating(dtype))
        return n.refuse("its length is not known, or it is of no floats");
    constexpr double circle = 6.283185307179586;
    const double steps =
        static_cast<double>(n.integer("periodic", 1) != 0 ? *length : std::max<std::int64_t>(*length - 1, 1));
    const Term angles = cast(n.arange(*length), ir::DType::Float64) * (circle / steps);
    Term made = a0 - applied("cos", angles) * a1;
    if (a2 != 0)
        made = made + applied("cos", angles * 2) * a2;
    return {cast(made, dtype)};
}

Parts hann(N &n) { return cosineWindow(n, 0.5, 0.5, 0); }

Parts hamming(N &n) { return cosineWindow(n, 25.0 / 46, 21.0 / 46, 0); }

Parts blackman(N &n) { return cosineWindow(n, 0.42, 0.5, 0.08); }

constexpr OnnxLowering signalLowerings[] = {
    {"onnx::BlackmanWindow", blackman},     OnnxLowering{"onnx::DFT", fourier}, {"onnx::HammingWindow", hamming},
    OnnxLowering{"onnx::HannWindow", hann}, {"onnx::STFT", shortTimeFourier},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family signal() { return {.decompositions = to_aten::signalDecompositions, .fromOnnx = to_aten::signalLowerings}; }

} // namespace cutaway::rules
