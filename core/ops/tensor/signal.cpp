// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/signal.h"

#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/special/rules.h"

#include <bit>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

constexpr std::int64_t two = 2;

std::optional<DType> spectrumType(std::optional<DType> dtype)
{
    if (!dtype)
        return std::nullopt;
    return promote(floatType(*dtype), *dtype == DType::Float16 ? DType::Complex32 : DType::Complex64);
}

std::optional<DType> realTypeOf(std::optional<DType> dtype)
{
    return dtype ? std::optional(realType(floatType(*dtype))) : std::nullopt;
}

/// Returns the number of frequencies of a real signal of n samples: n / 2 + 1.
Dim halfSpectrum(const Dim &samples) { return plus(floorDivide(samples, two), one); }

/// Returns the number of samples of a half spectrum; it is taken to be even.
Dim fullSignal(const Dim &frequencies) { return minus(times(frequencies, two), two); }

// ---- Fourier transforms of PyTorch

/// How a transform changes the last transformed dimension.
enum class Transform : std::uint8_t {
    Complex, ///< complex to complex, of the same length
    Real,    ///< real to complex: only half of the spectrum is returned
    Inverse, ///< half a spectrum to real: the dimension becomes about twice as long
};

/// "fft_irfft2" and "fft_hfft" return real numbers; "fft_rfft" and "fft_ihfft" take them.
Transform transformOf(std::string_view name)
{
    name.remove_prefix(std::string_view("fft_").size());
    if (name.starts_with("irfft") || name.starts_with("hfft"))
        return Transform::Inverse;
    return name.starts_with("rfft") || name.starts_with("ihfft") ? Transform::Real : Transform::Complex;
}

/// The dimensions that are transformed, and, if given, the sizes that they are padded or truncated to.
struct Transformed {
    std::vector<std::size_t> dims;
    std::optional<std::vector<Dim>> sizes;
};

std::optional<Transformed> transformed(const Call &call, std::size_t rank)
{
    Transformed made;
    const std::string_view lengths = call.has("n") ? "n" : "s";
    if (call.has(lengths)) {
        made.sizes = call.sizes(lengths);
        if (!made.sizes)
            return std::nullopt;
    }
    if (const auto dims = call.sizes("dim")) {
        for (const Dim &dim : *dims) {
            const auto index = number(dim) ? dimension(*number(dim), rank) : std::nullopt;
            if (!index)
                return std::nullopt;
            made.dims.push_back(*index);
        }
    } else {
        const std::size_t count = made.sizes ? std::min(made.sizes->size(), rank) : rank;
        for (std::size_t i = rank - count; i < rank; ++i)
            made.dims.push_back(i);
    }
    if (made.sizes && made.sizes->size() != made.dims.size())
        return std::nullopt;
    return made;
}

Answer fourier(const Call &call)
{
    const Shape *input = call.shape("self");
    if (!input)
        return unknown("input rank unknown");
    const auto given = transformed(call, input->size());
    if (!given)
        return unknown("transformed dimensions unknown");
    Shape output = *input;
    const auto isGiven = [&](std::size_t i) { return given->sizes && number((*given->sizes)[i]) != -1; };
    for (std::size_t i = 0; i < given->dims.size(); ++i)
        if (isGiven(i))
            output[given->dims[i]] = (*given->sizes)[i];
    const Transform kind = transformOf(call.name());
    if (given->dims.empty())
        return kind == Transform::Complex ? Answer{tensorFact(spectrumType(call.dtypeOf("self")), *input)}
                                          : wrong("a real transform of no dimensions");
    Dim &last = output[given->dims.back()];
    if (kind == Transform::Real)
        last = halfSpectrum(last);
    else if (kind == Transform::Inverse && !isGiven(given->dims.size() - 1))
        last = fullSignal(last);
    const auto dtype = call.dtypeOf("self");
    return {tensorFact(kind == Transform::Inverse ? realTypeOf(dtype) : spectrumType(dtype), std::move(output))};
}

