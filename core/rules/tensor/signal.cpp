// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <numeric>

// Fourier transforms are those of ATen that go from complex to complex, from real to complex and back. These are no
// core operators, but PyTorch has nothing that they are made of.

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

/// How a Fourier transform is scaled: fft_norm_mode of ATen.
std::optional<std::int64_t> scaling(D &d, bool isForward)
{
    const std::string_view norm = d.text("norm");
    if (norm == "ortho")
        return 1;
    if (norm.empty() || norm == "backward")
        return isForward ? 0 : 2;
    return norm == "forward" ? std::optional<std::int64_t>(isForward ? 2 : 0) : std::nullopt;
}

/// The dimensions that a call transforms, each once, and the sizes that it makes them before (-1: as they are).
struct TransformedDims {
    std::vector<std::int64_t> dims, sizes;
};

std::optional<TransformedDims> transformedDims(D &d, std::size_t rank)
{
    const std::string_view lengths = d.has("n") ? "n" : "s";
    TransformedDims all;
    if (d.has(lengths)) {
        const auto sizes = d.integers(lengths);
        if (!sizes)
            return std::nullopt;
        all.sizes = *sizes;
    }
    if (d.has("dim")) {
        const auto dims = d.integers("dim");
        for (const std::int64_t given : dims.value_or(std::vector<std::int64_t>{}))
            if (const auto dim = ops::dimension(given, rank))
                all.dims.push_back(static_cast<std::int64_t>(*dim));
        if (!dims || all.dims.size() != dims->size())
            return std::nullopt;
    } else {
        all.dims.resize(d.has(lengths) ? std::min(all.sizes.size(), rank) : rank);
        std::iota(all.dims.begin(), all.dims.end(), static_cast<std::int64_t>(rank - all.dims.size()));
    }
    if (!d.has(lengths))
        all.sizes.assign(all.dims.size(), -1);
    std::vector<std::int64_t> sorted = all.dims;
    std::ranges::sort(sorted);
    const bool isOnce = std::ranges::adjacent_find(sorted) == sorted.end();
    return isOnce && !sorted.empty() && all.sizes.size() == all.dims.size() ? std::optional(all) : std::nullopt;
}

/// The first elements of a dimension, or all of them and zeros after them.
std::optional<Term> madeAsLong(const Term &x, std::int64_t dim, std::int64_t size)
{
    AtenMaker &d = *x.made;
    const auto known = d.tensor(x);
    const auto own = known ? ops::number(known->shape[static_cast<std::size_t>(dim)]) : std::nullopt;
    if (size == -1)
        return x;
    if (!own || size < 1)
        return std::nullopt;
    if (size <= *own)
        return size == *own ? x : d.slice(x, static_cast<std::size_t>(dim), std::int64_t{0}, size);
    std::vector<std::int64_t> padding(2 * (known->rank() - static_cast<std::size_t>(dim)), 0);
    padding.back() = size - *own;
    return d.make("constant_pad_nd", {x, D::list(padding)});
}

std::optional<Term> madeAsLong(Term x, const TransformedDims &to)
{
    for (std::size_t i = 0; i < to.dims.size(); ++i) {
        const auto made = madeAsLong(x, to.dims[i], to.sizes[i]);
        if (!made)
            return std::nullopt;
        x = *made;
    }
    return x;
}

/// In the complex dtype as wide as it is. Halves and whole numbers are not followed.
std::optional<Term> inComplex(const Term &x)
{
    const ir::DType dtype = x.made->dtype(x);
    if (ir::isComplex(dtype))
        return x;
    if (dtype != ir::DType::Float32 && dtype != ir::DType::Float64)
        return std::nullopt;
    return x.made->cast(x, dtype == ir::DType::Float64 ? ir::DType::Complex128 : ir::DType::Complex64);
}

template <bool isForward>
Parts complexTransform(D &d)
{
    const auto known = d.tensor(d["self"]);
    const auto to = known ? transformedDims(d, known->rank()) : std::nullopt;
    const auto scale = scaling(d, isForward);
    const auto x = to && scale ? inComplex(d["self"]) : std::nullopt;
    const auto made = x ? madeAsLong(*x, *to) : std::nullopt;
    return made ? Parts{d.make("_fft_c2c", {*made, D::list(to->dims), *scale, isForward})} : Parts{};
}

/// Half of the last dimension's frequencies, as the others are theirs turned around.
Parts realTransform(D &d)
{
    const auto known = d.tensor(d["self"]);
    const auto to = known && ir::isFloating(known->dtype) ? transformedDims(d, known->rank()) : std::nullopt;
    const auto scale = scaling(d, true);
    const auto made = to && scale ? madeAsLong(d["self"], *to) : std::nullopt;
    return made ? Parts{d.make("_fft_r2c", {*made, D::list(to->dims), *scale, true})} : Parts{};
}

