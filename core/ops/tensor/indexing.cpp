// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/indexing.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/scatter_arguments.h"
#include "core/ops/broadcasting.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/size_algebra.h"
#include "core/ops/special/rules.h"
#include "core/ops/torch/determinism.h"

#include <algorithm>
#include <limits>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

Answer likeIndexed(const Call &call)
{
    const TensorFact *tensor = call.tensor(0u);
    return {tensor ? tensorFact(tensor->dtype, tensor->shape) : tensorFact({})};
}

/// Appends shape[first, last).
void appendSizes(Shape &shape, const Shape &more, std::size_t first, std::size_t last)
{
    for (std::size_t i = first; i < last && i < more.size(); ++i)
        shape.push_back(more[i]);
}

/// Returns the number of elements.
Dim sizeOf(const TensorFact *tensor)
{
    return tensor && tensor->shape ? elementsOf(*tensor->shape) : Dim(ir::UnknownDim{});
}

/// Returns the number of elements that are not 0; a new symbol if the elements are not known.
Dim countOf(const Call &call, const TensorFact *tensor)
{
    if (!tensor || !tensor->elements || !numbers(*tensor->elements))
        return call.freshSize(sizeOf(tensor));
    return std::ranges::count_if(*tensor->elements, [](const Dim &element) { return number(element) != 0; });
}

// Slices that are selected by index.

/// Returns the slices of the data that indices select: their dimensions replace dimension `at`.
TensorFact gatheredAt(const TensorFact &data, const TensorFact &indices, std::size_t at)
{
    const Shape &from = *data.shape;
    Shape shape;
    appendSizes(shape, from, 0, at);
    appendSizes(shape, *indices.shape, 0, indices.shape->size());
    appendSizes(shape, from, at + 1, from.size());
    const auto sizes = numbers(from), indexSizes = numbers(*indices.shape);
    const auto which = indices.elements ? numbers(*indices.elements) : std::nullopt;
    if (!data.elements || !sizes || !which || !indexSizes)
        return tensorFact(data.dtype, std::move(shape));
    const Numbers strides = denseStrides(*sizes), indexStrides = denseStrides(*indexSizes);
    return moved(data, std::move(shape), [&](Index index) {
        std::int64_t row = 0, place = 0;
        for (std::size_t i = 0; i < index.size(); ++i) {
            if (i >= at && i < at + indexStrides.size())
                row += index[i] * indexStrides[i - at];
            else
                place += index[i] * strides[i < at ? i : i + 1 - indexStrides.size()];
        }
        const std::int64_t chosen = (*which)[static_cast<std::size_t>(row)];
        const std::int64_t size = (*sizes)[at];
        return chosen >= -size && chosen < size ? place + (chosen < 0 ? chosen + size : chosen) * strides[at] : -1;
    });
}

/// ONNX's Gather, with indices of any rank.
Answer gatherRows(const Call &call)
{
    const TensorFact *data = ranked(call), *indices = ranked(call, 1);
    if (!data || !indices)
        return onlyDType(call);
    const auto at = axis(call.has("axis") ? call["axis"] : Fact(intFact(std::int64_t{0})), data->shape->size());
    if (!at)
        return onlyDType(call, at.error());
    if (data->shape->empty())
        return wrong("rows of a tensor without dimensions");
    return {gatheredAt(*data, *indices, *at)};
}

