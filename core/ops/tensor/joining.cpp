// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/joining.h"

#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/facts/size_algebra.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <utility>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

/// Returns the tensors of a list argument; nothing if their number is not known.
std::optional<std::vector<TensorFact>> tensorsOf(const Fact &list)
{
    const auto *sequence = list.as<SequenceFact>();
    if (!sequence || !sequence->items())
        return std::nullopt;
    std::vector<TensorFact> tensors;
    for (const Fact &item : sequence->each()) {
        const TensorFact *tensor = asTensor(item);
        tensors.push_back(tensor ? *tensor : TensorFact());
    }
    return tensors;
}

std::optional<std::vector<TensorFact>> tensorsOf(const Call &call)
{
    if (!call.isOnnx() || call[0u].as<SequenceFact>())
        return tensorsOf(call[0u]);
    std::vector<TensorFact> tensors;
    for (std::size_t i = 0; i < call.inputCount(); ++i)
        tensors.push_back(call.tensor(i) ? *call.tensor(i) : TensorFact());
    return tensors;
}

std::optional<ir::DType> commonType(std::span<const TensorFact> tensors)
{
    std::optional<ir::DType> common;
    for (const TensorFact &tensor : tensors) {
        if (!tensor.dtype)
            return std::nullopt;
        common = common ? promote(*common, *tensor.dtype) : *tensor.dtype;
    }
    return common;
}

/// Returns the answer for a list of unknown length: only the dtype of its items.
Answer joinedUnknown(const Call &call, std::string reason)
{
    const auto *list = call[0u].as<SequenceFact>();
    const TensorFact *item = list && !list->each().empty() ? asTensor(list->each().front()) : nullptr;
    return {Facts{tensorFact(item ? item->dtype : call.dtypeOf(0u))}, unknown(std::move(reason))};
}

/// Returns the list, if its length is unknown and all its tensors are like the first item; else nullptr.
const SequenceFact *alike(const Call &call)
{
    const auto *list = call[0u].as<SequenceFact>();
    const TensorFact *item = list && !list->items() ? asTensor(list->each().front()) : nullptr;
    return item && item->shape ? list : nullptr;
}

/// Whether a tensor is an empty vector, which PyTorch's cat ignores whatever the other tensors' ranks are.
bool isLegacyEmpty(const TensorFact &tensor) { return tensor.shape && *tensor.shape == Shape{std::int64_t{0}}; }

/// Returns the elements of tensors that are concatenated along a dimension; all sizes must be known.
Cow<std::vector<Dim>> joinedElements(std::span<const TensorFact> tensors, std::size_t at)
{
    // By tensor: how many of its elements are taken for each index of the dimensions before `at`.
    std::vector<std::int64_t> runs;
    std::int64_t all = 0;
    for (const TensorFact &tensor : tensors) {
        if (!tensor.elements || !tensor.shape || !numbers(*tensor.shape))
            return nullptr;
        runs.push_back(number(product(std::span(*tensor.shape).subspan(at))).value_or(0));
        all += std::ssize(*tensor.elements);
    }
    if (std::cmp_greater(all, maxTrackedElements))
        return nullptr;
    std::vector<Dim> elements;
    for (std::int64_t row = 0; std::ssize(elements) < all; ++row)
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const auto begin = tensors[i].elements->begin() + row * runs[i];
            elements.insert(elements.end(), begin, begin + runs[i]);
        }
    return elements;
}

/// Returns the one of two sizes, which have to be equal, that is known better.
Dim clearer(const Dim &a, const Dim &b)
{
    if (number(a) || !isKnown(b))
        return a;
    return number(b) || !isKnown(a) ? b : a;
}

struct Join {
    Shape shape;
    std::string conflict;
};

