// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/fourier.h"

#include "core/ops/compute/places.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unsupported/Eigen/FFT>

// PyTorch's transforms. A transform of several dimensions is made of transforms along each of them. The last
// dimension comes first if the signal is real, and last if the result is real.

namespace cutaway::compute {

Samples transformed(const Samples &x, std::size_t count, bool isInverse)
{
    Eigen::FFT<double> fft({}, Eigen::FFT<double>::Unscaled);
    Samples result;
    if (isInverse)
        fft.inv(result, x);
    else
        fft.fwd(result, x);
    result.resize(count);
    return result;
}

bool canBeTransformed(const Samples &samples, double terms)
{
    constexpr double maxTerms = 3e9;
    const auto isFinite = [](const Complex &x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); };
    return terms <= maxTerms && std::ranges::all_of(samples, isFinite);
}

Samples scaled(Samples samples, double factor)
{
    for (Complex &sample : samples)
        sample *= factor;
    return samples;
}

namespace {

/// How the last transformed dimension is stored: half a spectrum is enough if the signal is real.
enum class Spectrum : std::uint8_t { Whole, MakesHalf, TakesHalf };

struct Transform {
    std::vector<std::size_t> axes;
    Sizes lengths; ///< the signal's length along each axis
    Spectrum spectrum = Spectrum::Whole;
    bool isInverse = false; ///< whether the exponent has the sign of inverse transforms
    double factor = 1;
};

/// A tensor of complex numbers, row by row.
struct Field {
    Sizes shape;
    Samples elements;
};

/// Adds the other half of the spectrum of a real signal of this length.
void complete(Samples &half, std::int64_t length)
{
    const auto n = static_cast<std::size_t>(length);
    half.resize(n / 2 + 1);
    half.resize(n);
    for (std::size_t k = n / 2 + 1; k < n; ++k)
        half[k] = std::conj(half[n - k]);
}

/// Transforms one axis of a field, truncated or padded with zeros to `length` first.
Field transformedAlong(const Field &field, std::size_t axis, std::int64_t length, Spectrum spectrum, bool isInverse)
{
    Field made{field.shape, {}};
    made.shape[axis] = spectrum == Spectrum::MakesHalf ? length / 2 + 1 : length;
    made.elements.resize(static_cast<std::size_t>(countOf(made.shape)));
    const Lanes from = lanesOf(field.shape, axis), to = lanesOf(made.shape, axis);
    for (std::int64_t lane = 0; lane < to.count(); ++lane) {
        Samples samples;
        for (std::int64_t i = 0; i < std::min(from.along, length); ++i)
            samples.push_back(field.elements[from.place(lane, i)]);
        samples.resize(static_cast<std::size_t>(length));
        if (spectrum == Spectrum::TakesHalf)
            complete(samples, length);
        const Samples result = transformed(samples, static_cast<std::size_t>(to.along), isInverse);
        for (std::int64_t i = 0; i < to.along; ++i)
            made.elements[to.place(lane, i)] = result[static_cast<std::size_t>(i)];
    }
    return made;
}

std::optional<Field> transformedField(Field field, const Transform &transform)
{
    double terms = 0, count = 1; // `count` is the number of elements of the largest intermediate field
    for (const std::int64_t length : transform.lengths) {
        if (length < 1)
            return std::nullopt;
        terms += static_cast<double>(length);
    }
    for (std::size_t axis = 0; axis < field.shape.size(); ++axis) {
        const auto place = std::ranges::find(transform.axes, axis) - transform.axes.begin();
        const bool isTransformed = place < std::ssize(transform.axes);
        count *= static_cast<double>(
            std::max(field.shape[axis], isTransformed ? transform.lengths[static_cast<std::size_t>(place)] : 0));
    }
    if (!canBeTransformed(field.elements, terms * count))
        return std::nullopt;
    std::vector<std::size_t> order(transform.axes.size());
    std::iota(order.begin(), order.end(), 0);
    if (transform.spectrum == Spectrum::MakesHalf)
        std::ranges::reverse(order);
    for (const std::size_t i : order) {
        const bool isLast = i + 1 == transform.axes.size();
        field = transformedAlong(field, transform.axes[i], transform.lengths[i],
                                 isLast ? transform.spectrum : Spectrum::Whole, transform.isInverse);
    }
    field.elements = scaled(std::move(field.elements), transform.factor);
    return field;
}

Answer answered(const Field &field, bool isReal)
{
    Array made = complexArray(field.shape, field.elements);
    if (isReal) {
        made.dtype = ir::DType::Float64;
        made.imaginary.clear();
    }
    return answer(std::move(made));
}

// ---- what a call asks for

/// Returns the dimensions that the argument names, or the last `count` ones.
std::optional<std::vector<std::size_t>> axesOf(const Call &call, std::size_t rank, std::size_t count)
{
    if (call.facts().has("dim")) {
        auto axes = call.axes("dim", rank);
        return axes && areDistinct(*axes) ? axes : std::nullopt;
    }
    std::vector<std::size_t> axes;
    for (std::size_t i = rank - std::min(count, rank); i < rank; ++i)
        axes.push_back(i);
    return axes;
}

/// Returns the factor of a norm for a signal of n samples, by the norm's name: 1, 1/n or 1/√n.
std::optional<double> factorOf(std::string_view norm, bool dividesByDefault, double n)
{
    if (norm == "ortho")
        return 1 / std::sqrt(n);
    if (norm.empty() || norm == "backward")
        return dividesByDefault ? 1 / n : 1;
    return norm == "forward" ? std::optional(dividesByDefault ? 1 : 1 / n) : std::nullopt;
}

/// Returns how "rfft", "hfft" and the like store a spectrum; the names lack the leading i of inverses. "hfft"
/// transforms forward to a real signal, "ihfft" from a real signal.
Spectrum spectrumOf(std::string_view name, bool isInverse)
{
    if (!name.starts_with('r') && !name.starts_with('h'))
        return Spectrum::Whole;
    const bool comesFromReal = name.starts_with('r') != isInverse;
    return comesFromReal ? Spectrum::MakesHalf : Spectrum::TakesHalf;
}

/// Returns the lengths of the axes: the given ones, except for -1, else those of the signal. If half a spectrum is
/// transformed, the last axis has the length of the result.
Sizes lengthsOf(const Transform &transform, const Sizes &given, const Sizes &shape, const Sizes &made)
{
    Sizes lengths;
    for (std::size_t i = 0; i < transform.axes.size(); ++i) {
        const std::size_t axis = transform.axes[i];
        const bool isGiven = i < given.size() && given[i] != -1;
        const bool isMade = i + 1 == transform.axes.size() && transform.spectrum == Spectrum::TakesHalf;
        lengths.push_back(isGiven ? given[i] : isMade ? made[axis] : shape[axis]);
    }
    return lengths;
}

double samplesOf(const Sizes &lengths)
{
    double samples = 1;
    for (const std::int64_t length : lengths)
        samples *= static_cast<double>(length);
    return samples;
}

/// Reads the transform of "fft_irfft2" and the like.
std::optional<Transform> transformOf(const Call &call, const Sizes &shape, const Sizes &made)
{
    std::string_view name = call.facts().name().substr(std::string_view("fft_").size());
    Transform transform;
    transform.isInverse = name.starts_with('i');
    name.remove_prefix(transform.isInverse ? 1 : 0);
    transform.spectrum = spectrumOf(name, transform.isInverse);
    const std::string_view lengths = call.facts().has("n") ? "n" : "s";
    const auto given = call.facts().has(lengths) ? call.integers(lengths) : std::optional(Sizes());
    const auto axes = given ? axesOf(call, shape.size(), given->empty() ? shape.size() : given->size()) : std::nullopt;
    if (!axes || axes->empty() || (!given->empty() && given->size() != axes->size()))
        return std::nullopt;
    transform.axes = *axes;
    transform.lengths = lengthsOf(transform, *given, shape, made);
    const auto factor = factorOf(call.facts().text("norm"), transform.isInverse, samplesOf(transform.lengths));
    transform.factor = factor.value_or(1);
    return factor ? std::optional(std::move(transform)) : std::nullopt;
}

/// Reads _fft_c2c(self, dim, normalization, forward), _fft_r2c(…, onesided) or _fft_c2r(…, last_dim_size).
std::optional<Transform> primitiveOf(const Call &call, const Sizes &shape)
{
    const std::string_view name = call.facts().name();
    const bool isFromReal = name.ends_with("r2c"), isToReal = name.ends_with("c2r");
    const auto axes = axesOf(call, shape.size(), 0);
    const auto normalization = call.facts().integer("normalization");
    if (!name.starts_with('_') || !areKnown(axes, normalization) || axes->empty())
        return std::nullopt;
    const auto isHalf = isFromReal ? call.facts().flag("onesided") : std::optional(false);
    const auto isForward = isFromReal || isToReal ? std::optional(isFromReal) : call.facts().flag("forward");
    const auto last = isToReal ? call.facts().integer("last_dim_size") : shape[axes->back()];
    if (!areKnown(isHalf, isForward, last))
        return std::nullopt;
    Transform transform{*axes, {}};
    transform.isInverse = !*isForward;
    transform.spectrum = isToReal ? Spectrum::TakesHalf : *isHalf ? Spectrum::MakesHalf : Spectrum::Whole;
    for (const std::size_t axis : *axes)
        transform.lengths.push_back(axis == axes->back() ? *last : shape[axis]);
    const double samples = samplesOf(transform.lengths);
    transform.factor = *normalization == 0 ? 1 : *normalization == 1 ? 1 / std::sqrt(samples) : 1 / samples;
    return transform;
}

} // namespace

