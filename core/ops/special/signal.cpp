// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include "core/ops/compute/places.h"
#include "core/ops/special/fourier.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cutaway::compute {

namespace {

/// Returns the samples of ONNX's signal, whose last dimension holds a real number, or a real and an imaginary part.
std::optional<Samples> samplesOf(const Array &x)
{
    const bool isSignal = x.shape.size() >= 2 && (x.shape.back() == 1 || x.shape.back() == 2) && !x.isWhole();
    if (!isSignal)
        return std::nullopt;
    const auto floats = x.as<double>();
    if (x.shape.back() == 1)
        return Samples(floats.begin(), floats.end());
    Samples samples;
    for (std::size_t i = 0; i + 1 < floats.size(); i += 2)
        samples.emplace_back(floats[i], floats[i + 1]);
    return samples;
}

bool isComplexSignal(const Array &x) { return x.shape.back() == 2; }

/// The integer that a tensor of one element holds.
std::optional<std::int64_t> onlyWhole(const Array *array)
{
    return array && array->isWhole() && array->count() == 1 ? std::optional(array->as<Whole>().front()) : std::nullopt;
}

std::int64_t halfSpectrum(std::int64_t length) { return length / 2 + 1; }

/// Returns the dimension that onnx::DFT transforms: since opset 20 an input, before an attribute.
std::optional<std::size_t> transformedAxis(const Call &call, const Array &x)
{
    const bool isInput = call.facts().opset() >= 20;
    const auto given = !isInput ? call.integer("", "axis", 1)
        : call.facts().has(2)   ? onlyWhole(call.array(2))
                                : std::optional<std::int64_t>(-2);
    const auto axis = given ? ops::dimension(*given, x.shape.size()) : std::nullopt;
    return axis && *axis + 1 < x.shape.size() ? axis : std::nullopt;
}

/// Returns the length that onnx::DFT truncates or pads the dimension to; its own length if none is given.
std::optional<std::int64_t> transformedLength(const Call &call, std::int64_t dimension)
{
    return call.facts().has(1) ? onlyWhole(call.array(1)) : std::optional(dimension);
}

/// Returns the length of the pieces of onnx::STFT: an input, or the length of the window.
std::optional<std::int64_t> pieceLength(const Call &call)
{
    if (call.facts().has(3))
        return onlyWhole(call.array(3));
    const Array *window = call.array(2);
    return window ? std::optional(static_cast<std::int64_t>(window->count())) : std::nullopt;
}

} // namespace

Answer fourierTransform(const Call &call)
{
    const Array *x = call.array(0);
    const auto samples = x ? samplesOf(*x) : std::nullopt;
    const auto axis = samples ? transformedAxis(call, *x) : std::nullopt;
    const auto length = axis ? transformedLength(call, x->shape[*axis]) : std::nullopt;
    const auto isInverse = call.flag("", "inverse", false), isHalf = call.flag("", "onesided", false);
    if (!areKnown(length, isInverse, isHalf) || *length < 1 || (*isHalf && (*isInverse || isComplexSignal(*x))))
        return std::nullopt;
    const Sizes shape(x->shape.begin(), x->shape.end() - 1);
    Sizes madeShape = shape;
    madeShape[*axis] = *isHalf ? halfSpectrum(*length) : *length;
    const Lanes from = lanesOf(shape, *axis), to = lanesOf(madeShape, *axis);
    if (!canBeTransformed(
            *samples, static_cast<double>(to.count()) * static_cast<double>(to.along) * static_cast<double>(*length)))
        return std::nullopt;
    Samples made(static_cast<std::size_t>(countOf(madeShape)));
    for (std::int64_t lane = 0; lane < to.count(); ++lane) {
        Samples own(static_cast<std::size_t>(*length));
        for (std::int64_t i = 0; i < std::min(*length, from.along); ++i)
            own[static_cast<std::size_t>(i)] = (*samples)[from.place(lane, i)];
        const Samples spectrum = scaled(transformed(own, static_cast<std::size_t>(to.along), *isInverse),
                                        *isInverse ? 1 / static_cast<double>(*length) : 1);
        for (std::int64_t i = 0; i < to.along; ++i)
            made[to.place(lane, i)] = spectrum[static_cast<std::size_t>(i)];
    }
    return answer(asParts(complexArray(std::move(madeShape), made)));
}