/// Returns rows of a quantized table, in the dtype of its scales; a byte holds two numbers of four bits.
Answer gatherQuantizedRows(const Call &call)
{
    const TensorFact *data = ranked(call), *indices = ranked(call, 1);
    const auto dtype = call.dtypeOf(2u);
    const auto named = [&](std::string_view name, std::int64_t defaultValue) {
        return call.has(name) ? call[name] : Fact(intFact(defaultValue));
    };
    const auto at = data ? axis(named("gather_axis", 0), data->shape->size()) : unknown("input rank unknown");
    const auto packed = data ? axis(named("quantize_axis", 1), data->shape->size()) : at;
    if (data && (!at || !packed))
        return {Facts{tensorFact(dtype)}, at ? packed.error() : at.error()};
    if (!data || !indices || data->shape->empty())
        return {tensorFact(dtype)};
    TensorFact unpacked = tensorFact(dtype, data->shape);
    if (data->dtype == ir::DType::UInt8 && call.integer("bits").value_or(4) == 4)
        unpacked.shape.edit()[*packed] = times((*data->shape)[*packed], std::int64_t{2});
    return {gatheredAt(unpacked, *indices, *at)};
}

Answer indexSelect(const Call &call)
{
    const TensorFact *data = ranked(call), *index = call.tensor("index");
    const auto at = data ? axis(call["dim"], data->shape->size()) : unknown("input rank unknown");
    if (!at)
        return onlyDType(call, at.error());
    if (data->shape->empty())
        return {tensorFact(data->dtype, Shape())};
    if (index && index->shape && index->shape->size() == 1)
        return {gatheredAt(*data, *index, *at)};
    if (index && index->shape && index->shape->size() > 1)
        return wrong("an index of " + ir::print(*index->shape) + " is not a vector");
    Shape shape = *data->shape;
    shape[*at] = index && index->shape ? Dim(std::int64_t{1}) : Dim(ir::UnknownDim{});
    return {tensorFact(data->dtype, std::move(shape))};
}

Answer embedding(const Call &call)
{
    const Fact &table = call.isOnnx() ? call[0u] : call["weight"];
    const TensorFact *weight = asTensor(table), *indices = asTensor(call.isOnnx() ? call[1u] : call["indices"]);
    if (!indices || !indices->shape)
        return onlyDType(call);
    Shape shape = *indices->shape;
    const bool isTable = weight && weight->shape && weight->shape->size() == 2;
    shape.push_back(isTable ? weight->shape->back() : Dim(ir::UnknownDim{}));
    return {tensorFact(weight ? weight->dtype : std::nullopt, std::move(shape))};
}

Answer tableGradient(const Call &call)
{
    const Shape *gradient = call.shape("grad_output");
    const Dim width = gradient && !gradient->empty() ? gradient->back() : Dim(ir::UnknownDim{});
    return {tensorFact(call.dtypeOf("grad_output"), Shape{call.size("num_weights").value_or(ir::UnknownDim{}), width})};
}

/// Whether PyTorch's kernel for a CPU sums rows of floats directly, without a result for the bag of each index.
bool sumsDirectly(const Call &call, std::int64_t mode)
{
    const auto dtype = call.dtypeOf("weight");
    const bool isFloat = dtype == ir::DType::Float32 || dtype == ir::DType::Float16 || dtype == ir::DType::BFloat16;
    return mode == 0 && isFloat && (!call.has("padding_idx") || call.integer("padding_idx").value_or(-1) < 0);
}

/// Returns the length of the result with the sizes of bags. For sums without gradients it is the number of offsets, of
/// which there may be one after the last bag.
Dim sizesOfBags(const Call &call, std::int64_t mode, const Dim &offsets, const Dim &bags)
{
    const bool isSum = mode == 0;
    if (!isSum || call.name() == "_embedding_bag")
        return bags;
    const bool needsNoGradient = call.name() == "_embedding_bag_forward_only";
    return needsNoGradient || isSame(offsets, bags) ? offsets : Dim(ir::UnknownDim{});
}