/// Returns the shape of tensors joined along `at`; tensors of unknown rank make the size along `at` unknown.
Join joinedShape(std::span<const TensorFact> tensors, std::size_t at)
{
    Join result;
    Dim size = std::int64_t{0};
    for (const TensorFact &tensor : tensors) {
        if (!tensor.shape) {
            size = ir::UnknownDim{};
            continue;
        }
        if (result.shape.empty())
            result.shape = *tensor.shape;
        if (tensor.shape->size() != result.shape.size())
            return {{}, "tensors of " + ir::print(result.shape) + " and " + ir::print(*tensor.shape) + " are joined"};
        for (std::size_t i = 0; i < result.shape.size(); ++i) {
            const Dim &other = (*tensor.shape)[i];
            if (i != at && number(other) && number(result.shape[i]) && other != result.shape[i])
                return {{},
                        "tensors of " + ir::print(result.shape) + " and " + ir::print(*tensor.shape) + " are joined"};
            result.shape[i] = clearer(result.shape[i], other);
        }
        size = plus(size, (*tensor.shape)[at]);
    }
    result.shape[at] = size;
    return result;
}

Answer joinedTensors(const Call &call, std::vector<TensorFact> tensors, const Fact &dim)
{
    const auto dtype = commonType(tensors);
    const bool allEmpty = std::ranges::all_of(tensors, isLegacyEmpty);
    if (!call.isOnnx() && !allEmpty)
        std::erase_if(tensors, isLegacyEmpty);
    const auto known = std::ranges::find_if(tensors, [](const TensorFact &tensor) { return bool(tensor.shape); });
    if (known == tensors.end())
        return {tensorFact(dtype)};
    if (known->shape->empty())
        return wrong("tensors without dimensions are joined");
    const auto at = axis(dim, known->shape->size());
    if (!at)
        return {Facts{tensorFact(dtype)}, at.error()};
    Join join = joinedShape(tensors, *at);
    if (!join.conflict.empty())
        return wrong(std::move(join.conflict));
    TensorFact result = tensorFact(dtype, std::move(join.shape));
    result.elements = joinedElements(tensors, *at);
    return {std::move(result)};
}

/// Joins a list of unknown length. If the size of an item along the dimension is not a number, other items may have
/// other sizes: the result then has a new symbol.
Answer joinedAlike(const Call &call, const SequenceFact &list, const Fact &dim)
{
    const TensorFact &item = *asTensor(list.each().front());
    const auto at = axis(dim, item.shape->size());
    if (!at)
        return {Facts{tensorFact(item.dtype)}, at.error()};
    Shape shape = *item.shape;
    const Dim size = number(shape[*at]) ? times(shape[*at], list.length()) : Dim(ir::UnknownDim{});
    shape[*at] = isKnown(size) ? size : call.freshSize();
    return {tensorFact(item.dtype, std::move(shape))};
}

Answer concatenate(const Call &call)
{
    const Fact &given = call.any({"dim", "axis"});
    const Fact dim = given.as<NoneFact>() ? Fact(intFact(std::int64_t{call.opset() < 4 ? 1 : 0})) : given;
    if (const SequenceFact *list = alike(call))
        return joinedAlike(call, *list, dim);
    auto tensors = tensorsOf(call);
    if (!tensors || tensors->empty())
        return joinedUnknown(call, "it is not known which tensors are joined");
    return joinedTensors(call, std::move(*tensors), dim);
}

// Operators that join along a new dimension.

TensorFact withDimension(const TensorFact &tensor, std::size_t at)
{
    if (!tensor.shape)
        return tensor;
    Shape shape = *tensor.shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(std::min(at, shape.size())), std::int64_t{1});
    return reshaped(tensor, std::move(shape));
}

Answer stacked(const Call &call, std::vector<TensorFact> tensors, const Fact &dim)
{
    const auto known = std::ranges::find_if(tensors, [](const TensorFact &tensor) { return bool(tensor.shape); });
    if (known == tensors.end())
        return {tensorFact(commonType(tensors))};
    const auto at = axis(dim, known->shape->size() + 1);
    if (!at)
        return {Facts{tensorFact(commonType(tensors))}, at.error()};
    for (TensorFact &tensor : tensors)
        tensor = tensor.shape ? withDimension(tensor, *at) : withDimension(tensorFact(tensor.dtype, known->shape), *at);
    return joinedTensors(call, std::move(tensors), intFact(static_cast<std::int64_t>(*at)));
}