/// onnx::STFT(signal, step between pieces, window, length of a piece): returns [batch, piece, frequency, 2].
Answer shortTimeFourierTransform(const Call &call)
{
    const Array *x = call.array(0), *window = call.array(2);
    const auto samples = hasRank(x, 3) ? samplesOf(*x) : std::nullopt;
    const auto step = onlyWhole(call.array(1)), length = pieceLength(call);
    const auto isHalf = call.flag("", "onesided", true);
    if (!areKnown(samples, step, length, isHalf) || call.isUnknown(2) || samples->empty() || *step < 1 || *length < 1
        || *length > x->shape[1] || (*isHalf && isComplexSignal(*x)))
        return std::nullopt;
    const std::vector<double> factors =
        window ? floatsOf(*window) : std::vector<double>(static_cast<std::size_t>(*length), 1.0);
    const std::int64_t pieces = (x->shape[1] - *length) / *step + 1;
    const std::int64_t count = *isHalf ? halfSpectrum(*length) : *length;
    Sizes shape{x->shape[0], pieces, count};
    if (std::ssize(factors) != *length
        || !canBeTransformed(*samples, static_cast<double>(countOf(shape)) * static_cast<double>(*length)))
        return std::nullopt;
    Samples made;
    for (std::int64_t i = 0; i < x->shape[0] * pieces; ++i) {
        const auto start = static_cast<std::size_t>(i / pieces * x->shape[1] + i % pieces * *step);
        Samples piece;
        for (std::size_t k = 0; k < factors.size(); ++k)
            piece.push_back((*samples)[start + k] * factors[k]);
        const Samples spectrum = transformed(piece, static_cast<std::size_t>(count), false);
        made.insert(made.end(), spectrum.begin(), spectrum.end());
    }
    return answer(asParts(complexArray(std::move(shape), made)));
}

// ---- windows

namespace {

/// The coefficients of a window a - b·cos(2πx) + c·cos(4πx).
struct Cosines {
    double a, b, c;
};

std::optional<Cosines> cosinesOf(const Call &call)
{
    const std::string_view name = call.facts().name();
    if (name == "HannWindow" || name == "hann_window")
        return Cosines{0.5, 0.5, 0};
    if (name == "HammingWindow")
        return Cosines{25.0 / 46, 21.0 / 46, 0};
    if (name == "BlackmanWindow" || name == "blackman_window")
        return Cosines{0.42, 0.5, 0.08};
    const auto alpha = call.number("alpha", "", 0.54), beta = call.number("beta", "", 0.46);
    return name == "hamming_window" && alpha && beta ? std::optional(Cosines{*alpha, *beta, 0}) : std::nullopt;
}

} // namespace

Answer window(const Call &call)
{
    const auto shape = call.shape();
    const auto cosines = cosinesOf(call);
    const auto isPeriodic = call.flag("periodic", "periodic", true);
    if (!shape || shape->size() != 1 || !cosines || !isPeriodic)
        return std::nullopt;
    const std::int64_t size = shape->front(), period = *isPeriodic ? size : size - 1;
    if (size == 1 && !call.isOnnx())
        return answer(filled(ir::DType::Float64, *shape, 1.0));
    if (size > 0 && period < 1)
        return std::nullopt;
    std::vector<double> result;
    for (std::int64_t i = 0; i < size; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(period);
        result.push_back(cosines->a - cosines->b * std::cos(angle) + cosines->c * std::cos(2 * angle));
    }
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

namespace {

/// Returns the integer that a tensor of one element holds, if it is at least 1.
std::optional<std::int64_t> positiveAt(const Call &call, std::size_t position)
{
    const auto number = onlyWhole(call.array(position));
    return number && *number >= 1 ? number : std::nullopt;
}

std::optional<double> onlyNumber(const Array *array)
{
    return array && array->count() == 1 ? std::optional(floatsOf(*array).front()) : std::nullopt;
}

/// Returns the bins of a spectrum where mel bands begin, have their middle and end: `count` frequencies from `low` to
/// before `high`, equally spaced in mels. Nothing if one is outside of the spectrum.
std::optional<std::vector<std::int64_t>> melEdges(double low, double high, std::int64_t count, std::int64_t length,
                                                  std::int64_t rate)
{
    const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
    const double first = mel(low), last = mel(high);
    std::vector<std::int64_t> edges;
    for (std::int64_t i = 0; i < count; ++i) {
        const double at = first + static_cast<double>(i) * (last - first) / static_cast<double>(count);
        const double hertz = 700 * (std::pow(10.0, at / 2595) - 1);
        const double bin = std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate));
        if (!(bin >= 0 && bin < static_cast<double>(halfSpectrum(length))))
            return std::nullopt;
        edges.push_back(static_cast<std::int64_t>(bin));
    }
    return edges;
}

} // namespace