/// Returns the bags, the bag of each index, the size of each bag, and the row of each maximum.
Answer embeddingBag(const Call &call)
{
    constexpr std::int64_t maximumMode = 2;
    const TensorFact *weight = ranked(call), *indices = ranked(call, 1), *offsets = ranked(call, 2);
    const auto mode = call.integer("mode");
    if (!weight || !indices || !offsets || !mode || offsets->shape->size() != 1 || weight->shape->size() != 2)
        return onlyDType(call);
    const Dim given = offsets->shape->front(), width = weight->shape->back();
    const Dim bags = call.flag("include_last_offset").value_or(false) ? minus(given, std::int64_t{1}) : given;
    const auto whole = indices->dtype;
    const Dim sizes = sizesOfBags(call, *mode, given, bags);
    const Dim owners = sumsDirectly(call, *mode) ? Dim(std::int64_t{0}) : elementsOf(*indices->shape);
    return {tensorFact(weight->dtype, Shape{bags, width}), tensorFact(whole, Shape{owners}),
            tensorFact(whole, Shape{sizes}),
            tensorFact(whole, *mode == maximumMode ? Shape{bags, width} : Shape{sizes})};
}

Answer oneHot(const Call &call)
{
    const TensorFact *indices = ranked(call);
    if (!indices)
        return {tensorFact(ir::DType::Int64)};
    const auto classes = call.size("num_classes");
    Shape shape = *indices->shape;
    shape.push_back(!classes ? Dim(ir::UnknownDim{}) : number(*classes) == -1 ? call.freshSize() : *classes);
    return {tensorFact(ir::DType::Int64, std::move(shape))};
}

/// Returns the depth, which may be a float.
Dim depthOf(const Call &call)
{
    const auto depth = call.floating(1u);
    if (depth && *depth >= 0 && *depth <= std::numeric_limits<std::int32_t>::max())
        return static_cast<std::int64_t>(*depth);
    return call.size(1u).value_or(ir::UnknownDim{});
}

/// ONNX: OneHot(indices, depth, [off value, on value]) adds a new dimension at `axis`.
Answer oneHotOnnx(const Call &call)
{
    const TensorFact *indices = ranked(call);
    const auto dtype = call.dtypeOf(2u);
    if (!indices)
        return {tensorFact(dtype)};
    const Fact &given = call["axis"];
    const auto at = axis(given.as<NoneFact>() ? Fact(intFact(std::int64_t{-1})) : given, indices->shape->size() + 1);
    if (!at)
        return {Facts{tensorFact(dtype)}, at.error()};
    Shape shape = *indices->shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at), depthOf(call));
    return {tensorFact(dtype, std::move(shape))};
}

// Operators that select elements by index along one dimension: the result is as large as the index.

Answer gather(const Call &call)
{
    const TensorFact *index = call.isOnnx() ? ranked(call, 1) : call.tensor("index");
    return index && index->shape ? Answer{tensorFact(call.dtypeOf(0u), index->shape)}
                                 : onlyDType(call, "index rank unknown");
}

Answer take(const Call &call)
{
    const TensorFact *index = ranked(call, 1);
    return index ? Answer{tensorFact(call.dtypeOf(0u), index->shape)} : onlyDType(call, "index rank unknown");
}

Answer takeAlongDimension(const Call &call)
{
    const TensorFact *tensor = ranked(call), *indices = ranked(call, 1);
    if (!tensor || !indices)
        return onlyDType(call);
    if (!call.has("dim"))
        return {tensorFact(tensor->dtype, Shape{elementsOf(*indices->shape)})};
    const auto at = axis(call["dim"], tensor->shape->size());
    if (!at)
        return onlyDType(call, at.error());
    if (*at >= tensor->shape->size())
        return onlyDType(call);
    if (indices->shape->size() != tensor->shape->size())
        return wrong(formatted("indices of {} for {}", ir::print(*indices->shape), ir::print(*tensor->shape)));
    Shape from = *tensor->shape;
    from[*at] = std::int64_t{1};
    auto shape = broadcast(from, *indices->shape);
    return shape ? Answer{tensorFact(tensor->dtype, std::move(shape))} : wrong("the indices do not fit the tensor");
}