Answer stackedAlike(const Call &call, const SequenceFact &list, const Fact &dim)
{
    const TensorFact &item = *asTensor(list.each().front());
    const auto at = axis(dim, item.shape->size() + 1);
    if (!at)
        return {Facts{tensorFact(item.dtype)}, at.error()};
    Shape shape = *item.shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at),
                 isKnown(list.length()) ? list.length() : call.freshSize());
    return {tensorFact(item.dtype, std::move(shape))};
}

/// Stacks along the axis that the argument of this name gives.
Answer stackAlong(const Call &call, std::string_view dim)
{
    if (const SequenceFact *list = alike(call))
        return stackedAlike(call, *list, call[dim]);
    auto tensors = tensorsOf(call);
    if (!tensors || tensors->empty())
        return joinedUnknown(call, "it is not known which tensors are stacked");
    return stacked(call, std::move(*tensors), call[dim]);
}

Answer stack(const Call &call) { return stackAlong(call, "dim"); }

/// ONNX: joins a sequence as cat does, or as stack does.
Answer concatenateSequence(const Call &call)
{
    if (call.integer("new_axis").value_or(0) == 0)
        return concatenate(call);
    return stackAlong(call, "axis");
}

/// Joins tensors after widened() has added dimensions to those of a lower rank, like NumPy's functions for rows and
/// columns.
Answer widenedAndJoined(const Call &call, Shape (*widened)(const Shape &), std::int64_t dim)
{
    auto tensors = tensorsOf(call);
    if (!tensors || tensors->empty())
        return joinedUnknown(call, "it is not known which tensors are joined");
    for (TensorFact &tensor : *tensors)
        if (tensor.shape)
            tensor = reshaped(tensor, widened(*tensor.shape));
    const bool areVectors =
        std::ranges::all_of(*tensors, [](const TensorFact &t) { return t.shape && t.shape->size() == 1; });
    return joinedTensors(call, std::move(*tensors), intFact(areVectors ? std::int64_t{0} : dim));
}

Shape asVector(const Shape &shape) { return shape.empty() ? Shape{one} : shape; }
Shape asRow(const Shape &shape)
{
    return shape.empty() ? Shape{one, one} : shape.size() == 1 ? Shape{one, shape[0]} : shape;
}
Shape asColumn(const Shape &shape)
{
    return shape.empty() ? Shape{one, one} : shape.size() == 1 ? Shape{shape[0], one} : shape;
}
Shape asSheet(const Shape &shape)
{
    const Shape row = asRow(shape);
    return row.size() == 2 ? Shape{row[0], row[1], one} : row;
}

Answer hstack(const Call &call) { return widenedAndJoined(call, asVector, 1); }
Answer vstack(const Call &call) { return widenedAndJoined(call, asRow, 0); }
Answer dstack(const Call &call) { return widenedAndJoined(call, asSheet, 2); }
Answer columnStack(const Call &call) { return widenedAndJoined(call, asColumn, 1); }

/// Puts matrices along a diagonal.
Answer blockDiagonal(const Call &call)
{
    const auto tensors = tensorsOf(call);
    if (!tensors)
        return joinedUnknown(call, "it is not known which tensors are joined");
    Shape shape(2, std::int64_t{0});
    for (const TensorFact &tensor : *tensors) {
        const Shape matrix = tensor.shape ? asRow(*tensor.shape) : Shape(2, ir::UnknownDim{});
        if (matrix.size() != 2)
            return wrong("a block of " + ir::print(matrix) + " is not a matrix");
        shape = {plus(shape[0], matrix[0]), plus(shape[1], matrix[1])};
    }
    return {tensorFact(commonType(*tensors), std::move(shape))};
}

