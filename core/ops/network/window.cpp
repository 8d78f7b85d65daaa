// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/window.h"

namespace cutaway::ops {

using ir::Dim;

namespace {

/// Whether every window starts inside the input even if it may extend past the end: the padding after the input is too
/// small for a window to start there.
bool startsInside(const Window &window)
{
    const auto slack = number(plus(minus(window.after, window.extent()), window.stride));
    return slack && *slack <= 0;
}

/// Returns the padding by name: "same" puts an odd remainder at the end; "valid" and "VALID" mean no padding.
AutoPad autoPadOf(std::string_view word)
{
    if (word == "SAME_LOWER")
        return AutoPad::SameLower;
    return word == "same" || word == "SAME_UPPER" ? AutoPad::SameUpper : AutoPad::NotSet;
}

/// Whether an argument has a number per dimension: it is neither None nor an empty list.
bool isGivenPerDimension(const Fact &fact)
{
    const auto ints = asInts(fact);
    return !fact.as<NoneFact>() && !(ints && ints->empty());
}

} // namespace

Dim Window::extent() const { return plus(times(dilation, minus(kernel, one)), one); }

Dim positions(const Dim &size, const Window &window, Rounding rounding)
{
    if (window.autoPad != AutoPad::NotSet)
        return ceilDivide(size, window.stride);
    const Dim from = plus(size, window.before);
    const Dim room = minus(plus(from, window.after), window.extent());
    if (rounding == Rounding::Floor)
        return plus(floorDivide(room, window.stride), one);
    const Dim ceiled = plus(floorDivide(minus(plus(room, window.stride), one), window.stride), one);
    return startsInside(window) ? ceiled : minimum(ceiled, ceilDivide(from, window.stride));
}

bool isDegenerate(const Window &window)
{
    const auto isNone = [](const Dim &part) { return number(part).value_or(1) < 1; };
    return isNone(window.kernel) || isNone(window.stride) || isNone(window.dilation);
}

bool isTooLarge(const Window &window, const Dim &size, const Dim &positions)
{
    const auto count = number(positions);
    return window.autoPad == AutoPad::NotSet && count && *count < 1 && number(size) != 0;
}

Dim unwindowed(const Dim &positions, const Window &window, const Dim &more)
{
    const Dim overlap = plus(minus(window.extent(), window.stride), more);
    const Dim whole = times(positions, window.stride);
    if (window.autoPad != AutoPad::NotSet) // if windows leave gaps, there is no gap after the last one
        return plus(whole, minimum(overlap, std::int64_t{0}));
    return plus(whole, minus(minus(overlap, window.before), window.after));
}

std::optional<std::vector<Dim>> perDimension(const Fact &fact, std::size_t dimensions, const Dim &defaultValue)
{
    if (fact.as<NoneFact>())
        return std::vector<Dim>(dimensions, defaultValue);
    auto given = asInts(fact);
    if (!given)
        return std::nullopt;
    if (given->size() <= 1 && dimensions != given->size())
        given->assign(dimensions, given->empty() ? defaultValue : Dim(given->front()));
    return given->size() == dimensions ? given : std::nullopt;
}

bool hasChannelsLast(const Call &call)
{
    return call.dialect() == "com.ms.internal.nhwc" || call.name().starts_with("Nhwc")
        || (call.isOnnx() && call.flag("channels_last").value_or(false));
}

std::optional<Windows> windowsOf(const Call &call, const std::vector<Dim> &kernels,
                                 const std::optional<std::vector<Dim>> &defaultStrides)
{
    const std::size_t count = kernels.size();
    const bool isOnnx = call.isOnnx();
    const std::string_view word = call.text(isOnnx ? "auto_pad" : "padding");
    const bool isExplicit = word.empty() || word == "NOTSET";
    auto strides = perDimension(call[isOnnx ? "strides" : "stride"], count, ir::UnknownDim{});
    const auto dilations = perDimension(call[isOnnx ? "dilations" : "dilation"], count, one);
    const auto pads = perDimension(isExplicit ? call[isOnnx ? "pads" : "padding"] : Fact(NoneFact{}),
                                   isOnnx ? 2 * count : count, zero);
    if (!strides || !dilations || !pads)
        return std::nullopt;
    if (!isGivenPerDimension(call[isOnnx ? "strides" : "stride"]))
        strides = isOnnx || !defaultStrides ? std::vector<Dim>(count, one) : *defaultStrides;
    Windows windows;
    for (std::size_t i = 0; i < count; ++i)
        windows.push_back({kernels[i], (*strides)[i], (*dilations)[i], (*pads)[i], (*pads)[pads->size() - count + i],
                           autoPadOf(word)});
    return windows;
}

Window paddedExplicitly(Window window, const Dim &size, const Dim &positions)
{
    if (window.autoPad == AutoPad::NotSet)
        return window;
    const Dim needed = plus(times(minus(positions, one), window.stride), window.extent());
    const Dim total = maximum(minus(needed, size), zero);
    const Dim less = floorDivide(total, std::int64_t{2}), more = minus(total, less);
    window.before = window.autoPad == AutoPad::SameUpper ? less : more;
    window.after = window.autoPad == AutoPad::SameUpper ? more : less;
    window.autoPad = AutoPad::NotSet;
    return window;
}

} // namespace cutaway::ops