Answer torchFourier(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto dtype = call.dtype();
    if (!x || !shape || !dtype)
        return std::nullopt;
    const auto transform =
        call.facts().name().starts_with("fft_") ? transformOf(call, x->shape, *shape) : primitiveOf(call, x->shape);
    auto field = transform ? transformedField({x->shape, complexOf(*x)}, *transform) : std::nullopt;
    return field ? answered(*field, !ir::isComplex(*dtype)) : std::nullopt;
}

// ---- short time

namespace {

/// How a signal is cut into pieces, each of which is multiplied with a window.
struct Pieces {
    std::int64_t length, step;
    std::vector<double> window; ///< the window, of `length` elements; a shorter one is centred in it
    double factor;
    bool isCentered, isHalf;

    std::int64_t bins() const { return isHalf ? length / 2 + 1 : length; }
    /// Returns how far before the signal the first piece starts: half its length if pieces are centered.
    std::int64_t before() const { return isCentered ? length / 2 : 0; }
};

constexpr std::int64_t longestSignal = 1 << 24; // longer signals are not computed

std::optional<Pieces> piecesOf(const Call &call, bool isCenteredByDefault, bool isHalfByDefault)
{
    const auto length = call.facts().integer("n_fft");
    const auto step = call.integer("hop_length", "", length.value_or(0) / 4);
    const auto taken = call.integer("win_length", "", length.value_or(0));
    const auto normalized = call.flag("normalized", false), half = call.flag("onesided", isHalfByDefault),
               centered = call.flag("center", isCenteredByDefault);
    const Array *window = call.array("window");
    if (!areKnown(length, step, taken, normalized, half, centered) || call.isUnknown("window"))
        return std::nullopt;
    const bool areInRange = *length >= 1 && *length <= longestSignal && *step >= 1 && *taken >= 1 && *taken <= *length;
    if (!areInRange || (window && ir::isComplex(window->dtype)))
        return std::nullopt;
    const std::vector<double> factors =
        window ? floatsOf(*window) : std::vector<double>(static_cast<std::size_t>(*taken), 1.0);
    if (std::ssize(factors) != *taken || !std::ranges::all_of(factors, [](double x) { return std::isfinite(x); }))
        return std::nullopt;
    Pieces pieces{*length, *step, std::vector<double>(static_cast<std::size_t>(*length)), 1, *centered, *half};
    std::ranges::copy(factors, pieces.window.begin() + (*length - *taken) / 2);
    pieces.factor = *normalized ? 1 / std::sqrt(static_cast<double>(*length)) : 1;
    return pieces;
}

/// How a signal is padded. source() returns the index of the sample that a position of the padded signal takes; nothing
/// if the position is padded with zero.
struct Padding {
    std::int64_t before = 0;
    std::string_view mode;

