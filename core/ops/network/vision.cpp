// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/vision.h"

#include "core/ops/compute/network/network_rules.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/float_values.h"

#include <algorithm>
#include <functional>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

Dim sizeOf(const Call &call, std::string_view name) { return call.size(name).value_or(ir::UnknownDim{}); }

// ---- Regions of interest: one result per row of `rois`

/// Returns [regions, C / divisor, height, width] for an input [N, C, H, W].
Answer regionPool(const Call &call, const Dim &divisor, const Dim &height, const Dim &width)
{
    const Shape *input = call.shape(0u), *rois = call.shape(1u);
    const Dim regions = rois && !rois->empty() ? rois->front() : Dim(ir::UnknownDim{});
    if (!input || input->size() < 2)
        return {Facts{tensorFact(call.dtypeOf(0u), Shape{regions, ir::UnknownDim{}, height, width})},
                unknown("input rank unknown")};
    return {tensorFact(call.dtypeOf(0u), Shape{regions, floorDivide((*input)[1], divisor), height, width})};
}

/// Returns the results of torchvision's operators. All but roi_align also return indices of the same shape; for ps_
/// operators each position of the result has channels of its own.
Answer roiPool(const Call &call)
{
    const Dim height = sizeOf(call, "pooled_height"), width = sizeOf(call, "pooled_width");
    const bool isPositionSensitive = call.name().starts_with("ps_");
    Answer answer = regionPool(call, isPositionSensitive ? times(height, width) : Dim(one), height, width);
    const TensorFact *pooled = answer.facts.empty() ? nullptr : asTensor(answer.facts[0]);
    if (pooled && call.name() != "roi_align")
        answer.facts.push_back(tensorFact(DType::Int32, pooled->shape));
    return answer;
}

Answer roiAlign(const Call &call)
{
    const auto at = [&](std::string_view name) { return call.has(name) ? sizeOf(call, name) : Dim(one); };
    return regionPool(call, one, at("output_height"), at("output_width"));
}

Answer maxRoiPool(const Call &call)
{
    const auto size = call.sizes("pooled_shape");
    if (!size || size->size() != 2)
        return wrong("pooled_shape must have two sizes");
    return regionPool(call, one, size->front(), size->back());
}

// ---- Boxes

Answer nms(const Call &call)
{
    const Shape *boxes = call.shape(0u);
    return {
        tensorFact(DType::Int64, Shape{call.freshSize(boxes && !boxes->empty() ? boxes->front() : ir::UnknownDim{})})};
}

using Floats = std::vector<float>;

std::optional<Floats> knownFloats(const Fact &fact)
{
    const auto values = orderedFloatValues(fact);
    if (!values)
        return std::nullopt;
    Floats all;
    for (const double value : *values)
        all.push_back(static_cast<float>(value));
    return all;
}

/// A box that is given by two opposite corners (y1, x1, y2, x2), or by its centre, width and height.
struct Box {
    float left, top, right, bottom;

    Box(std::span<const float> given, bool isCentred)
        : left(isCentred ? given[0] - given[2] / 2 : std::min(given[1], given[3])),
          top(isCentred ? given[1] - given[3] / 2 : std::min(given[0], given[2])),
          right(isCentred ? given[0] + given[2] / 2 : std::max(given[1], given[3])),
          bottom(isCentred ? given[1] + given[3] / 2 : std::max(given[0], given[2]))
    {
    }
    float area() const { return (right - left) * (bottom - top); }
};

bool overlaps(const Box &a, const Box &b, float threshold)
{
    const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
    const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    const float common = width * height;
    return width > 0 && height > 0 && common / (a.area() + b.area() - common) > threshold;
}

/// Returns how many boxes of a class are kept, at most `most`: the best ones first, without any that overlaps a kept
/// one.
std::int64_t keptBoxes(std::span<const float> boxes, std::span<const float> scores, const Call &call, std::int64_t most)
{
    const auto threshold = static_cast<float>(call.floating(3u).value_or(0));
    const auto least = call.has(4u) ? call.floating(4u) : std::nullopt;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (!least || scores[i] > static_cast<float>(*least))
            order.push_back(i);
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return scores[i]; });
    std::vector<Box> kept;
    for (const std::size_t i : order) {
        const Box box(boxes.subspan(4 * i, 4), call.flag("center_point_box").value_or(false));
        if (std::ssize(kept) < most
            && std::ranges::none_of(kept, [&](const Box &other) { return overlaps(box, other, threshold); }))
            kept.push_back(box);
    }
    return std::ssize(kept);
}

