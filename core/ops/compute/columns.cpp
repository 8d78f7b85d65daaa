// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>

// Images as columns of windows or as blocks of pixels, and back.

namespace cutaway::compute {

// ---- images and their windows as columns

namespace {

/// The windows of an image, whose elements become columns.
struct Columns {
    Sizes image, kernel, dilation, before, stride, windows;

    std::size_t rank() const { return image.size(); }
};

Sizes filledUp(const std::optional<Sizes> &given, std::size_t rank, std::int64_t value)
{
    const bool isOne = given && given->size() == 1;
    return given && given->size() > 1 ? *given : Sizes(rank, isOne ? given->front() : value);
}

/// The windows of an image of these sizes.
std::optional<Columns> columnsOf(const Call &call, Sizes image, const std::optional<Sizes> &kernel)
{
    const std::size_t rank = image.size();
    if (!kernel || rank == 0)
        return std::nullopt;
    const bool isOnnx = call.isOnnx();
    Columns c{std::move(image),
              filledUp(kernel, rank, 1),
              filledUp(call.integers(isOnnx ? "dilations" : "dilation"), rank, 1),
              {},
              filledUp(call.integers(isOnnx ? "strides" : "stride"), rank, 1),
              {}};
    for (const Sizes &sizes : {c.kernel, c.dilation, c.stride})
        if (sizes.size() != rank || std::ranges::any_of(sizes, [](std::int64_t size) { return size < 1; }))
            return std::nullopt;
    const auto pads = call.integers(isOnnx ? "pads" : "padding");
    Sizes both = filledUp(pads, isOnnx ? 2 * rank : rank, 0);
    if (!isOnnx)
        both.insert(both.end(), both.begin(), both.end());
    if (both.size() != 2 * rank)
        return std::nullopt;
    c.before.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(rank));
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t free = c.image[d] + both[d] + both[rank + d] - c.dilation[d] * (c.kernel[d] - 1) - 1;
        if (free < 0)
            return std::nullopt;
        c.windows.push_back(free / c.stride[d] + 1);
    }
    return c;
}

/// Calls visit(place in the columns of a channel, place in the image of a channel) for each element not in the padding.
template <class Visit>
void forEachOfColumns(const Columns &c, const Visit &visit)
{
    Sizes all = c.kernel;
    all.insert(all.end(), c.windows.begin(), c.windows.end());
    const Sizes strides = stridesOf(c.image), unit = stridesOf(all);
    for (std::int64_t i = 0; i < countOf(all); ++i) {
        std::int64_t place = 0;
        bool isInside = true;
        for (std::size_t d = 0; d < c.rank(); ++d) {
            const std::int64_t k = i / unit[d] % all[d], w = i / unit[c.rank() + d] % c.windows[d];
            const std::int64_t at = w * c.stride[d] - c.before[d] + k * c.dilation[d];
            isInside = isInside && at >= 0 && at < c.image[d];
            place += at * strides[d];
        }
        if (isInside)
            visit(static_cast<std::size_t>(i), static_cast<std::size_t>(place));
    }
}

} // namespace

Answer columnsOfImage(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!x || !shape || x->shape.size() < 3)
        return std::nullopt;
    const auto columns = columnsOf(call, {x->shape.end() - 2, x->shape.end()}, call.integers("kernel_size"));
    if (!columns)
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*x);
    const auto image = static_cast<std::size_t>(countOf(columns->image));
    const auto column = static_cast<std::size_t>(countOf(columns->kernel) * countOf(columns->windows));
    std::vector<double> result(floats.size() / image * column);
    forEachOfColumns(*columns, [&](std::size_t to, std::size_t from) {
        for (std::size_t channel = 0; channel < floats.size() / image; ++channel)
            result[channel * column + to] = floats[channel * image + from];
    });
    return std::ssize(result) == countOf(*shape) ? answer(Array{ir::DType::Float64, *shape, std::move(result)})
                                                 : std::nullopt;
}