Answer primitiveFourier(const Call &call)
{
    const Shape *input = call.shape("self");
    const auto dims = call.sizes("dim");
    const auto index = input && dims && !dims->empty() && number(dims->back())
        ? dimension(*number(dims->back()), input->size())
        : std::nullopt;
    if (!index)
        return unknown("transformed dimensions unknown");
    Shape output = *input;
    const bool isInverse = call.name().ends_with("c2r");
    if (isInverse)
        output[*index] = call.size("last_dim_size").value_or(ir::UnknownDim{});
    else if (call.name().ends_with("r2c")) {
        const auto isHalf = call.flag("onesided");
        output[*index] = !isHalf ? ir::UnknownDim{} : *isHalf ? halfSpectrum(output[*index]) : output[*index];
    }
    const auto dtype = call.dtypeOf("self");
    return {tensorFact(isInverse ? realTypeOf(dtype) : spectrumType(dtype), std::move(output))};
}

Answer shifted(const Call &call)
{
    const TensorFact *input = call.tensor("self");
    return input ? Answer{tensorFact(input->dtype, input->shape)} : unknown("input shape unknown");
}

/// torch's default dtype is assumed to be float32.
Answer frequencies(const Call &call)
{
    const Dim n = call.size("n").value_or(ir::UnknownDim{});
    const bool isHalf = call.name() == "fft_rfftfreq";
    return {tensorFact(call.has("dtype") ? call.dtype("dtype") : DType::Float32, Shape{isHalf ? halfSpectrum(n) : n})};
}

// ---- Short time

Answer stft(const Call &call)
{
    const Shape *input = call.shape("self");
    const auto length = call.size("n_fft");
    if (!input || !length || input->empty() || input->size() > 2)
        return unknown("signal's rank or n_fft unknown");
    const Dim hop = call.has("hop_length") ? call.size("hop_length").value_or(ir::UnknownDim{})
                                           : floorDivide(*length, std::int64_t{4});
    Dim samples = input->back();
    if (call.has("center") && call.flag("center").value_or(false))
        samples = plus(samples, times(floorDivide(*length, two), two));
    const Dim covered = call.flag("align_to_window").value_or(false) && call.has("win_length")
        ? call.size("win_length").value_or(ir::UnknownDim{})
        : *length;
    const auto dtype = call.dtypeOf("self"), window = call.dtypeOf("window");
    const bool isComplex = (dtype && ir::isComplex(*dtype)) || (window && ir::isComplex(*window));
    const bool isHalf = call.flag("onesided").value_or(!isComplex);
    Shape output(input->begin(), input->end() - 1);
    output.push_back(isHalf ? halfSpectrum(*length) : *length);
    output.push_back(plus(floorDivide(minus(samples, covered), hop), one));
    if (call.flag("return_complex").value_or(isComplex))
        return {tensorFact(spectrumType(dtype), std::move(output))};
    output.emplace_back(two);
    return {tensorFact(realTypeOf(dtype), std::move(output))};
}

Answer istft(const Call &call)
{
    const Shape *input = call.shape("self");
    const auto length = call.size("n_fft");
    const auto dtype = call.dtypeOf("self");
    // The last dimension of a real tensor holds the real and imaginary part.
    const std::size_t partAxes = dtype && isComplex(*dtype) ? 0 : 1;
    if (!input || !length || !dtype || input->size() < 2 + partAxes)
        return unknown("spectrum's shape or n_fft unknown");
    const std::size_t last = input->size() - 1 - partAxes;
    const Dim hop = call.has("hop_length") ? call.size("hop_length").value_or(ir::UnknownDim{})
                                           : floorDivide(*length, std::int64_t{4});
    Dim samples = plus(*length, times(hop, minus((*input)[last], one)));
    if (call.flag("center").value_or(true))
        samples = minus(samples, times(floorDivide(*length, two), two));
    if (call.has("length"))
        samples = call.size("length").value_or(ir::UnknownDim{});
    Shape output(input->begin(), input->begin() + static_cast<std::ptrdiff_t>(last) - 1);
    output.push_back(std::move(samples));
    const bool staysComplex = call.flag("return_complex").value_or(false);
    return {tensorFact(staysComplex ? spectrumType(dtype) : realTypeOf(dtype), std::move(output))};
}

