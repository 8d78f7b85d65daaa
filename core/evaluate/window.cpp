// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/window.h"

#include <algorithm>

namespace cutaway::evaluate {

namespace {

// Larger strides, paddings and dilations are in no model, and sums of them stay far from overflowing.
constexpr std::int64_t maxStep = 1 << 20;

/// Padding that keeps the size but for the stride.
void padToSame(Window &window, const Triple &input, const Triple &output, bool isUpper)
{
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t extent = window.dilation[d] * (window.kernel[d] - 1) + 1;
        const std::int64_t total = std::max((output[d] - 1) * window.stride[d] + extent - input[d], std::int64_t{0});
        window.before[d] = isUpper ? total / 2 : total - total / 2;
        window.after[d] = total - window.before[d];
    }
}

bool setAtenPadding(const Call &call, std::size_t spatial, Window &window, const Triple &input, const Triple &output)
{
    const std::string_view word = call.facts().text("padding");
    if (word == "same")
        padToSame(window, input, output, true);
    const auto numbers = word.empty() ? perDimension(call.facts()["padding"], spatial, 0) : std::optional(Triple{});
    if (numbers && word.empty())
        window.before = window.after = *numbers;
    return numbers.has_value();
}

bool setOnnxPadding(const Call &call, std::size_t spatial, Window &window, const Triple &input, const Triple &output)
{
    const std::string_view word = call.facts().text("auto_pad");
    if (word.starts_with("SAME"))
        padToSame(window, input, output, word == "SAME_UPPER");
    if ((!word.empty() && word != "NOTSET") || !call.facts().has("pads"))
        return true;
    const auto pads = call.facts().sizes("pads");
    if (!pads || pads->size() != 2 * spatial)
        return false;
    for (std::size_t i = 0; i < spatial; ++i) {
        window.before[3 - spatial + i] = ops::number((*pads)[i]).value_or(-1);
        window.after[3 - spatial + i] = ops::number((*pads)[spatial + i]).value_or(-1);
    }
    return true;
}

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

std::optional<Triple> perDimension(const ops::Fact &fact, std::size_t spatial, std::int64_t defaultValue)
{
    Triple result{defaultValue, defaultValue, defaultValue};
    const auto listed = fact.as<ops::NoneFact>() ? std::vector<ir::Dim>() : ops::asInts(fact);
    if (!listed || (listed->size() > 1 && listed->size() != spatial))
        return std::nullopt;
    for (std::size_t i = 0; i < spatial && !listed->empty(); ++i) {
        const auto number = ops::number((*listed)[listed->size() == 1 ? 0 : i]);
        if (!number)
            return std::nullopt;
        result[3 - spatial + i] = *number;
    }
    return result;
}

std::optional<Window> windowOf(const Call &call, std::size_t spatial, const Triple &kernel, const Triple &stride,
                               const Triple &input, const Triple &output)
{
    const auto &facts = call.facts();
    Window window;
    window.kernel = kernel;
    const bool hasStride =
        !call.isOnnx() && facts.has("stride") && !(facts.sizes("stride") && facts.sizes("stride")->empty());
    const auto strides = call.isOnnx() ? perDimension(facts["strides"], spatial, 1)
        : hasStride                    ? perDimension(facts["stride"], spatial, 1)
                                       : std::optional(stride);
    const auto dilations = perDimension(facts[call.isOnnx() ? "dilations" : "dilation"], spatial, 1);
    if (!strides || !dilations)
        return std::nullopt;
    window.stride = *strides;
    window.dilation = *dilations;
    const bool isPadded = call.isOnnx() ? setOnnxPadding(call, spatial, window, input, output)
                                        : setAtenPadding(call, spatial, window, input, output);
    return isPadded && isOrdinary(window) ? std::optional(window) : std::nullopt;
}

} // namespace cutaway::evaluate