/// Returns the slices at positions of `depth` indices each, after `batch` dimensions that data and indices share.
TensorFact gatheredAtPositions(const TensorFact &data, const TensorFact &indices, Shape shape, std::size_t batch,
                               std::size_t depth)
{
    const auto sizes = numbers(*data.shape), indexSizes = numbers(*indices.shape);
    const auto which = indices.elements ? numbers(*indices.elements) : std::nullopt;
    if (!data.elements || !sizes || !which || !indexSizes || batch >= indexSizes->size())
        return tensorFact(data.dtype, std::move(shape));
    const Numbers strides = denseStrides(*sizes), indexStrides = denseStrides(*indexSizes);
    const std::size_t outer = indexSizes->size() - 1;
    return moved(data, std::move(shape), [&](Index index) {
        std::int64_t row = 0, place = 0;
        for (std::size_t i = 0; i < index.size(); ++i) {
            row += i < outer ? index[i] * indexStrides[i] : 0;
            place += i < batch ? index[i] * strides[i] : i < outer ? 0 : index[i] * strides[i - outer + batch + depth];
        }
        for (std::size_t k = 0; k < depth; ++k) {
            const std::int64_t chosen = (*which)[static_cast<std::size_t>(row) + k], size = (*sizes)[batch + k];
            if (chosen < -size || chosen >= size)
                return std::int64_t{-1};
            place += (chosen < 0 ? chosen + size : chosen) * strides[batch + k];
        }
        return place;
    });
}

/// The last dimension of the indices is a position in the data, or the beginning of such a position.
Answer gatherPositions(const Call &call)
{
    const TensorFact *data = ranked(call), *indices = ranked(call, 1);
    if (!data || !indices)
        return onlyDType(call);
    const auto batch = call.has("batch_dims") ? call.integer("batch_dims") : std::optional<std::int64_t>(0);
    const auto depth = indices->shape->empty() ? std::nullopt : number(indices->shape->back());
    if (!batch || !depth)
        return onlyDType(call, "length of positions unknown");
    if (*batch < 0 || *depth < 0 || *batch + *depth > std::ssize(*data->shape))
        return wrong(formatted("positions of {} numbers in {}", *depth, ir::print(*data->shape)));
    Shape shape(indices->shape->begin(), indices->shape->end() - 1);
    appendSizes(shape, *data->shape, static_cast<std::size_t>(*batch + *depth), data->shape->size());
    return {gatheredAtPositions(*data, *indices, std::move(shape), static_cast<std::size_t>(*batch),
                                static_cast<std::size_t>(*depth))};
}

// PyTorch's x[a, None, b]: for each dimension an index tensor, or None for all of it.

/// The dimensions that index tensors index, and the shape that the index tensors broadcast to.
struct IndexPlan {
    std::vector<std::size_t> dims; ///< the dimensions that are indexed
    Shape indices;
    std::string conflict;
    bool isKnown = true;
};

bool isMask(const TensorFact &tensor) { return tensor.dtype == ir::DType::Bool || tensor.dtype == ir::DType::UInt8; }

/// Reads an index. A mask counts as the positions where it is true: one vector for each of its dimensions.
IndexPlan planOf(const Call &call, const SequenceFact &given)
{
    IndexPlan plan;
    std::size_t at = 0;
    for (const Fact &item : given.each()) {
        const TensorFact *index = asTensor(item);
        if (item.as<NoneFact>()) {
            ++at;
            continue;
        }
        if (!index || !index->shape || !index->dtype || item.as<MaybeFact>()
            || (isMask(*index) && index->shape->empty())) {
            plan.isKnown = false;
            return plan;
        }
        const Shape shape = isMask(*index) ? Shape{countOf(call, index)} : *index->shape;
        const std::size_t covered = isMask(*index) ? index->shape->size() : 1;
        for (std::size_t i = 0; i < covered; ++i)
            plan.dims.push_back(at++);
        auto together = broadcast(plan.indices, shape);
        if (!together) {
            plan.conflict = formatted("indices of {} and {}", ir::print(plan.indices), ir::print(shape));
            return plan;
        }
        plan.indices = std::move(*together);
    }
    return plan;
}

