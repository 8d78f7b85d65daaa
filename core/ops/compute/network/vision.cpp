// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/network_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cutaway::compute {

// ---- boxes that overlap

namespace {

struct Box {
    double x1, y1, x2, y2;
    double area() const { return (x2 - x1) * (y2 - y1); }
};

double overlapOf(const Box &a, const Box &b)
{
    const double width = std::max(0.0, std::min(a.x2, b.x2) - std::max(a.x1, b.x1));
    const double height = std::max(0.0, std::min(a.y2, b.y2) - std::max(a.y1, b.y1));
    const double both = width * height, all = a.area() + b.area() - both;
    return all > 0 ? both / all : 0;
}

/// Returns the indices of at most `limit` boxes by falling scores, equal scores in the order of the boxes. A box is
/// left out if its overlap with a kept box is more than `threshold`, or its score is at most `least`.
std::vector<std::int64_t> kept(const std::vector<Box> &boxes, std::span<const double> scores, double threshold,
                               std::size_t limit, double least)
{
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < std::ssize(boxes); ++i)
        if (scores[static_cast<std::size_t>(i)] > least)
            order.push_back(i);
    const auto score = [&](std::int64_t i) { return scores[static_cast<std::size_t>(i)]; };
    std::ranges::stable_sort(order, std::greater(), score);
    std::vector<std::int64_t> result;
    for (const std::int64_t candidate : order) {
        if (result.size() == limit)
            break;
        if (std::ranges::none_of(result, [&](std::int64_t before) {
                return overlapOf(boxes[static_cast<std::size_t>(before)], boxes[static_cast<std::size_t>(candidate)])
                    > threshold;
            }))
            result.push_back(candidate);
    }
    return result;
}

Box boxAt(const std::vector<double> &floats, std::size_t at, bool isCentered)
{
    const double a = floats[at], b = floats[at + 1], c = floats[at + 2], d = floats[at + 3];
    if (isCentered) // x, y, width, height
        return {a - c / 2, b - d / 2, a + c / 2, b + d / 2};
    return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
}

std::optional<double> numberAt(const Call &call, std::size_t position, double fallback)
{
    const Array *given = call.array(position);
    if (!call.facts().has(position))
        return fallback;
    return given && given->count() == 1 ? std::optional(floatsOf(*given).front()) : std::nullopt;
}

/// torchvision::nms(boxes, scores, threshold)
Answer keptBoxes(const Call &call)
{
    const Array *boxes = call.array(0), *scores = call.array(1);
    const auto threshold = call.facts().floating(2);
    if (!boxes || !scores || !threshold || boxes->shape.size() != 2 || boxes->shape[1] != 4
        || scores->count() * 4 != boxes->count())
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*boxes), weights = floatsOf(*scores);
    std::vector<Box> all;
    for (std::size_t i = 0; i < weights.size(); ++i)
        all.push_back({floats[4 * i], floats[4 * i + 1], floats[4 * i + 2], floats[4 * i + 3]});
    auto result = kept(all, weights, *threshold, all.size(), -std::numeric_limits<double>::infinity());
    const auto count = std::ssize(result);
    return answer(Array{ir::DType::Int64, {count}, std::move(result)});
}

/// The arguments of onnx::NonMaxSuppression.
struct BoxChoice {
    const Array &boxes, &scores; ///< [batch, boxes, 4], [batch, classes, boxes]
    std::size_t limit;           ///< the most boxes of one class
    double threshold, least;
    bool isCentered;
};

std::optional<BoxChoice> boxChoiceOf(const Call &call)
{
    const Array *boxes = call.array(0), *scores = call.array(1);
    const auto limit = numberAt(call, 2, 0), threshold = numberAt(call, 3, 0),
               least = numberAt(call, 4, -std::numeric_limits<double>::infinity());
    const auto isCentered = call.flag("", "center_point_box", false);
    if (!hasRank(boxes, 3) || !hasRank(scores, 3) || !areKnown(limit, threshold, least, isCentered)
        || boxes->shape[2] != 4 || boxes->shape[1] != scores->shape[2] || boxes->shape[0] != scores->shape[0])
        return std::nullopt;
    const auto most = static_cast<double>(boxes->shape[1]);
    return BoxChoice{*boxes,     *scores, static_cast<std::size_t>(*limit > 0 ? std::min(*limit, most) : 0),
                     *threshold, *least,  *isCentered};
}

} // namespace

/// The result has a row (batch, class, box) for each box that is kept.
Answer nonMaxSuppression(const Call &call)
{
    if (!call.isOnnx())
        return keptBoxes(call);
    const auto given = boxChoiceOf(call);
    if (!given)
        return std::nullopt;
    const std::vector<double> floats = floatsOf(given->boxes), weights = floatsOf(given->scores);
    const auto count = static_cast<std::size_t>(given->boxes.shape[1]);
    const std::int64_t categories = given->scores.shape[1];
    std::vector<Whole> rows;
    for (std::int64_t batch = 0; batch < given->boxes.shape[0]; ++batch) {
        std::vector<Box> all;
        for (std::size_t i = 0; i < count; ++i)
            all.push_back(boxAt(floats, (static_cast<std::size_t>(batch) * count + i) * 4, given->isCentered));
        for (std::int64_t category = 0; category < categories; ++category) {
            const auto start = static_cast<std::size_t>(batch * categories + category) * count;
            const auto own =
                kept(all, std::span(weights).subspan(start, count), given->threshold, given->limit, given->least);
            for (const std::int64_t box : own)
                rows.insert(rows.end(), {batch, category, box});
        }
    }
    const auto found = std::ssize(rows) / 3;
    return answer(Array{ir::DType::Int64, {found, 3}, std::move(rows)});
}