/// Returns the weights of triangular bands: each extends from the middle of the one before to the middle of the next.
Answer melWeights(const Call &call)
{
    const auto bands = positiveAt(call, 0), length = positiveAt(call, 1), rate = positiveAt(call, 2);
    const auto low = onlyNumber(call.array(3)), high = onlyNumber(call.array(4));
    const auto shape = call.shape();
    if (!areKnown(bands, length, rate, low, high, shape) || countOf(*shape) != halfSpectrum(*length) * *bands)
        return std::nullopt;
    const auto edges = melEdges(*low, *high, *bands + 2, *length, *rate);
    if (!edges)
        return std::nullopt;
    std::vector<double> result(static_cast<std::size_t>(countOf(*shape)));
    for (std::int64_t band = 0; band < *bands; ++band) {
        const auto i = static_cast<std::size_t>(band);
        const std::int64_t start = (*edges)[i], middle = (*edges)[i + 1], end = (*edges)[i + 2];
        const auto at = [&](std::int64_t bin) -> double & {
            return result[static_cast<std::size_t>(bin * *bands + band)];
        };
        for (std::int64_t bin = start; bin <= middle; ++bin)
            at(bin) = middle == start ? 1 : static_cast<double>(bin - start) / static_cast<double>(middle - start);
        for (std::int64_t bin = middle; bin < end; ++bin)
            at(bin) = static_cast<double>(end - bin) / static_cast<double>(end - middle);
    }
    return answer(*shape, std::move(result));
}

// ---- steps

/// Returns the frequencies 0, 1, … and then the negative ones, each divided by n·d.
Answer frequencies(const Call &call)
{
    const auto shape = call.shape();
    const auto n = call.facts().integer("n");
    const auto distance = call.number("d", "", 1);
    if (!shape || shape->size() != 1 || !n || *n < 1 || !distance || *distance == 0)
        return std::nullopt;
    const bool isHalf = call.facts().name() == "fft_rfftfreq";
    std::vector<double> result;
    for (std::int64_t i = 0; i < shape->front(); ++i) {
        const std::int64_t frequency = !isHalf && i > (*n - 1) / 2 ? i - *n : i;
        result.push_back(static_cast<double>(frequency) / (static_cast<double>(*n) * *distance));
    }
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

/// Exchanges the halves of each dimension in "dim", or of all dimensions if it is not given.
Answer shiftedToMiddle(const Call &call)
{
    const Array *x = call.array(0);
    const bool areNamed = call.facts().has("dim");
    const auto axes = x && areNamed ? call.axes("dim", x->shape.size()) : std::optional(std::vector<std::size_t>());
    if (!areKnown(x, axes) || !areDistinct(*axes))
        return std::nullopt;
    std::vector<bool> isShifted(x->shape.size(), !areNamed);
    for (const std::size_t axis : *axes)
        isShifted[axis] = true;
    const bool isBack = call.facts().name() == "fft_ifftshift";
    const Sizes strides = stridesOf(x->shape);
    Places places;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(x->count()); ++i) {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < x->shape.size(); ++d) {
            const std::int64_t size = x->shape[d], at = i / strides[d] % size;
            const std::int64_t by = !isShifted[d] ? 0 : isBack ? size / 2 : (size + 1) / 2;
            place += (at + by) % size * strides[d];
        }
        places.push_back(place);
    }
    return answer(pickedAt(*x, x->shape, places));
}

/// Returns evenly spaced numbers. The second half is computed from the end, as in torch, so that both ends are exact.
Answer evenlySpaced(const Call &call)
{
    const auto shape = call.shape();
    const auto dtype = call.dtype();
    const auto start = call.facts().floating("start"), end = call.facts().floating("end");
    const bool arePowers = call.facts().name() == "logspace";
    const auto base = call.number("base", "", 10);
    if (!shape || shape->size() != 1 || !dtype || !ir::isFloat(*dtype) || !start || !end || !base)
        return std::nullopt;
    const std::int64_t count = shape->front();
    const double step = count > 1 ? (*end - *start) / static_cast<double>(count - 1) : 0;
    std::vector<double> result;
    for (std::int64_t i = 0; i < count; ++i) {
        const bool isFirstHalf = i < count / 2 || count == 1;
        const double at =
            isFirstHalf ? *start + step * static_cast<double>(i) : *end - step * static_cast<double>(count - 1 - i);
        result.push_back(arePowers ? std::pow(*base, at) : at);
    }
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

} // namespace cutaway::compute
