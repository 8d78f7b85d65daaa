// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ops/arguments/pool_arguments.h"
#include "core/ops/arguments/resampling_arguments.h"
#include "core/ops/demands/expected.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/float_values.h"

#include <algorithm>
#include <limits>
#include <set>

// The demands of single operators of ONNX beyond the tables of onnx_inputs.cpp.

namespace cutaway::ops::demand {

using ir::Dim;
using ir::Shape;

namespace {

/// Returns the number of dimensions (rankOf) or of the items of a vector (lengthOf); nothing if it is not known.
std::optional<std::int64_t> rankOf(const Shape *shape)
{
    return shape ? std::optional(std::ssize(*shape)) : std::nullopt;
}

std::optional<std::int64_t> lengthOf(const Shape *shape)
{
    return shape && shape->size() == 1 ? number(shape->front()) : std::nullopt;
}

/// Demands that all axes exist and none is named twice.
Met fitAxes(const std::optional<std::vector<Dim>> &axes, std::size_t rank)
{
    std::set<std::size_t> seen;
    for (const Dim &axis : axes ? *axes : std::vector<Dim>()) {
        const auto known = number(axis);
        const auto at = known ? dimension(*known, rank) : std::nullopt;
        if (known && !at)
            return wrong(formatted("there is no axis {} of {} dimensions", *known, rank));
        if (at && !seen.insert(*at).second)
            return wrong(formatted("the axis {} is given twice", *known));
    }
    return {};
}

/// Demands that the constant elements of an input lie between two numbers.
Met fitElements(const Call &call, std::size_t input, std::string_view name, std::int64_t least, std::int64_t most)
{
    const auto given = call.sizes(input);
    for (const Dim &each : given ? *given : std::vector<Dim>())
        if (const auto known = number(each); known && (*known < least || *known > most))
            return wrong(formatted("{} holds {}, expected is {} to {}", name, *known, least, most));
    return {};
}

} // namespace

Met classTargets(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input || input->size() < 2)
        return {};
    Shape expected = *input;
    expected.erase(expected.begin() + 1);
    CUTAWAY_RETURN_IF_ERROR(
        expectShape(call, 1u, "the target", expected, formatted("as the input is {}", ir::print(*input))));
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 2u, "the weight", {(*input)[1]},
                                        formatted("as there are {} classes", ir::print((*input)[1]))));
    const auto classes = number((*input)[1]), ignored = call.integer("ignore_index");
    const auto targets = call.sizes(1u);
    for (const Dim &target : targets &&classes ? *targets : std::vector<Dim>())
        if (const auto known = number(target); known && known != ignored && (*known < 0 || *known >= *classes))
            return wrong(formatted("the target {} of {} classes", *known, *classes));
    return {};
}

Met boxesAndScores(const Call &call)
{
    const Shape *boxes = call.shape(0u), *scores = call.shape(1u);
    if (boxes && scores && boxes->size() == 3 && scores->size() == 3)
        return expectShape(call, 0u, "the tensor of boxes", {(*scores)[0], (*scores)[2], std::int64_t{4}},
                           formatted("as the scores have the shape {}", ir::print(*scores)));
    return {};
}

Met regionsOfImages(const Call &call)
{
    if (const Shape *regions = call.shape(1u); regions && regions->size() == 2)
        return expectShape(call, 2u, "the tensor of images' indices", {regions->front()}, "one for each region");
    return {};
}

/// Demands that scales and zero points are a single number, a vector with one for each row (or column), or a tensor
/// of the matrix's shape in which the other dimension is 1.
Met quantizedProduct(const Call &call)
{
    struct Factor {
        std::size_t data;
        std::vector<std::size_t> numbers;
        std::size_t line; ///< the dimension whose rows or columns have a number each, counted from the end
    };
    const bool isInteger = call.name() == "MatMulInteger";
    // The last one is the result, which has the rows of the first factor.
    const std::vector<Factor> factors = isInteger ? std::vector<Factor>{{0, {2}, 2}, {1, {3}, 1}}
                                                  : std::vector<Factor>{{0, {1, 2}, 2}, {3, {4, 5}, 1}, {0, {6, 7}, 2}};
    for (const auto &[data, numbers, line] : factors) {
        const Shape *matrix = call.shape(data);
        if (!matrix || matrix->size() < line)
            continue;
        const Dim &count = (*matrix)[matrix->size() - line];
        Shape whole = *matrix;
        whole[matrix->size() - (line == 1 ? std::min<std::size_t>(2, matrix->size()) : 1)] = one;
        if (line == 1)
            whole.back() = count;
        for (const std::size_t each : numbers) {
            const Shape *given = call.shape(each);
            if (!given || mayBeScalar(*given) || mayBe(*given, {count}) || mayBe(*given, whole))
                continue;
            return wrong(formatted("the scale or zero point of shape {} is neither one number nor one for each of {}",
                                   ir::print(*given), ir::print(count)));
        }
    }
    return {};
}

