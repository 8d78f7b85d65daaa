// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/rules/rules.h"

#include <algorithm>

// The rules for torchvision's own operators on boxes and regions of images.

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

Term columns(const Term &x, std::int64_t begin, std::int64_t end) { return slice(x, 1, begin, end); }

/// Makes nms(boxes, scores, threshold), which returns the indices of the boxes that are kept, best first. ONNX's
/// operator does that for each image and class.
Results nmsRule(L &l)
{
    const Term boxes = unsqueeze(l.as(0, DType::Float32), {0}), scores = l.as(1, DType::Float32);
    const Term threshold = l.floats({static_cast<float>(l.number("iou_threshold"))});
    const Term kept =
        l.make("NonMaxSuppression", {boxes, unsqueeze(scores, {0, 1}), vectorOf(sizeOf(scores, 0)), threshold}, {},
               DType::Int64);
    return {squeeze(columns(kept, 2, 3), {1})};
}

/// Makes roi_align(x, [image, left, top, right, bottom], …).
Results roiAlignRule(L &l)
{
    const bool isAligned = l.flag("aligned");
    if (isAligned && l.opset() < 16)
        return l.refuse("aligned regions need opset 16");
    const Term regions = l.as(1, l.dtype(0));
    L::Attributes attributes{{"output_height", l.integer("pooled_height")},
                             {"output_width", l.integer("pooled_width")},
                             {"sampling_ratio", std::max<std::int64_t>(l.integer("sampling_ratio"), 0)},
                             {"spatial_scale", l.number("spatial_scale")}};
    if (l.opset() >= 16)
        attributes.emplace_back("coordinate_transformation_mode",
                                ir::String{l.graph().context().name(isAligned ? "half_pixel" : "output_half_pixel")});
    const Term images = cast(squeeze(columns(regions, 0, 1), {1}), DType::Int64);
    return {l.make("RoiAlign", {l[0], columns(regions, 1, 5), images}, attributes)};
}

constexpr LoweringRule visionRules[] = {
    {"torchvision::nms", nmsRule},
    {"torchvision::roi_align", roiAlignRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family vision() { return {.toOnnx = to_onnx::visionRules}; }

} // namespace cutaway::rules