// ---- ONNX

/// The last dimension has size 1 for real numbers or 2 for real and imaginary parts.
Answer dft(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() < 2)
        return unknown("input rank unknown");
    const bool hasInput = call.opset() >= 20;
    const auto axis = hasInput ? (call.has(2u) ? call.integer(2u) : std::optional<std::int64_t>(-2))
                               : std::optional(call.integer("axis").value_or(1));
    const auto index = axis ? dimension(*axis, input->size()) : std::nullopt;
    Shape output = *input;
    const bool isInverse = call.flag("inverse").value_or(false), isHalf = call.flag("onesided").value_or(false);
    output.back() = isInverse && isHalf ? one : two;
    if (!index)
        std::fill(output.begin(), output.end() - 1, ir::UnknownDim{});
    else {
        if (call.has(1u))
            output[*index] = call.size(1u).value_or(ir::UnknownDim{});
        else if (isInverse && isHalf)
            output[*index] = fullSignal(output[*index]);
        if (isHalf && !isInverse)
            output[*index] = halfSpectrum(output[*index]);
    }
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

/// From signal [B, L, 1 or 2], frame_step, window and frame_length, returns [B, frames, frequencies, 2].
Answer stftOfOnnx(const Call &call)
{
    const Shape *signal = call.shape(0u), *window = call.shape(2u);
    if (!signal || signal->size() < 2)
        return unknown("signal rank unknown");
    const Dim step = call.size(1u).value_or(ir::UnknownDim{});
    Dim length = ir::UnknownDim{};
    if (call.has(3u))
        length = call.size(3u).value_or(ir::UnknownDim{});
    else if (window && window->size() == 1)
        length = window->front();
    const Dim frames = plus(floorDivide(minus((*signal)[1], length), step), one);
    const bool isHalf = call.flag("onesided").value_or(true);
    return {tensorFact(call.dtypeOf(0u), Shape{(*signal)[0], frames, isHalf ? halfSpectrum(length) : length, two})};
}

DType outputDType(const Call &call) { return call.dtype("output_datatype").value_or(DType::Float32); }

Answer windowOfOnnx(const Call &call)
{
    return {tensorFact(outputDType(call), Shape{call.size(0u).value_or(ir::UnknownDim{})})};
}

/// From num_mel_bins, dft_length and others, returns [dft_length / 2 + 1, num_mel_bins].
Answer melWeightMatrix(const Call &call)
{
    const Dim bins = call.size(0u).value_or(ir::UnknownDim{}), length = call.size(1u).value_or(ir::UnknownDim{});
    return {tensorFact(outputDType(call), Shape{halfSpectrum(length), bins})};
}

/// com.microsoft: halves the last dimension of a signal and adds one for re and im; Irfft does the reverse.
Answer rfft(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input || input->empty())
        return unknown("input rank unknown");
    Shape output = *input;
    output.back() = halfSpectrum(output.back());
    output.emplace_back(two);
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

Answer irfft(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() < 2)
        return unknown("input rank unknown");
    Shape output(input->begin(), input->end() - 1);
    output.back() = fullSignal(output.back());
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

// ---- Windows

Answer window(const Call &call)
{
    const Dim length = call.size("window_length").value_or(ir::UnknownDim{});
    return {tensorFact(call.has("dtype") ? call.dtype("dtype") : DType::Float32, Shape{length})};
}

// ---- Cost

