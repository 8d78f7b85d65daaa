// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/window.h"

#include <algorithm>

namespace cutaway::compute {

namespace {

// The limit of strides, paddings and dilations: no model has larger ones, and their sums stay far from overflowing.
constexpr std::int64_t maxStep = 1 << 20;

bool isOrdinary(const Window &window)
{
    const auto within = [](const Triple &triple, std::int64_t least) {
        return std::ranges::all_of(triple, [&](std::int64_t x) { return x >= least && x <= maxStep; });
    };
    return within(window.kernel, 1) && within(window.stride, 1) && within(window.dilation, 1)
        && within(window.before, 0) && within(window.after, 0);
}

} // namespace

std::optional<Images> imagesOf(const Sizes &shape, std::size_t spatial)
{
    if (spatial < 1 || spatial > 3 || shape.size() < spatial + 1 || shape.size() > spatial + 2)
        return std::nullopt;
    Images images;
    images.count = shape.size() == spatial + 2 ? shape.front() : 1;
    images.channels = shape[shape.size() - spatial - 1];
    std::copy(shape.end() - static_cast<std::ptrdiff_t>(spatial), shape.end(),
              images.size.end() - static_cast<std::ptrdiff_t>(spatial));
    return images;
}

std::optional<Window> windowOf(const ops::Windows &windows, const Triple &input, const Triple &output)
{
    Window result;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const std::size_t d = 3 - windows.size() + i;
        const ops::Window window = ops::paddedExplicitly(windows[i], input[d], output[d]);
        const auto kernel = ops::number(window.kernel), stride = ops::number(window.stride),
                   dilation = ops::number(window.dilation), before = ops::number(window.before),
                   after = ops::number(window.after);
        if (!kernel || !stride || !dilation || !before || !after)
            return std::nullopt;
        result.kernel[d] = *kernel;
        result.stride[d] = *stride;
        result.dilation[d] = *dilation;
        result.before[d] = *before;
        result.after[d] = *after;
    }
    return isOrdinary(result) ? std::optional(result) : std::nullopt;
}

} // namespace cutaway::compute
