// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

#include <algorithm>
#include <numeric>

// Fourier transforms are those of ATen that go from complex to complex, from real to complex and back. These are no
// core operators, but PyTorch has nothing that they are made of.

namespace cutaway::passes {

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
    D &d = *x.made;
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

constexpr DecompositionRule signalRules[] = {
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

std::span<const DecompositionRule> signalDecompositions() { return signalRules; }

} // namespace cutaway::passes