    std::optional<std::int64_t> source(std::int64_t at, std::int64_t size) const
    {
        const std::int64_t place = at - before;
        if (place >= 0 && place < size)
            return place;
        if (mode == "constant")
            return std::nullopt;
        if (mode == "replicate")
            return std::clamp<std::int64_t>(place, 0, size - 1);
        if (mode == "circular")
            return (place % size + size) % size;
        return place < 0 ? -place : 2 * (size - 1) - place; // the mode is "reflect"
    }
    bool fits(std::int64_t size) const
    {
        const bool isKnown = mode == "constant" || mode == "replicate" || mode == "circular" || mode == "reflect";
        return isKnown && (mode != "reflect" || before < size) && (mode != "circular" || before <= size) && size > 0;
    }
};

/// Returns the spectra [batch, frequency, piece] of the pieces of signals that have `size` samples each.
Field spectraOf(const Samples &signals, std::int64_t size, const Pieces &pieces, const Padding &padding,
                std::int64_t count)
{
    const std::int64_t batch = std::ssize(signals) / size, bins = pieces.bins();
    Field made{{batch, bins, count}, Samples(static_cast<std::size_t>(batch * bins * count))};
    for (std::int64_t i = 0; i < batch * count; ++i) {
        Samples piece;
        for (std::int64_t k = 0; k < pieces.length; ++k) {
            const auto from = padding.source(i % count * pieces.step + k, size);
            const Complex sample = from ? signals[static_cast<std::size_t>(i / count * size + *from)] : 0;
            piece.push_back(sample * pieces.window[static_cast<std::size_t>(k)]);
        }
        const Samples spectrum = scaled(transformed(piece, static_cast<std::size_t>(bins), false), pieces.factor);
        for (std::int64_t k = 0; k < bins; ++k)
            made.elements[static_cast<std::size_t>((i / count * bins + k) * count + i % count)] =
                spectrum[static_cast<std::size_t>(k)];
    }
    return made;
}

} // namespace