/// Demands that a Resize has either scales or sizes. An empty input counts as left out.
Met fitScalesOrSizes(const Call &call, const ResizeArguments &arguments)
{
    const auto isGiven = [&](std::size_t position) -> std::optional<bool> {
        if (!call.has(position))
            return false;
        const auto length = lengthOf(call.shape(position));
        return length ? std::optional(*length > 0) : std::nullopt;
    };
    const auto scales = isGiven(arguments.scales()), sizes = arguments.isOld ? std::optional(false) : isGiven(3);
    if (scales == false && sizes == false)
        return wrong("it has neither scales nor sizes");
    if (scales == true && sizes == true && call.opset() >= 13)
        return wrong("it has scales and sizes");
    return {};
}

Met resizing(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input)
        return {};
    const ResizeArguments given = resizeArguments(call);
    CUTAWAY_RETURN_IF_ERROR(fitAxes(given.axes.value_or(std::nullopt), input->size()));
    CUTAWAY_RETURN_IF_ERROR(fitScalesOrSizes(call, given));
    const auto factors = floatValues(call[given.scales()]);
    for (const auto &factor : factors ? *factors : std::vector<std::optional<double>>())
        if (factor && *factor <= 0)
            return wrong(formatted("it scales by {}", *factor));
    const std::int64_t axes = given.axes && *given.axes ? std::ssize(**given.axes) : std::ssize(*input);
    const auto region = given.isOld ? std::nullopt : lengthOf(call.shape(1u));
    if (given.coordinates == ResizeCoordinates::TfCropAndResize && region && *region != 2 * axes)
        return wrong(
            formatted("roi has {} numbers, expected are {}, a start and an end for each axis", *region, 2 * axes));
    return {};
}

Met unpooling(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input)
        return {};
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 1u, "the tensor of indices", *input, "as the input has it"));
    const std::size_t dimensions = input->size() < 2 ? 0 : input->size() - 2;
    const std::string reason = formatted("as the input is {}", ir::print(*input));
    CUTAWAY_RETURN_IF_ERROR(expectLength(call, "kernel_shape", dimensions, reason));
    CUTAWAY_RETURN_IF_ERROR(expectLength(call, "strides", dimensions, reason));
    CUTAWAY_RETURN_IF_ERROR(expectLength(call, "pads", 2 * dimensions, reason));
    const auto asked = call.sizes(2u);
    const auto windows = poolArguments(call).windows;
    if (!asked || asked->size() != input->size() || !windows)
        return {};
    for (std::size_t i = 0; i < windows->size(); ++i) {
        const auto least = number(unwindowed((*input)[2 + i], (*windows)[i])), size = number((*asked)[2 + i]);
        if (least && size && *size < *least)
            return wrong(formatted("output_shape has {} where the windows reach to {}", *size, *least));
    }
    return {};
}

Met windowsOfColumns(const Call &call)
{
    const auto dimensions = lengthOf(call.shape(1u));
    if (!dimensions || *dimensions < 0)
        return {};
    const auto count = static_cast<std::size_t>(*dimensions);
    const std::string reason = formatted("as the image has {} dimensions", count);
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 2u, "block_shape", {*dimensions}, reason));
    CUTAWAY_RETURN_IF_ERROR(expectLength(call, "dilations", count, reason));
    CUTAWAY_RETURN_IF_ERROR(expectLength(call, "strides", count, reason));
    return expectLength(call, "pads", 2 * count, reason);
}

Met sequenceLengths(const Call &call)
{
    const Shape *input = call.shape(0u);
    const std::int64_t batch = call.has("batch_axis") ? call.integer("batch_axis").value_or(1) : 1;
    const std::int64_t time = call.has("time_axis") ? call.integer("time_axis").value_or(0) : 0;
    if (batch == time)
        return wrong(formatted("time_axis and batch_axis are both {}", batch));
    if (!input || input->size() < 2 || batch < 0 || batch > 1 || time < 0 || time > 1)
        return {};
    const Dim &count = (*input)[static_cast<std::size_t>(batch)], &length = (*input)[static_cast<std::size_t>(time)];
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 1u, "the tensor of lengths", {count}, "one for each of the batch"));
    return fitElements(call, 1, "the tensor of lengths", 0,
                       number(length).value_or(std::numeric_limits<std::int64_t>::max()));
}