Answer index(const Call &call)
{
    if (!call.has("indices")) // this is list.index(element) or string.index(part)
        return {intFact()};
    const TensorFact *tensor = ranked(call);
    const auto *given = call["indices"].as<SequenceFact>();
    if (!tensor)
        return onlyDType(call);
    return given && given->items() ? indexed(call, *tensor, *given) : onlyDType(call, "indices unknown");
}

/// _unsafe_masked_index(self, mask, indices, fill) indexes, and then fills masked positions.
Answer maskedIndex(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto *given = call["indices"].as<SequenceFact>();
    return tensor && given && given->items() ? indexed(call, *tensor, *given) : onlyDType(call);
}

// Operators that find elements that are not zero.

/// Returns a new symbol for the number of elements that data selects; 0 for an empty tensor.
Dim chosenOf(const Call &call, const TensorFact *tensor)
{
    const Dim size = sizeOf(tensor);
    return number(size) == 0 ? size : call.freshSize(size);
}

/// Returns the positions of a small tensor's elements that are not 0, each with an index per dimension.
std::optional<std::vector<Numbers>> positionsOf(const TensorFact &tensor)
{
    const auto sizes = numbers(*tensor.shape);
    const auto elements = tensor.elements ? numbers(*tensor.elements) : std::nullopt;
    if (!sizes || !elements)
        return std::nullopt;
    std::vector<Numbers> found;
    const Numbers strides = denseStrides(*sizes);
    for (std::size_t i = 0; i < elements->size(); ++i) {
        if ((*elements)[i] == 0)
            continue;
        Numbers position;
        for (std::size_t d = 0; d < sizes->size(); ++d)
            position.push_back(static_cast<std::int64_t>(i) / strides[d] % (*sizes)[d]);
        found.push_back(std::move(position));
    }
    return found;
}

/// Returns the positions of a tensor's elements that are not 0, as rows or, for ONNX, as columns.
TensorFact positionsTensor(const Call &call, const TensorFact &tensor, bool inColumns)
{
    const auto rank = static_cast<std::int64_t>(tensor.shape->size());
    const auto found = positionsOf(tensor);
    const Dim count = found ? Dim(std::ssize(*found)) : chosenOf(call, &tensor);
    Shape shape = inColumns ? Shape{rank, count} : Shape{count, rank};
    if (!found)
        return tensorFact(ir::DType::Int64, std::move(shape));
    return made(ir::DType::Int64, std::move(shape), [&](Index at) {
        const std::int64_t row = at[inColumns ? 1 : 0], dim = at[inColumns ? 0 : 1];
        return Dim((*found)[static_cast<std::size_t>(row)][static_cast<std::size_t>(dim)]);
    });
}

Answer nonzero(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return {tensorFact(ir::DType::Int64, Shape(2, ir::UnknownDim{}))};
    if (call.isOnnx() && tensor->shape->empty())
        return {tensorFact(ir::DType::Int64, Shape(2, ir::UnknownDim{}))};
    return {positionsTensor(call, *tensor, call.isOnnx())};
}

/// Returns the positions of elements that are not 0 as a tuple of vectors, one per dimension.
Answer nonzeroVectors(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const TensorFact vector = tensorFact(ir::DType::Int64, Shape{chosenOf(call, tensor)});
    if (!tensor)
        return {manyOf(vector)};
    return listed(call, std::vector<Fact>(std::max(tensor->shape->size(), std::size_t{1}), vector));
}

Answer nonzeroStatic(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const Dim rank = tensor ? Dim(std::ssize(*tensor->shape)) : Dim(ir::UnknownDim{});
    return {tensorFact(ir::DType::Int64, Shape{call.size("size").value_or(ir::UnknownDim{}), rank})};
}