/// Returns the image whose elements are the sums of the elements of the columns at their positions (col2im).
Answer imageOfColumns(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto kernel = call.isOnnx() ? call.integers(2U) : call.integers("kernel_size");
    const auto sizes = call.isOnnx() ? call.integers(1U) : call.integers("output_size");
    const auto columns = x && shape && sizes ? columnsOf(call, *sizes, kernel) : std::nullopt;
    if (!columns)
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*x);
    const auto image = static_cast<std::size_t>(countOf(columns->image));
    const auto column = static_cast<std::size_t>(countOf(columns->kernel) * countOf(columns->windows));
    std::vector<double> result(floats.size() / column * image);
    if (std::ssize(result) != countOf(*shape) || floats.size() % column != 0)
        return std::nullopt;
    forEachOfColumns(*columns, [&](std::size_t from, std::size_t to) {
        for (std::size_t channel = 0; channel < floats.size() / column; ++channel)
            result[channel * image + to] += floats[channel * column + from];
    });
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

// ---- blocks of pixels

namespace {

/// Splits the dimensions of `x` into the sizes `split`, puts these into another order, and joins them to the shape that
/// the shape rule derived.
Answer reordered(const Call &call, const Array &x, Sizes split, std::vector<std::size_t> order)
{
    const auto shape = call.shape();
    if (!shape || countOf(split) != static_cast<std::int64_t>(x.count()) || countOf(*shape) != countOf(split))
        return std::nullopt;
    return answer(reshaped(permuted(reshaped(x, std::move(split)), order), *shape));
}

/// The size of blocks; nothing if it is not known or not positive, or the input is no image.
std::optional<std::int64_t> blockOf(const Call &call, std::string_view name, const Array *x)
{
    const auto block = call.facts().integer(name);
    return block && *block > 0 && x && x->shape.size() >= 3 ? block : std::nullopt;
}

/// An image or images, with any dimensions before the channels.
struct Pixels {
    std::int64_t outer, channels, height, width;
};

Pixels pixelsOf(const Array &x)
{
    const Sizes outer(x.shape.begin(), x.shape.end() - 3);
    return {countOf(outer), x.shape.end()[-3], x.shape.end()[-2], x.shape.end()[-1]};
}

/// Moves channels into blocks, where the elements of a block come from consecutive channels.
Answer channelsIntoBlocks(const Call &call, const Array &x, std::int64_t b)
{
    const Pixels p = pixelsOf(x);
    return reordered(call, x, {p.outer, p.channels / (b * b), b, b, p.height, p.width}, {0, 1, 4, 2, 5, 3});
}

} // namespace

Answer pixelShuffle(const Call &call)
{
    const Array *x = call.array(0);
    const auto b = blockOf(call, "upscale_factor", x);
    return b ? channelsIntoBlocks(call, *x, *b) : std::nullopt;
}

Answer pixelUnshuffle(const Call &call)
{
    const Array *x = call.array(0);
    const auto b = blockOf(call, "downscale_factor", x);
    if (!b)
        return std::nullopt;
    const Pixels p = pixelsOf(*x);
    return reordered(call, *x, {p.outer, p.channels, p.height / *b, *b, p.width / *b, *b}, {0, 1, 3, 5, 2, 4});
}

Answer depthToSpace(const Call &call)
{
    const Array *x = call.array(0);
    const auto b = blockOf(call, "blocksize", x);
    const std::string_view mode = call.facts().text("mode");
    if (!b || x->shape.size() != 4)
        return std::nullopt;
    if (mode == "CRD")
        return channelsIntoBlocks(call, *x, *b);
    const Pixels p = pixelsOf(*x);
    return reordered(call, *x, {p.outer, *b, *b, p.channels / (*b * *b), p.height, p.width}, {0, 3, 4, 1, 5, 2});
}

Answer spaceToDepth(const Call &call)
{
    const Array *x = call.array(0);
    const auto b = blockOf(call, "blocksize", x);
    if (!b || x->shape.size() != 4)
        return std::nullopt;
    const Pixels p = pixelsOf(*x);
    return reordered(call, *x, {p.outer, p.channels, p.height / *b, *b, p.width / *b, *b}, {0, 3, 5, 1, 2, 4});
}

} // namespace cutaway::compute