Met ngramPool(const Call &call)
{
    const auto least = call.integer("min_gram_length"), most = call.integer("max_gram_length");
    const auto starts = call.has("ngram_counts") ? call.sizes("ngram_counts") : std::nullopt;
    if (least && most && *most < *least)
        return wrong(formatted("ngrams of {} to {}", *least, *most));
    if (!call.has("pool_int64s") && !call.has("pool_strings"))
        return wrong("it has no pool of n-grams");
    if (!starts || !most)
        return {};
    if (std::ssize(*starts) < *most)
        return wrong(formatted("ngram_counts has {} numbers for n-grams of up to {}", starts->size(), *most));
    const auto pool = call.has("pool_int64s") ? call.sizes("pool_int64s") : std::nullopt;
    const Dim end = pool ? Dim(std::ssize(*pool)) : Dim(ir::UnknownDim{});
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto from = number((*starts)[i]), to = number(i + 1 < starts->size() ? (*starts)[i + 1] : end);
        const auto items = static_cast<std::int64_t>(i) + 1;
        if (from && to && (*from < 0 || *to < *from || (*to - *from) % items != 0))
            return wrong(formatted("the pool's items from {} to {} are no ngrams of {}", *from, *to, items));
    }
    return {};
}

Met repeats(const Call &call)
{
    const auto rank = rankOf(call.shape(0u)), count = lengthOf(call.shape(1u));
    if (rank && count && call.opset() >= 6 && *rank != *count)
        return wrong(formatted("{} repeats for {} dimensions", *count, *rank));
    return {};
}

Met axisNumber(const Call &call)
{
    if (const Shape *input = call.shape(0u))
        return fitAxes(call.sizes(1u), std::max<std::size_t>(input->size(), 1));
    return {};
}

Met offAndOn(const Call &call)
{
    return expectShape(call, 2u, "the tensor of values", {std::int64_t{2}}, "off and on");
}

Met spectrum(const Call &call)
{
    const Shape *signal = call.shape(0u);
    if (!call.has(2u) && !call.has(3u))
        return wrong("it has neither a window nor the length of one");
    if (const auto parts = signal && signal->size() == 3 ? number(signal->back()) : std::nullopt;
        parts && *parts != 1 && *parts != 2)
        return wrong(formatted("a signal of {} parts, expected are 1 or 2", *parts));
    return {};
}

/// The axis must not be the last dimension, which holds the parts of a complex number.
Met transformedAxis(const Call &call)
{
    const Shape *input = call.shape(0u);
    const auto axis = call.opset() >= 20 ? call.integer(2u) : call.has("axis") ? call.integer("axis") : std::nullopt;
    if (!input || !axis)
        return {};
    const auto at = dimension(*axis, input->size());
    if (!at || *at + 1 == input->size())
        return wrong(formatted("there is no axis {} of {} to transform", *axis, ir::print(*input)));
    return {};
}

Met padsOfAxes(const Call &call)
{
    if (const Shape *input = call.shape(0u); input && call.has("axes"))
        return fitAxes(call.sizes("axes"), input->size());
    return {};
}

Met modulo(const Call &call)
{
    const auto dtype = call.dtypeOf(0u);
    const bool hasItsSign = call.has("fmod") && call.integer("fmod") != 0;
    if (dtype && ir::isFloating(*dtype) && !hasItsSign)
        return wrong("fmod has to be 1, as the operands are floats");
    return {};
}

Met steps(const Call &call)
{
    const auto delta = floatValues(call[2u]);
    if (delta && delta->size() == 1 && delta->front() == 0.0)
        return wrong("the steps are of size 0");
    return {};
}

Met droppedShare(const Call &call)
{
    const auto ratio = call.opset() < 12 ? std::nullopt : floatValues(call[1u]);
    if (ratio && ratio->size() == 1 && ratio->front() && (*ratio->front() < 0 || *ratio->front() >= 1))
        return wrong(formatted("the ratio is {}, expected is 0 to less than 1", *ratio->front()));
    return {};
}

Met upsampling(const Call &call)
{
    const auto factors = call.opset() < 9 ? floatValues(call["scales"]) : floatValues(call[1u]);
    for (const auto &factor : factors ? *factors : std::vector<std::optional<double>>())
        if (factor && *factor < 1)
            return wrong(formatted("it scales by {}, expected is 1 or more", *factor));
    return {};
}

} // namespace cutaway::ops::demand
