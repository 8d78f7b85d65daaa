// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"

namespace cutaway::ops {

/// How an element of a resampled image is computed from the input's elements around its position.
enum class Interpolation : std::uint8_t {
    Nearest,      ///< the element that is nearest to the position; torch resizes with the element before the position
    NearestExact, ///< when resizing in torch: the element whose centre is nearest to the position
    Linear,
    Cubic,
};

/// The arguments of torch's upsample_nearest2d and the like, and of interpolate.
struct UpsampleArguments {
    std::optional<Interpolation> interpolation; ///< nothing: not known, or none of these
    std::optional<bool> alignsCorners = false;
    std::optional<bool> isAntialiased = false;
    /// The sizes of the result's spatial dimensions; a single size is for all of them.
    Given<std::vector<ir::Dim>> sizes;
    /// The factors of the spatial dimensions. If `sizes` are given as well, the factors decide only which positions of
    /// the input are read.
    std::vector<Given<double>> scales;
    /// Whether positions follow from the sizes, although there are scales; nothing: not known.
    std::optional<bool> recomputesScales = false;

    /// Returns the factor that decides positions along a spatial dimension; not given: the quotient of the dimension's
    /// sizes decides.
    Given<double> positionScale(std::size_t spatialDim) const;
};

/// Reads the arguments for an input with `spatialRank` spatial dimensions. A list of one scale is repeated for all of
/// them; a list of another wrong length is kept as it is.
UpsampleArguments upsampleArguments(const Call &call, std::size_t spatialRank);

/// How ONNX's Resize computes the coordinate in the input of a position in the result: its
/// coordinate_transformation_mode.
enum class ResizeCoordinates : std::uint8_t {
    HalfPixel,
    HalfPixelSymmetric,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
    TfCropAndResize,
    TfHalfPixelForNn,
};
/// How ONNX's Resize rounds a coordinate to the nearest element: its nearest_mode.
enum class ResizeRounding : std::uint8_t {
    HalfDown, ///< round_prefer_floor
    HalfUp,   ///< round_prefer_ceil
    Down,
    Up,
};
/// How ONNX's Resize keeps the aspect ratio where sizes are given: its keep_aspect_ratio_policy.
enum class ResizePolicy : std::uint8_t { Stretch, NotLarger, NotSmaller };

// onnxName() returns ONNX's word for an enumerator: "half_pixel", "round_prefer_floor".
std::string_view onnxName(ResizeCoordinates coordinates);
std::string_view onnxName(ResizeRounding rounding);

/// The arguments of ONNX's Resize and Upsample, without tensors. A member that is nothing is not known, or is a word
/// that ONNX does not define.
struct ResizeArguments {
    std::optional<Interpolation> interpolation; ///< Nearest, Linear or Cubic
    std::optional<ResizeCoordinates> coordinates;
    std::optional<ResizeRounding> rounding;
    std::optional<ResizePolicy> policy;
    std::optional<double> cubicCoefficient, extrapolation;
    std::optional<bool> excludesOutside, isAntialiased;
    /// Whether the operator is Upsample, or Resize before opset 11. Where it shrinks a dimension, it takes as the
    /// nearest element the one at the coordinate rounded up.
    bool isOld;
    Given<std::vector<ir::Dim>> axes; ///< not given: all axes

    /// The position of the input with the scales.
    std::size_t scales() const { return isOld ? 1 : 2; }
    /// Returns the axes that are resized; nothing if they are not known, or not all are axes of this rank.
    std::optional<std::vector<std::size_t>> resizedAxes(std::size_t rank) const;
};

ResizeArguments resizeArguments(const Call &call);

/// The arguments of torch's grid_sampler_2d and the like, and of ONNX's GridSample. A member that is nothing is not
/// known, or has a value that the enum lacks.
struct GridSampleArguments {
    /// The elements that an image has outside of its borders.
    enum class Outside : std::uint8_t {
        Zeros,
        Border,     ///< its outermost elements
        Reflection, ///< the image, mirrored
    };
    std::optional<Interpolation> interpolation; ///< never NearestExact
    std::optional<Outside> outside;
    std::optional<bool> alignsCorners;
};

GridSampleArguments gridSampleArguments(const Call &call);

} // namespace cutaway::ops