// ---- regions of images

namespace {

/// Interpolates bilinearly in a plane of an image. `combine` gets the four weighted neighbours.
double interpolated(std::span<const double> plane, std::int64_t height, std::int64_t width, double y, double x,
                    const auto &combine)
{
    if (y < -1 || y > static_cast<double>(height) || x < -1 || x > static_cast<double>(width))
        return 0;
    y = std::max(y, 0.0);
    x = std::max(x, 0.0);
    auto top = static_cast<std::int64_t>(y), left = static_cast<std::int64_t>(x);
    const std::int64_t bottom = std::min(top + 1, height - 1), right = std::min(left + 1, width - 1);
    if (top >= height - 1) {
        top = height - 1;
        y = static_cast<double>(top);
    }
    if (left >= width - 1) {
        left = width - 1;
        x = static_cast<double>(left);
    }
    const double ly = y - static_cast<double>(top), lx = x - static_cast<double>(left);
    const auto at = [&](std::int64_t row, std::int64_t column) {
        return plane[static_cast<std::size_t>(row * width + column)];
    };
    return combine(std::array{(1 - ly) * (1 - lx) * at(top, left), (1 - ly) * lx * at(top, right),
                              ly * (1 - lx) * at(bottom, left), ly * lx * at(bottom, right)});
}

struct Alignment {
    double scale, offset;
    std::int64_t height, width, samples;
    bool isMax, isAligned;
};

double alignedAt(std::span<const double> plane, const Sizes &image, const Alignment &how, std::span<const double> box,
                 std::int64_t row, std::int64_t column)
{
    const double x1 = box[0] * how.scale - how.offset, y1 = box[1] * how.scale - how.offset;
    double width = box[2] * how.scale - how.offset - x1, height = box[3] * how.scale - how.offset - y1;
    if (!how.isAligned) {
        width = std::max(width, 1.0);
        height = std::max(height, 1.0);
    }
    const double binHeight = height / static_cast<double>(how.height),
                 binWidth = width / static_cast<double>(how.width);
    const auto rows = how.samples > 0 ? how.samples : static_cast<std::int64_t>(std::ceil(binHeight));
    const auto columns = how.samples > 0 ? how.samples : static_cast<std::int64_t>(std::ceil(binWidth));
    double sum = 0, largest = -std::numeric_limits<double>::infinity();
    const auto total = [](const auto &parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); };
    const auto top = [](const auto &parts) { return std::ranges::max(parts); };
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t k = 0; k < columns; ++k) {
            const double y = y1 + static_cast<double>(row) * binHeight
                + (static_cast<double>(i) + 0.5) * binHeight / static_cast<double>(rows);
            const double x = x1 + static_cast<double>(column) * binWidth
                + (static_cast<double>(k) + 0.5) * binWidth / static_cast<double>(columns);
            if (how.isMax)
                largest = std::max(largest, interpolated(plane, image[2], image[3], y, x, top));
            else
                sum += interpolated(plane, image[2], image[3], y, x, total);
        }
    return how.isMax ? largest : sum / static_cast<double>(std::max<std::int64_t>(rows * columns, 1));
}

std::optional<Alignment> alignmentOf(const Call &call, const Sizes &shape)
{
    Alignment how{1, 0, shape[2], shape[3], 0, false, false};
    if (call.isOnnx()) {
        const bool isOld = call.facts().opset() < 16;
        const std::string_view given = call.facts().text("coordinate_transformation_mode");
        how.isAligned = !isOld && given != "output_half_pixel";
        how.isMax = call.facts().text("mode") == "max";
        how.samples = call.integer("", "sampling_ratio", 0).value_or(-1);
        how.scale = call.number("", "spatial_scale", 1).value_or(0);
    } else {
        const auto aligned = call.facts().flag("aligned");
        const auto scale = call.facts().floating("spatial_scale");
        const auto samples = call.facts().integer("sampling_ratio");
        if (!aligned || !scale || !samples)
            return std::nullopt;
        how.isAligned = *aligned;
        how.scale = *scale;
        how.samples = *samples;
    }
    how.offset = how.isAligned ? 0.5 : 0;
    return how;
}

/// A region (x1, y1, x2, y2) of one image of the batch.
struct Region {
    std::int64_t image;
    std::array<double, 4> box;
};