/// From half of the last dimension's frequencies.
Parts inverseOfReal(D &d)
{
    const auto known = d.tensor(d["self"]), result = d.result();
    auto to = known && result ? transformedDims(d, known->rank()) : std::nullopt;
    const auto scale = scaling(d, false);
    if (!to || !scale)
        return {};
    const auto length = ops::number(result->shape[static_cast<std::size_t>(to->dims.back())]);
    const auto x = length ? inComplex(d["self"]) : std::nullopt;
    if (!x || *length < 1)
        return {};
    to->sizes.back() = *length / 2 + 1;
    const auto made = madeAsLong(*x, *to);
    return made ? Parts{d.make("_fft_c2r", {*made, D::list(to->dims), *scale, *length})} : Parts{};
}

/// The halves of each dimension change places.
template <bool isBack>
Parts shiftedToMiddle(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto to = known ? transformedDims(d, known->rank()) : std::nullopt;
    std::vector<std::int64_t> shifts;
    for (const std::int64_t dim : to ? to->dims : std::vector<std::int64_t>{}) {
        const auto size = ops::number(known->shape[static_cast<std::size_t>(dim)]);
        if (!size)
            return {};
        shifts.push_back(isBack ? (*size + 1) / 2 : *size / 2);
    }
    return to ? Parts{d.make("roll", {x, D::list(shifts), D::list(to->dims)})} : Parts{};
}

/// The window, made as long as the pieces that it is laid over; None: there is none.
std::optional<Term> windowOver(D &d, std::int64_t length)
{
    Term window = d["window"];
    const std::int64_t own = d.has("win_length") ? d.integer("win_length").value_or(-1) : length;
    const auto known = d.tensor(d["self"]);
    if (own < 1 || own > length || (!window.isNone() && !d.isTensor(window)))
        return std::nullopt;
    if (own == length)
        return window;
    const Term made = window.isNone() ? d.full({own}, 1.0, known->dtype) : window;
    const std::int64_t before = (length - own) / 2;
    return d.make("constant_pad_nd", {made, D::list({before, length - own - before})});
}

/// Transforms of overlapping pieces: [batch, samples] becomes [batch, frequencies, pieces].
Parts shortTimeTransform(D &d)
{
    const Term signal = d["self"];
    const auto known = d.tensor(signal), result = d.result();
    const auto length = d.integer("n_fft");
    const auto hop = d.has("hop_length") ? d.integer("hop_length") : length ? std::optional(*length / 4) : std::nullopt;
    const auto isScaled = d.flag("normalized");
    if (!known || !result || !length || *length < 1 || !hop || *hop < 1 || !isScaled || known->rank() < 1
        || known->rank() > 2 || !ir::isFloating(known->dtype) || d.has("center") || d.has("align_to_window"))
        return {};
    const auto window = windowOver(d, *length);
    const auto isHalf = d.has("onesided") ? d.flag("onesided") : std::optional(true);
    const auto staysComplex = d.flag("return_complex");
    if (!window || !isHalf || !staysComplex)
        return {};
    Term pieces = d.make("unfold", {signal, -1, *length, *hop});
    if (!window->isNone())
        pieces = pieces * *window;
    const Term made =
        d.make("_fft_r2c",
               {pieces, D::list({static_cast<std::int64_t>(known->rank())}), std::int64_t{*isScaled ? 1 : 0}, *isHalf});
    const Term spectrum = d.transposed(made, known->rank() - 1, known->rank());
    return {*staysComplex ? spectrum : d.make("view_as_real", {spectrum})};
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

} // namespace

} // namespace cutaway::rules::to_aten

// ONNX has complex numbers as a last dimension of two.

namespace cutaway::rules::to_aten { // from ONNX

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
    const Term made = n.d.make(isInverse        ? AtenName("fft_ifft")
                                   : isOneSided ? AtenName("fft_rfft")
                                                : AtenName("fft_fft"),
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
    return {n.d.make("view_as_real", {n.d.make(isOneSided ? AtenName("fft_rfft") : AtenName("fft_fft"), {frames})})};
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

constexpr OnnxLowering signalLowerings[] = {
    {"onnx::BlackmanWindow", blackman},     OnnxLowering{"onnx::DFT", fourier}, {"onnx::HammingWindow", hamming},
    OnnxLowering{"onnx::HannWindow", hann}, {"onnx::STFT", shortTimeFourier},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family signal() { return {.decompositions = to_aten::signalDecompositions, .fromOnnx = to_aten::signalLowerings}; }

} // namespace cutaway::rules
