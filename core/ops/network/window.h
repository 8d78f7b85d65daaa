// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

#include <optional>
#include <vector>

namespace cutaway::ops {

/// The padding of a window, by the words of ONNX's `auto_pad`. With SameUpper and SameLower the result is as large as
/// the input divided by the stride; an odd element of padding is at the end (upper) or at the beginning (lower).
enum class AutoPad : std::uint8_t { NotSet, SameUpper, SameLower };

/// A window of a convolution or a pool that moves along one dimension.
struct Window {
    ir::Dim kernel = ir::UnknownDim{};
    ir::Dim stride = std::int64_t{1};
    ir::Dim dilation = std::int64_t{1};
    ir::Dim before = std::int64_t{0}; ///< the padding, if autoPad is NotSet
    ir::Dim after = std::int64_t{0};
    AutoPad autoPad = AutoPad::NotSet;

    ir::Dim extent() const; ///< the number of elements that the window spans: dilation * (kernel - 1) + 1
};
using Windows = std::vector<Window>;

/// How far the last window may extend.
enum class Rounding : std::uint8_t {
    Floor, ///< the last window lies inside the padded input
    Ceil,  ///< the last window may extend past the padded input, but starts in the input or in the padding before it
};

/// The number of positions of the window along a dimension of this size, which is the size of the result.
ir::Dim positions(const ir::Dim &size, const Window &window, Rounding rounding = Rounding::Floor);

/// Whether the window certainly covers nothing, or certainly never moves on.
bool isDegenerate(const Window &window);

/// Whether the window is certainly too large for the input; an empty input has an empty result.
bool isTooLarge(const Window &window, const ir::Dim &size, const ir::Dim &positions);

/// Returns the size of the input that a window moves over in the given number of positions, for transposed
/// convolutions and unpooling, with `more` elements at its end. With an autoPad the size follows from the stride.
ir::Dim unwindowed(const ir::Dim &positions, const Window &window, const ir::Dim &more = std::int64_t{0});

/// Returns the ints of an argument, one per dimension: a single int is for all, None or an empty list means
/// `defaultValue`. Nothing if the argument has another number of ints, or is not known.
std::optional<std::vector<ir::Dim>> perDimension(const Fact &fact, std::size_t dimensions, const ir::Dim &defaultValue);

/// The window with `autoPad` written out as `before` and `after`, for an input and a result of these sizes.
Window paddedExplicitly(Window window, const ir::Dim &size, const ir::Dim &positions);

/// Whether the channels are the last dimension, by the dialect, the name or an attribute of operators of ONNX Runtime.
bool hasChannelsLast(const Call &call);

/// Returns windows with these kernels, and with ONNX's attributes strides, dilations, pads and auto_pad, or torch's
/// arguments stride, dilation and padding (numbers, "same" or "valid"). If no stride is given it is 1, or for torch
/// `defaultStrides`. Nothing if an argument is not known or has another number of elements than there are kernels.
std::optional<Windows> windowsOf(const Call &call, const std::vector<ir::Dim> &kernels,
                                 const std::optional<std::vector<ir::Dim>> &defaultStrides = {});

} // namespace cutaway::ops