/// Broadcasts the tensor and the mask, and returns the elements that the mask selects.
Answer maskedSelect(const Call &call)
{
    const Shape *self = call.shape(0u), *mask = call.shape(1u);
    const TensorFact both = tensorFact({}, self && mask ? broadcast(*self, *mask) : std::nullopt);
    return {tensorFact(call.dtypeOf(0u), Shape{chosenOf(call, &both)})};
}

/// ONNX: selects the positions along an axis, or the elements of the flattened tensor, where a vector is true.
Answer compress(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const Dim count = countOf(call, call.tensor(1u));
    if (!call.has("axis"))
        return {tensorFact(call.dtypeOf(0u), Shape{count})};
    const auto at = tensor ? axis(call["axis"], tensor->shape->size()) : unknown("input rank unknown");
    if (!at)
        return onlyDType(call, at.error());
    if (tensor->shape->empty())
        return onlyDType(call);
    Shape shape = *tensor->shape;
    shape[*at] = count;
    return {tensorFact(tensor->dtype, std::move(shape))};
}

// Operators that write elements.

/// Tensor and mask are broadcast, unless the operator works in place.
Answer masked(const Call &call)
{
    const TensorFact *tensor = ranked(call), *mask = call.tensor("mask");
    if (!tensor || call.fullName().ends_with('_'))
        return likeIndexed(call);
    if (!mask || !mask->shape)
        return onlyDType(call, "mask rank unknown");
    auto shape = broadcast(call, *tensor->shape, *mask->shape);
    if (!shape)
        return wrong(formatted("a mask of {} for {}", ir::print(*mask->shape), ir::print(*tensor->shape)));
    return {tensorFact(tensor->dtype, std::move(shape))};
}

/// Counts one operation for each element that is combined with another.
Cost onePerSource(const Call &call, std::span<const Fact>)
{
    const Fact &source = call.isOnnx() ? call[2u] : call.any({"src", "source", "values"});
    const TensorFact *tensor = asTensor(source);
    if (scatterArguments(call).reduction == ScatterReduction::None || !tensor)
        return {};
    return {std::int64_t{0}, tensor->shape ? elementsOf(*tensor->shape) : Dim(ir::UnknownDim{})};
}

Cost onePerIndexedElement(const Call &call, std::span<const Fact>)
{
    const TensorFact *weight = ranked(call), *indices = ranked(call, 1);
    if (!weight || !indices || weight->shape->empty())
        return {std::int64_t{0}, ir::UnknownDim{}};
    return {std::int64_t{0}, times(elementsOf(*indices->shape), weight->shape->back())};
}

/// For the second result, the bag of each index, the kernel allocates one element more than the result has.
Place placeOfBag(const Call &, const TensorFact &result, std::size_t index)
{
    constexpr std::size_t bagOfIndex = 1;
    return index == bagOfIndex ? Place{.bytes = plus(bytesOf(result), std::int64_t{8})} : Place{};
}

