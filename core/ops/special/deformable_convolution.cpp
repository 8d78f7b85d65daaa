// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/compute/network/matrix_product.h"
#include "core/ops/compute/network/window.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <cmath>

// Each element of the kernel reads the image at its own offset, interpolated between four elements; outside are zeros.

namespace cutaway::compute {

namespace {

/// A plane of an image, with interpolation between its elements.
struct Plane {
    const double *elements;
    std::int64_t height, width;

    double at(std::int64_t y, std::int64_t x) const
    {
        return y >= 0 && y < height && x >= 0 && x < width ? elements[y * width + x] : 0;
    }
    double between(double y, double x) const
    {
        if (!(y > -1 && y < static_cast<double>(height) && x > -1 && x < static_cast<double>(width)))
            return 0;
        const auto top = static_cast<std::int64_t>(std::floor(y)), left = static_cast<std::int64_t>(std::floor(x));
        const double down = y - std::floor(y), right = x - std::floor(x);
        return (1 - down) * ((1 - right) * at(top, left) + right * at(top, left + 1))
            + down * ((1 - right) * at(top + 1, left) + right * at(top + 1, left + 1));
    }
};

struct Deformation {
    Images input, output;
    Window window;
    std::int64_t groups, offsetGroups;
    std::vector<double> x, weight, offsets, mask, bias; ///< mask and bias: empty where there are none

    std::int64_t kernel() const { return window.kernel[1] * window.kernel[2]; }

    /// Returns the value of an input channel that the k-th element of the kernel reads for a position of the result.
    double read(std::int64_t image, std::int64_t channel, std::int64_t k, std::int64_t row, std::int64_t column) const
    {
        const std::int64_t group = channel / (input.channels / offsetGroups);
        const std::int64_t place = row * output.size[2] + column, size = countOf(output.size);
        const std::int64_t index = (image * offsetGroups + group) * kernel() + k;
        const auto offset = [&](std::int64_t part) {
            return offsets[static_cast<std::size_t>((2 * index + part) * size + place)];
        };
        const std::int64_t y = row * window.stride[1] - window.before[1] + k / window.kernel[2] * window.dilation[1];
        const std::int64_t x0 =
            column * window.stride[2] - window.before[2] + k % window.kernel[2] * window.dilation[2];
        const Plane plane{x.data() + (image * input.channels + channel) * countOf(input.size), input.size[1],
                          input.size[2]};
        const double factor = mask.empty() ? 1 : mask[static_cast<std::size_t>(index * size + place)];
        return factor * plane.between(static_cast<double>(y) + offset(0), static_cast<double>(x0) + offset(1));
    }

    double resultAt(std::int64_t image, std::int64_t out, std::int64_t row, std::int64_t column) const
    {
        const std::int64_t perGroup = input.channels / groups, first = out / (output.channels / groups) * perGroup;
        double sum = bias.empty() ? 0 : bias[static_cast<std::size_t>(out)];
        for (std::int64_t channel = 0; channel < perGroup; ++channel)
            for (std::int64_t k = 0; k < kernel(); ++k)
                sum += weight[static_cast<std::size_t>((out * perGroup + channel) * kernel() + k)]
                    * read(image, first + channel, k, row, column);
        return sum;
    }

    bool fits() const
    {
        const auto are = [](const std::vector<double> &list, std::int64_t count) { return std::ssize(list) == count; };
        const std::int64_t kernels = kernel() * countOf(output.size) * output.count;
        return groups > 0 && offsetGroups > 0 && input.channels % groups == 0 && output.channels % groups == 0
            && input.channels % offsetGroups == 0 && are(weight, output.channels * (input.channels / groups) * kernel())
            && are(offsets, 2 * offsetGroups * kernels) && (mask.empty() || are(mask, offsetGroups * kernels))
            && (bias.empty() || are(bias, output.channels))
            && static_cast<double>(weight.size()) * static_cast<double>(countOf(output.size))
                * static_cast<double>(output.count)
            < maxProducts / 10;
    }
};

/// Reads an optional argument, which is the input `onnx` in ONNX; nothing is read if it is not given. Returns false
/// if it is given and not known.
bool readOptional(const Call &call, std::string_view aten, std::size_t onnx, std::vector<double> &to)
{
    const Array *given = call.isOnnx() ? call.array(onnx) : call.array(aten);
    if (given)
        to = floatsOf(*given);
    return given || !(call.isOnnx() ? call.facts().has(onnx) : call.facts().has(aten));
}

/// Reads the mask; torchvision uses it only if use_mask is set. Returns false if it is given and not known.
bool readMask(const Call &call, std::vector<double> &to)
{
    const auto isUsed = call.isOnnx() ? std::optional(true) : call.flag("use_mask", true);
    return isUsed == false || (isUsed && readOptional(call, "mask", 4, to));
}

std::optional<Deformation> deformationOf(const Call &call)
{
    const auto given = ops::convolutionArguments(call.facts());
    const auto shape = call.shape();
    if (!given || !given->windows || given->windows->size() != 2 || !shape)
        return std::nullopt;
    const auto groups = ops::number(given->groups);
    const Array *x = call.array(given->input), *weight = call.array(given->weight), *offsets = call.array(2);
    if (!areKnown(groups, x, weight) || !hasRank(offsets, 4))
        return std::nullopt;
    const auto input = imagesOf(x->shape, 2), output = imagesOf(*shape, 2);
    const auto window = input && output ? windowOf(*given->windows, input->size, output->size) : std::nullopt;
    const std::int64_t perGroup = window ? 2 * window->kernel[1] * window->kernel[2] : 0;
    if (perGroup < 1)
        return std::nullopt;
    Deformation d{*input,
                  *output,
                  *window,
                  *groups,
                  offsets->shape[1] / perGroup,
                  floatsOf(*x),
                  floatsOf(*weight),
                  floatsOf(*offsets),
                  {},
                  {}};
    return readOptional(call, "bias", 3, d.bias) && readMask(call, d.mask) && d.fits() ? std::optional(std::move(d))
                                                                                       : std::nullopt;
}

} // namespace

Answer deformableConvolution(const Call &call)
{
    const auto d = deformationOf(call);
    if (!d)
        return std::nullopt;
    const Images &output = d->output;
    std::vector<double> result;
    for (std::int64_t plane = 0; plane < output.count * output.channels; ++plane)
        for (std::int64_t place = 0; place < countOf(output.size); ++place)
            result.push_back(d->resultAt(plane / output.channels, plane % output.channels, place / output.size[2],
                                         place % output.size[2]));
    return answer(*call.shape(), std::move(result));
}

} // namespace cutaway::compute