/// Returns how many boxes [batches, n, 4] with scores [batches, classes, n] are kept; nothing unless they are constant.
std::optional<std::int64_t> keptBoxes(const Call &call, std::int64_t most)
{
    const auto boxes = knownFloats(call[0u]), scores = knownFloats(call[1u]);
    const Shape *shape = call.shape(1u);
    if (!boxes || !scores || !shape || shape->size() != 3 || (call.has(3u) && !call.floating(3u))
        || (call.has(4u) && !call.floating(4u)))
        return std::nullopt;
    const auto batches = number((*shape)[0]), classes = number((*shape)[1]), count = number((*shape)[2]);
    const auto total = number(elementsOf(*shape));
    if (!total || *total == 0 || std::ssize(*scores) != *total || std::ssize(*boxes) != *batches * *count * 4)
        return std::nullopt;
    const auto each = static_cast<std::size_t>(*count);
    std::int64_t kept = 0;
    for (std::size_t row = 0; row < scores->size() / each; ++row) {
        const std::size_t batch = row / static_cast<std::size_t>(*classes);
        kept += keptBoxes(std::span(*boxes).subspan(batch * each * 4, each * 4),
                          std::span(*scores).subspan(row * each, each), call, most);
    }
    return kept;
}

/// Returns a row (batch, class, box) for each kept box. Without max_output_boxes_per_class none is kept.
Answer nonMaxSuppression(const Call &call)
{
    const auto most = call.has(2u) ? call.integer(2u) : std::optional<std::int64_t>(0);
    const auto kept = most == 0 ? most : most ? keptBoxes(call, *most) : std::nullopt;
    const Shape *scores = call.shape(1u); // [batches, classes, boxes]
    Dim limit = ir::UnknownDim{};
    if (scores && scores->size() == 3)
        limit = times(times((*scores)[0], (*scores)[1]), most ? minimum((*scores)[2], *most) : (*scores)[2]);
    return {tensorFact(DType::Int64, Shape{kept ? Dim(*kept) : call.freshSize(limit), std::int64_t{3}})};
}

Answer boxOverlaps(const Call &call)
{
    const Shape *a = call.shape(0u), *b = call.shape(1u);
    if (!a || !b || a->empty() || b->empty())
        return unknown("number of boxes unknown");
    return {tensorFact(call.dtypeOf(0u), Shape{a->front(), b->front()})};
}

// ---- Images

/// ONNX: returns [height, width, channels].
Answer imageDecoder(const Call &call)
{
    const std::int64_t channels = call.text("pixel_format") == "Grayscale" ? 1 : 3;
    return {tensorFact(DType::UInt8, Shape{call.freshSize("height"), call.freshSize("width"), channels})};
}

/// torchvision: returns [channels, height, width]. The mode gives the number of channels; 0: that of the file.
Answer decodeImage(const Call &call)
{
    const auto mode = call.integer("mode");
    const Dim channels = mode && *mode >= 1 && *mode <= 4 ? Dim(*mode) : call.freshSize("channels");
    return {tensorFact(DType::UInt8, Shape{channels, call.freshSize("height"), call.freshSize("width")})};
}

/// com.microsoft: returns [regions, C, height, width]; a tensor gives the last two sizes.
Answer cropAndResize(const Call &call)
{
    const auto size = call.sizes(3u);
    const bool isKnown = size && size->size() == 2;
    return regionPool(call, one, isKnown ? size->front() : ir::UnknownDim{}, isKnown ? size->back() : ir::UnknownDim{});
}

constexpr Operator visionRows[] = {
    Operator("torchvision::roi_align", Category::Reduction, Pattern::Combining, roiPool, onePerResult,
             {.compute = compute::roiAlign}),
    Operator("torchvision::roi_pool torchvision::ps_roi_align torchvision::ps_roi_pool", Category::Reduction,
             Pattern::Combining, roiPool, onePerResult),
    Operator("onnx::RoiAlign", Category::Reduction, Pattern::Combining, roiAlign, onePerResult,
             {.compute = compute::roiAlign, .demand = demand::regionsOfImages}),
    Operator("onnx::MaxRoiPool", Category::Reduction, Pattern::Combining, maxRoiPool, onePerResult,
             {.compute = compute::maxRoiPool}),
    Operator("com.microsoft::CropAndResize", Category::ShapeView, Pattern::Other, cropAndResize, onePerResult),
    Operator("torchvision::nms", Category::Reduction, Pattern::Combining, nms, onePerArgument,
             {.compute = compute::nonMaxSuppression}),
    Operator("onnx::NonMaxSuppression", Category::Reduction, Pattern::Combining, nonMaxSuppression, onePerArgument,
             {.compute = compute::nonMaxSuppression, .demand = demand::boxesAndScores}),
    Operator("torchvision::box_iou_rotated detectron2::box_iou_rotated", Category::Elementwise, Pattern::Pointwise,
             boxOverlaps, onePerResult),
    Operator("onnx::ImageDecoder", Category::Creation, Pattern::Creating, imageDecoder, onePerResult),
    Operator("image::decode_image image::decode_jpeg image::decode_png", Category::Creation, Pattern::Creating,
             decodeImage, onePerResult),
};

} // namespace

std::span<const Operator> visionOperators() { return visionRows; }

} // namespace cutaway::ops