constexpr Operator indexingRows[] = {
    Operator("onnx::Gather", Category::Indexing, Pattern::Picking, gatherRows, nullptr,
             {.kind = kind::indexSelect,
              .compute = compute::indexSelect,
              .demand = demand::gather,
              .domains = indicesAlongDim,
              .parameters = {0}}),
    Operator("com.microsoft::GatherBlockQuantized", Category::Indexing, Pattern::Picking, gatherQuantizedRows,
             onePerResult, {.parameters = {0}}),
    Operator("aten::index_select", Category::Indexing, Pattern::Picking, indexSelect, nullptr,
             {.kind = kind::indexSelect,
              .compute = compute::indexSelect,
              .demand = demand::gather,
              .domains = indicesAlongDim,
              .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::embedding", Category::Indexing, Pattern::Picking, embedding, nullptr,
             {.compute = compute::embedding, .domains = rowsOfTable}),
    Operator("com.microsoft::TorchEmbedding", Category::Indexing, Pattern::Picking, embedding, nullptr,
             {.domains = rowsOfTable}),
    Operator("aten::embedding_dense_backward", Category::Indexing, Pattern::Picking, tableGradient, onePerResult),
    Operator("aten::embedding_bag aten::_embedding_bag aten::_embedding_bag_forward_only", Category::Indexing,
             Pattern::Picking, embeddingBag, onePerIndexedElement,
             {.compute = compute::embeddingBag, .place = placeOfBag, .domains = rowsOfTable}),
    Operator("aten::one_hot", Category::Indexing, Pattern::Picking, oneHot, nullptr,
             {.compute = compute::oneHot, .domains = classesOfOneHot}),
    Operator("onnx::OneHot", Category::Indexing, Pattern::Picking, oneHotOnnx, nullptr,
             {.compute = compute::oneHot, .demand = demand::offAndOn, .domains = classesOfOneHot}),
    Operator("aten::gather onnx::GatherElements", Category::Indexing, Pattern::Picking, gather, nullptr,
             {.kind = kind::gather,
              .compute = compute::gather,
              .demand = demand::gatherElements,
              .domains = indicesAlongDim}),
    Operator(
        "aten::take", Category::Indexing, Pattern::Picking, take, nullptr,
        {.compute = compute::take, .formula = "index.Tensor(reshape(self, [-1]), [index])", .domains = indicesOfAll}),
    Operator("aten::take_along_dim", Category::Indexing, Pattern::Picking, takeAlongDimension, nullptr,
             {.compute = compute::takeAlongDimension, .domains = indicesAlongDim}),
    Operator("onnx::GatherND", Category::Indexing, Pattern::Picking, gatherPositions, nullptr,
             {.compute = compute::gatherPositions, .demand = demand::gatherPositions, .domains = indicesOfPositions}),
    Operator("com.microsoft::GatherND", Category::Indexing, Pattern::Picking, gatherPositions, nullptr,
             {.domains = indicesOfPositions}),
    Operator("aten::index aten::_unsafe_index", Category::Indexing, Pattern::Picking, index, nullptr,
             {.compute = compute::index, .domains = indicesOfDims}),
    Operator("aten::_unsafe_masked_index", Category::Indexing, Pattern::Picking, maskedIndex),
    Operator("aten::nonzero aten::argwhere onnx::NonZero", Category::Indexing, Pattern::Picking, nonzero, nullptr,
             {.compute = compute::nonzero}),
    Operator("aten::nonzero_numpy", Category::Indexing, Pattern::Picking, nonzeroVectors),
    Operator("aten::nonzero_static", Category::Indexing, Pattern::Picking, nonzeroStatic),
    Operator("aten::masked_select", Category::Indexing, Pattern::Picking, maskedSelect, nullptr,
             {.compute = compute::maskedSelect}),
    Operator("onnx::Compress", Category::Indexing, Pattern::Picking, compress, nullptr, {.compute = compute::compress}),
    Operator("aten::masked_fill", Category::Indexing, Pattern::Picking, masked, nullptr,
             {.compute = compute::maskedFill,
              .formula = "where(mask, value if isFloating(self) and not isTensor(value) else cast(value, dtype(self)), "
                         "self)",
              .roundsOnce = true,
              .keepsDType = true}),
    Operator("aten::masked_scatter", Category::Indexing, Pattern::Picking, masked, nullptr,
             {.compute = compute::maskedScatter, .keepsDType = true}),
    Operator(
        "aten::index_put", Category::Indexing, Pattern::Picking, likeIndexed, nullptr,
        {.compute = compute::indexPut, .domains = indicesOfDims, .cudaAutocast = CastTo::Widest, .keepsDType = true}),
    Operator("aten::_index_put_impl aten::_unsafe_index_put", Category::Indexing, Pattern::Picking, likeIndexed,
             nullptr, {.compute = compute::indexPut, .domains = indicesOfDims}),
    Operator("aten::put", Category::Indexing, Pattern::Picking, likeIndexed, nullptr,
             {.compute = compute::put, .variesOnCuda = variesIfAccumulating}),
    Operator("prims::_unsafe_index_put_ aten::fill_diagonal aten::_unsafe_masked_index_put_accumulate "
             "onnx::TensorScatter",
             Category::Indexing, Pattern::Picking, likeIndexed),
    Operator("aten::index_fill", Category::Indexing, Pattern::Picking, likeIndexed, nullptr,
             {.compute = compute::putSlices, .domains = indicesAlongDim, .keepsDType = true}),
    Operator("aten::index_copy", Category::Indexing, Pattern::Picking, likeIndexed, nullptr,
             {.compute = compute::putSlices, .domains = indicesAlongDim, .cpuAutocast = CastTo::Widest}),
    Operator("aten::scatter onnx::Scatter onnx::ScatterElements", Category::Indexing, Pattern::Picking, likeIndexed,
             onePerSource,
             {.kind = kind::scatter,
              .compute = compute::scatter,
              .demand = demand::scatterElements,
              .domains = indicesAlongDim,
              .variesOnCuda = variesIfReducing,
              .keepsDType = true}),
    Operator("aten::scatter_add", Category::Indexing, Pattern::Picking, likeIndexed, onePerSource,
             {.compute = compute::scatter,
              .domains = indicesAlongDim,
              .variesOnCuda = variesAlways,
              .cudaAutocast = CastTo::Widest}),
    Operator("aten::scatter_reduce", Category::Indexing, Pattern::Picking, likeIndexed, onePerSource,
             {.compute = compute::scatter, .domains = indicesAlongDim, .variesOnCuda = variesIfReducing}),
    Operator("aten::index_add", Category::Indexing, Pattern::Picking, likeIndexed, onePerSource,
             {.compute = compute::putSlices, .domains = indicesAlongDim, .variesOnCuda = variesAlways}),
    Operator("onnx::ScatterND", Category::Indexing, Pattern::Picking, likeIndexed, onePerSource,
             {.compute = compute::scatterPositions, .demand = demand::scatterPositions, .domains = indicesOfPositions}),
    Operator("aten::index_reduce", Category::Indexing, Pattern::Picking, likeIndexed, onePerSource,
             {.compute = compute::indexReduce, .domains = indicesAlongDim}),
    Operator("onnx::DynamicSlice", Category::Indexing, Pattern::Picking),
};

} // namespace