/// Returns [batch, frequency, piece], with a last dimension for real and imaginary part unless the result is complex.
Answer shortTimeSpectrum(const Call &call)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    if (!areKnown(call.shape(), dtype) || (!hasRank(x, 1) && !hasRank(x, 2)))
        return std::nullopt;
    const bool isComplexSignal = ir::isComplex(x->dtype);
    const auto pieces = piecesOf(call, false, !isComplexSignal);
    if (!pieces || call.flag("align_to_window", false) != false || (isComplexSignal && pieces->isHalf))
        return std::nullopt;
    const std::string_view mode = call.facts().has("pad_mode") ? call.facts().text("pad_mode") : "reflect";
    const Padding padding{pieces->before(), mode};
    const std::int64_t size = x->shape.back(), padded = size + 2 * padding.before;
    if (!padding.fits(size) || padded < pieces->length)
        return std::nullopt;
    const std::int64_t count = (padded - pieces->length) / pieces->step + 1, batch = hasRank(x, 2) ? x->shape[0] : 1;
    const double terms = static_cast<double>(batch * count * pieces->bins()) * static_cast<double>(pieces->length);
    const Samples samples = complexOf(*x);
    if (!canBeTransformed(samples, terms))
        return std::nullopt;
    const Field made = spectraOf(samples, size, *pieces, padding, count);
    Array result = complexArray(made.shape, made.elements);
    if (hasRank(x, 1))
        result.shape.erase(result.shape.begin());
    return answer(ir::isComplex(*dtype) ? std::move(result) : asParts(result));
}

namespace {

/// The sum of the pieces of a signal at their positions, and the sum of the windows' squares there.
struct Overlapped {
    std::vector<double> signal, weights;

    /// Appends `length` samples from `start` on, zeros after the end. Returns false if the windows leave a gap.
    bool append(std::vector<double> &to, std::int64_t start, std::int64_t length) const
    {
        for (std::int64_t k = start; k < start + length; ++k) {
            const auto at = static_cast<std::size_t>(k);
            if (at < weights.size() && !(std::abs(weights[at]) > 1e-11))
                return false;
            to.push_back(at < signal.size() ? signal[at] / weights[at] : 0);
        }
        return true;
    }
};

Overlapped overlapped(const Samples &spectra, std::int64_t bins, std::int64_t count, const Pieces &pieces)
{
    const auto total = static_cast<std::size_t>(pieces.length + pieces.step * (count - 1));
    Overlapped all{std::vector<double>(total), std::vector<double>(total)};
    for (std::int64_t i = 0; i < count; ++i) {
        Samples spectrum;
        for (std::int64_t k = 0; k < bins; ++k)
            spectrum.push_back(spectra[static_cast<std::size_t>(k * count + i)]);
        complete(spectrum, pieces.length); // PyTorch reads only the first half of the spectrum
        const double factor = 1 / (pieces.factor * static_cast<double>(pieces.length));
        const Samples piece = scaled(transformed(spectrum, spectrum.size(), true), factor);
        for (std::size_t k = 0; k < piece.size(); ++k) {
            const std::size_t at = static_cast<std::size_t>(i * pieces.step) + k;
            all.signal[at] += piece[k].real() * pieces.window[k];
            all.weights[at] += pieces.window[k] * pieces.window[k];
        }
    }
    return all;
}

} // namespace

/// Computes the inverse of shortTimeSpectrum(). Nothing if windows leave a gap, for which PyTorch raises an error.
Answer shortTimeSignal(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!shape || shape->empty() || call.flag("return_complex", false) != false || (!hasRank(x, 2) && !hasRank(x, 3))
        || !ir::isComplex(x->dtype))
        return std::nullopt;
    const std::int64_t bins = x->shape[x->shape.size() - 2], count = x->shape.back();
    const auto pieces = piecesOf(call, true, true);
    if (!pieces || bins != pieces->bins() || count < 1 || pieces->step > longestSignal / count)
        return std::nullopt;
    const Samples all = complexOf(*x);
    if (!canBeTransformed(all, static_cast<double>(x->count()) * static_cast<double>(pieces->length)))
        return std::nullopt;
    const std::int64_t batch = hasRank(x, 3) ? x->shape.front() : 1;
    std::vector<double> result;
    for (std::int64_t i = 0; i < batch; ++i) {
        const auto first = all.begin() + i * bins * count;
        const Overlapped own = overlapped(Samples(first, first + bins * count), bins, count, *pieces);
        if (!own.append(result, pieces->before(), shape->back()))
            return std::nullopt;
    }
    return answer(*shape, std::move(result));
}

} // namespace cutaway::compute