/// Returns the regions of onnx::RoiAlign(x, boxes, images), or of torchvision::roi_align(x, boxes, …), whose boxes
/// start with the index of their image; nothing if an image is out of range.
std::optional<std::vector<Region>> regionsOf(const Call &call, std::int64_t images)
{
    const Array *boxes = call.array(1), *indices = call.isOnnx() ? call.array(2) : nullptr;
    const std::size_t wide = call.isOnnx() ? 4 : 5;
    if (!hasRank(boxes, 2) || std::cmp_not_equal(boxes->shape[1], wide))
        return std::nullopt;
    const auto count = static_cast<std::size_t>(boxes->shape[0]);
    if (call.isOnnx() && (!isWhole(indices) || indices->count() != count))
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*boxes);
    std::vector<Region> regions;
    for (std::size_t i = 0; i < count; ++i) {
        const double *row = &floats[i * wide];
        const double image = indices ? static_cast<double>(indices->as<Whole>()[i]) : row[0];
        if (!(image >= 0 && image < static_cast<double>(images)))
            return std::nullopt;
        const double *box = row + wide - 4;
        regions.push_back({static_cast<std::int64_t>(image), {box[0], box[1], box[2], box[3]}});
    }
    return regions;
}

} // namespace

Answer roiAlign(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!hasRank(x, 4) || !shape || shape->size() != 4)
        return std::nullopt;
    const auto regions = regionsOf(call, x->shape[0]);
    const auto how = alignmentOf(call, *shape);
    if (!regions || !how)
        return std::nullopt;
    const std::vector<double> image = floatsOf(*x);
    const auto plane = static_cast<std::size_t>(x->shape[2] * x->shape[3]);
    std::vector<double> result;
    for (const Region &region : *regions)
        for (std::int64_t c = 0; c < x->shape[1]; ++c)
            for (std::int64_t i = 0; i < how->height * how->width; ++i)
                result.push_back(alignedAt(
                    std::span(image).subspan(static_cast<std::size_t>(region.image * x->shape[1] + c) * plane, plane),
                    x->shape, *how, region.box, i / how->width, i % how->width));
    return answer(*shape, std::move(result));
}

namespace {

/// The positions along one dimension that a part of a region covers.
struct Extent {
    std::int64_t begin, end;
};

/// Returns one of the `parts` of a region from `first` to `last`, both included; neighbouring parts may overlap.
Extent partOf(double first, double last, std::int64_t part, std::int64_t parts, std::int64_t size)
{
    const double length = std::max(last - first + 1, 1.0) / static_cast<double>(parts), at = static_cast<double>(part);
    const auto within = [&](double place) {
        return static_cast<std::int64_t>(std::clamp(place + first, 0.0, static_cast<double>(size)));
    };
    return {within(std::floor(at * length)), within(std::ceil((at + 1) * length))};
}

/// The largest element of a part of a plane; 0 if the part is empty.
double largestWithin(std::span<const double> plane, std::int64_t width, Extent rows, Extent columns)
{
    std::optional<double> largest;
    for (std::int64_t row = rows.begin; row < rows.end; ++row)
        for (std::int64_t column = columns.begin; column < columns.end; ++column) {
            const double element = plane[static_cast<std::size_t>(row * width + column)];
            largest = largest ? std::max(*largest, element) : element;
        }
    return largest.value_or(0);
}

} // namespace

/// Computes onnx::MaxRoiPool(x, regions): a region is (image, x1, y1, x2, y2), rounded to integer positions; an empty
/// part is 0.
Answer maxRoiPool(const Call &call)
{
    const Array *x = call.array(0), *regions = call.array(1);
    const auto shape = call.shape();
    const auto scale = call.number("", "spatial_scale", 1);
    if (!hasRank(x, 4) || !hasRank(regions, 2) || regions->shape[1] != 5 || !areKnown(shape, scale)
        || shape->size() != 4)
        return std::nullopt;
    const std::vector<double> image = floatsOf(*x), boxes = floatsOf(*regions);
    const std::int64_t height = x->shape[2], width = x->shape[3];
    const auto size = static_cast<std::size_t>(height * width);
    std::vector<double> result;
    for (std::int64_t r = 0; r < regions->shape[0]; ++r) {
        const auto box = std::span(boxes).subspan(static_cast<std::size_t>(r * 5), 5);
        if (!std::ranges::all_of(box, [](double each) { return std::isfinite(each); }) || box[0] < 0
            || box[0] >= static_cast<double>(x->shape[0]))
            return std::nullopt;
        const auto placed = [&](std::size_t i) { return std::round(box[i] * *scale); };
        const auto batch = static_cast<std::int64_t>(box[0]);
        for (std::int64_t c = 0; c < x->shape[1]; ++c) {
            const auto plane = std::span(image).subspan(static_cast<std::size_t>(batch * x->shape[1] + c) * size, size);
            for (std::int64_t i = 0; i < (*shape)[2]; ++i)
                for (std::int64_t k = 0; k < (*shape)[3]; ++k)
                    result.push_back(largestWithin(plane, width, partOf(placed(2), placed(4), i, (*shape)[2], height),
                                                   partOf(placed(1), placed(3), k, (*shape)[3], width)));
        }
    }
    return answer(*shape, std::move(result));
}

} // namespace cutaway::compute