Answer indexed(const Call &call, const TensorFact &tensor, const SequenceFact &given)
{
    const IndexPlan plan = planOf(call, given);
    if (!plan.conflict.empty())
        return wrong(plan.conflict);
    if (!plan.isKnown)
        return onlyDType(call, "index rank unknown");
    const Shape &from = *tensor.shape;
    if (plan.dims.empty())
        return {tensor};
    if (plan.dims.back() >= from.size())
        return wrong(formatted("{} dimensions of {} are indexed", plan.dims.back() + 1, ir::print(from)));
    const TensorFact *only = given.each().size() == 1 ? asTensor(given.each().front()) : nullptr;
    if (only && !isMask(*only))
        return {gatheredAt(tensor, *only, 0)};
    const bool together = plan.dims.back() - plan.dims.front() + 1 == plan.dims.size();
    Shape shape;
    appendSizes(shape, from, 0, together ? plan.dims.front() : 0);
    appendSizes(shape, plan.indices, 0, plan.indices.size());
    for (std::size_t i = together ? plan.dims.front() : 0; i < from.size(); ++i)
        if (!std::ranges::contains(plan.dims, i))
            shape.push_back(from[i]);
    return {tensorFact(tensor.dtype, std::move(shape))};
}

std::span<const Operator> indexingOperators() { return indexingRows; }

} // namespace cutaway::ops