/// Joins the elements of all tensors in one vector.
Answer flattened(const Call &call)
{
    const auto tensors = tensorsOf(call);
    if (!tensors)
        return joinedUnknown(call, "it is not known which tensors are joined");
    Dim size = std::int64_t{0};
    for (const TensorFact &tensor : *tensors)
        size = plus(size, tensor.shape ? elementsOf(*tensor.shape) : Dim(ir::UnknownDim{}));
    return {tensorFact(commonType(*tensors), Shape{size})};
}

// Operators that combine each element of a vector with each element of others.

Answer meshgrid(const Call &call)
{
    const auto tensors = tensorsOf(call);
    if (!tensors)
        return joinedUnknown(call, "it is not known which tensors are combined");
    Shape shape;
    for (const TensorFact &tensor : *tensors)
        shape.push_back(tensor.shape ? elementsOf(*tensor.shape) : Dim(ir::UnknownDim{}));
    if (call.text("indexing") == "xy" && shape.size() >= 2)
        std::swap(shape[0], shape[1]);
    std::vector<Fact> grids;
    for (const TensorFact &tensor : *tensors)
        grids.emplace_back(tensorFact(tensor.dtype, shape));
    return listed(call, std::move(grids));
}

Answer cartesianProduct(const Call &call)
{
    const auto tensors = tensorsOf(call);
    if (!tensors || tensors->empty())
        return joinedUnknown(call, "it is not known which tensors are combined");
    if (tensors->size() == 1)
        return {tensors->front()};
    Dim rows = one;
    for (const TensorFact &tensor : *tensors)
        rows = times(rows, tensor.shape ? elementsOf(*tensor.shape) : Dim(ir::UnknownDim{}));
    return {tensorFact(commonType(*tensors), Shape{rows, static_cast<std::int64_t>(tensors->size())})};
}

Answer combinations(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const std::int64_t r = call.integer("r").value_or(2);
    const bool repeats = call.flag("with_replacement").value_or(false);
    if (!tensor || tensor->shape->size() != 1 || r < 0 || r > 64)
        return onlyDType(call);
    if (r == 0)
        return {tensorFact(tensor->dtype, Shape{std::int64_t{0}})};
    const Dim n = tensor->shape->front();
    Dim rows = one; // a binomial coefficient: exact after every step
    for (std::int64_t i = 0; i < r; ++i)
        rows = floorDivide(times(rows, repeats ? plus(n, i) : maximum(minus(n, i), std::int64_t{0})), i + 1);
    return {tensorFact(tensor->dtype, Shape{rows, r})};
}

Answer broadcastTensors(const Call &call)
{
    const auto tensors = tensorsOf(call);
    if (!tensors)
        return joinedUnknown(call, "it is not known which tensors are broadcast");
    std::vector<const Shape *> shapes;
    for (const TensorFact &tensor : *tensors)
        if (tensor.shape)
            shapes.push_back(&*tensor.shape);
    const auto shape = broadcast(shapes);
    if (!shape)
        return wrong("the tensors cannot be broadcast together");
    std::vector<Fact> results;
    for (const TensorFact &tensor : *tensors)
        results.emplace_back(tensorFact(tensor.dtype, shapes.size() == tensors->size() ? shape : std::nullopt));
    return listed(call, std::move(results));
}

/// Splits each tensor into chunks along `dim`, pads the last one, and flattens the chunks: [..., chunks, elements].
Answer chunkCat(const Call &call)
{
    const auto tensors = tensorsOf(call);
    const auto chunks = call.size("num_chunks");
    const auto dim = call.integer("dim");
    if (!tensors || tensors->empty() || !chunks || !dim || *dim < 0)
        return joinedUnknown(call, "it is not known which tensors are joined");
    const auto at = static_cast<std::size_t>(*dim);
    Dim width = zero;
    for (const TensorFact &tensor : *tensors) {
        if (!tensor.shape || tensor.shape->size() <= at)
            return joinedUnknown(call, "tensor rank unknown");
        const Dim length = floorDivide(plus((*tensor.shape)[at], minus(*chunks, one)), *chunks);
        width = plus(width, times(length, product(std::span(*tensor.shape).subspan(at + 1))));
    }
    Shape shape(tensors->front().shape->begin(), tensors->front().shape->begin() + *dim);
    shape.insert(shape.end(), {*chunks, width});
    return {tensorFact(tensors->front().dtype, std::move(shape))};
}