/// Counts 5 n log2 n per transform of n samples, the usual estimate, if n is a number.
Cost fourierCost(const Call &call, std::span<const Fact> results)
{
    const Shape *input = call.shape(0u);
    const TensorFact *result = results.empty() ? nullptr : asTensor(results[0]);
    if (!input || !result || !result->shape)
        return {zero, ir::UnknownDim{}};
    const Dim larger = maximum(elementsOf(*input), elementsOf(*result->shape));
    const auto each = number(call.has("n_fft") ? call.size("n_fft").value_or(ir::UnknownDim{}) : larger);
    if (!each || *each <= 0)
        return {zero, ir::UnknownDim{}};
    const auto steps = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(*each - 1)));
    return {zero, times(larger, 5 * steps)};
}

constexpr Operator signalRows[] = {
    Operator(
        "aten::fft_fft aten::fft_ifft aten::fft_rfft aten::fft_irfft aten::fft_hfft aten::fft_ihfft aten::fft_fft2 "
        "aten::fft_ifft2 aten::fft_rfft2 aten::fft_irfft2 aten::fft_fftn aten::fft_ifftn aten::fft_rfftn "
        "aten::fft_irfftn",
        Category::Reduction, Pattern::Combining, fourier, fourierCost,
        {.compute = compute::torchFourier, .cpuAutocast = CastTo::Float32}),
    Operator("aten::fft_hfft2 aten::fft_ihfft2 aten::fft_hfftn aten::fft_ihfftn", Category::Reduction,
             Pattern::Combining, fourier, fourierCost, {.compute = compute::torchFourier}),
    Operator("aten::_fft_c2c aten::_fft_r2c aten::_fft_c2r", Category::Reduction, Pattern::Combining, primitiveFourier,
             fourierCost, {.compute = compute::torchFourier}),
    Operator("prims::fft_c2c prims::fft_r2c prims::fft_c2r", Category::Reduction, Pattern::Combining, primitiveFourier,
             fourierCost),
    Operator("aten::fft_fftshift aten::fft_ifftshift", Category::ShapeView, Pattern::Moving, shifted, nullptr,
             {.compute = compute::shiftedToMiddle}),
    Operator("aten::fft_fftfreq aten::fft_rfftfreq", Category::Creation, Pattern::Creating, frequencies, onePerResult,
             {.compute = compute::frequencies}),
    Operator("aten::stft", Category::Reduction, Pattern::Combining, stft, fourierCost,
             {.compute = compute::shortTimeSpectrum, .cpuAutocast = CastTo::Float32}),
    Operator("aten::istft", Category::Reduction, Pattern::Combining, istft, fourierCost,
             {.compute = compute::shortTimeSignal}),
    Operator("onnx::DFT", Category::Reduction, Pattern::Combining, dft, fourierCost,
             {.compute = compute::fourierTransform, .demand = demand::transformedAxis}),
    Operator("onnx::STFT", Category::Reduction, Pattern::Combining, stftOfOnnx, fourierCost,
             {.compute = compute::shortTimeFourierTransform, .demand = demand::spectrum}),
    Operator("com.microsoft::Rfft", Category::Reduction, Pattern::Combining, rfft, fourierCost),
    Operator("com.microsoft::Irfft", Category::Reduction, Pattern::Combining, irfft, fourierCost),
    Operator("onnx::MelWeightMatrix", Category::Creation, Pattern::Creating, melWeightMatrix, onePerResult,
             {.compute = compute::melWeights}),
    Operator("onnx::HannWindow onnx::HammingWindow onnx::BlackmanWindow", Category::Creation, Pattern::Creating,
             windowOfOnnx, onePerResult, {.compute = compute::window}),
    Operator("aten::hann_window aten::hamming_window aten::blackman_window", Category::Creation, Pattern::Creating,
             window, onePerResult, {.compute = compute::window}),
    Operator("aten::bartlett_window aten::kaiser_window", Category::Creation, Pattern::Creating, window, onePerResult),
};

} // namespace

std::span<const Operator> signalOperators() { return signalRows; }

} // namespace cutaway::ops