/// Joins tensors that differ in their first size in one tensor; shorter ones are padded.
Answer padSequence(const Call &call)
{
    const auto tensors = tensorsOf(call);
    if (!tensors || tensors->empty() || !tensors->front().shape || tensors->front().shape->empty())
        return joinedUnknown(call, "it is not known which tensors are joined");
    Dim longest = std::int64_t{0};
    for (const TensorFact &tensor : *tensors)
        longest =
            maximum(longest, tensor.shape && !tensor.shape->empty() ? tensor.shape->front() : Dim(ir::UnknownDim{}));
    Shape shape{longest, static_cast<std::int64_t>(tensors->size())};
    if (call.flag("batch_first").value_or(false))
        std::swap(shape[0], shape[1]);
    shape.insert(shape.end(), tensors->front().shape->begin() + 1, tensors->front().shape->end());
    return {tensorFact(tensors->front().dtype, std::move(shape))};
}

constexpr Operator joiningRows[] = {
    Operator("aten::cat=concat=concatenate prims::cat onnx::Concat", Category::ShapeView, Pattern::Moving, concatenate,
             nullptr,
             {.kind = kind::cat,
              .compute = compute::concatenate,
              .onQuantized = OnQuantized::RoundsAgain,
              .cpuAutocast = CastTo::Widest}),
    Operator("aten::stack", Category::ShapeView, Pattern::Moving, stack, nullptr,
             {.compute = compute::stack, .onQuantized = OnQuantized::KeepsSteps, .cpuAutocast = CastTo::Widest}),
    Operator("aten::_stack", Category::ShapeView, Pattern::Moving, stack, nullptr, {.compute = compute::stack}),
    Operator("onnx::ConcatFromSequence", Category::ShapeView, Pattern::Moving, concatenateSequence, nullptr,
             {.compute = compute::concatFromSequence}),
    Operator("aten::hstack", Category::ShapeView, Pattern::Moving, hstack, nullptr,
             {.compute = compute::horizontalStack}),
    Operator("aten::vstack=row_stack", Category::ShapeView, Pattern::Moving, vstack, nullptr,
             {.compute = compute::verticalStack}),
    Operator("aten::dstack", Category::ShapeView, Pattern::Moving, dstack, nullptr, {.compute = compute::depthStack}),
    Operator("aten::column_stack", Category::ShapeView, Pattern::Moving, columnStack),
    Operator("aten::block_diag", Category::ShapeView, Pattern::Moving, blockDiagonal),
    Operator("aten::flatten_dense_tensors", Category::ShapeView, Pattern::Moving, flattened),
    Operator("aten::meshgrid", Category::ShapeView, Pattern::Moving, meshgrid, nullptr,
             {.compute = compute::meshgrid, .place = placeOfListItem}),
    Operator("aten::cartesian_prod", Category::ShapeView, Pattern::Moving, cartesianProduct, nullptr,
             {.compute = compute::combinationsOfAll}),
    Operator("aten::combinations", Category::ShapeView, Pattern::Moving, combinations),
    Operator("aten::broadcast_tensors", Category::ShapeView, Pattern::Moving, broadcastTensors, nullptr,
             {.compute = compute::broadcastTogether, .place = placeOfListItem}),
    Operator("aten::_chunk_cat", Category::ShapeView, Pattern::Moving, chunkCat),
    Operator("aten::pad_sequence", Category::ShapeView, Pattern::Moving, padSequence),
};

} // namespace

std::span<const Operator> joiningOperators() { return joiningRows; }

} // namespace cutaway::ops
