// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/view.h"

#include "core/base/result.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/facts/size_algebra.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

Answer same(const Call &call) { return {call[0u]}; }

Answer unknownSizes(const Call &call) { return onlyDType(call, "sizes unknown"); }

// Operators that change the shape and keep the elements in order.

/// Notes what a reshape needs of sizes. If a size is left open with -1, the product of the others divides the number
/// of elements; else both numbers of elements are equal.
void needElements(const Call &call, const Shape &from, const Shape &asked, const Shape &shape)
{
    const Dim elements = elementsOf(from);
    Dim others = one;
    bool isOpen = false;
    for (const Dim &size : asked)
        if (isKnown(size) && number(size) != -1)
            others = times(others, size);
        else
            isOpen = true;
    if (isOpen)
        call.need({SizeNeed::Kind::Multiple, elements, others});
    else
        call.need({SizeNeed::Kind::Equal, elements, elementsOf(shape)});
}

/// Completes sizes. If all are numbers, they are used even if they do not fit, because the file recorded them.
Answer completedTo(const Call &call, const TensorFact &tensor, Shape sizes)
{
    auto shape = completed(*tensor.shape, sizes);
    if (!shape) {
        auto why = wrong("the elements of " + ir::print(*tensor.shape) + " do not fit " + ir::print(sizes));
        const bool isGiven = std::ranges::all_of(sizes, [](const Dim &size) { return number(size).value_or(-1) >= 0; });
        return {Facts{tensorFact(tensor.dtype, isGiven ? std::optional(std::move(sizes)) : std::nullopt)},
                std::move(why)};
    }
    needElements(call, *tensor.shape, sizes, *shape);
    return {reshaped(tensor, std::move(*shape))};
}

/// Returns the sizes with each 0 replaced by the input's size.
Shape copiedSizes(Shape sizes, const Shape &from)
{
    for (std::size_t i = 0; i < sizes.size() && i < from.size(); ++i)
        if (number(sizes[i]) == 0)
            sizes[i] = from[i];
    return sizes;
}

/// Returns a tensor of which only the rank is known: it follows from the size of the tensor that holds the new shape.
Answer byRank(const Call &call, const Fact &sizes)
{
    const TensorFact *tensor = asTensor(sizes);
    const auto rank =
        tensor && tensor->shape && tensor->shape->size() == 1 ? number(tensor->shape->front()) : std::nullopt;
    Answer answer = unknownSizes(call);
    if (rank && *rank >= 0 && *rank <= 64)
        answer.facts.front() = tensorFact(call.dtypeOf(0u), Shape(static_cast<std::size_t>(*rank), ir::UnknownDim{}));
    return answer;
}

/// Reinterprets the bytes in another dtype: if its elements are wider or narrower, the last size changes.
Answer reinterpret(const Call &call, ir::DType dtype)
{
    const TensorFact *tensor = ranked(call);
    const auto from = tensor && tensor->dtype ? ir::bitWidth(*tensor->dtype) : std::nullopt;
    const auto to = ir::bitWidth(dtype);
    if (!from || !to)
        return {tensorFact(dtype)};
    Shape shape = *tensor->shape;
    if (*from != *to && shape.empty())
        return wrong("a tensor without dimensions seen as elements of another width");
    if (*from != *to)
        shape.back() = floorDivide(times(shape.back(), std::int64_t{*from}), std::int64_t{*to});
    return {tensorFact(dtype, std::move(shape))};
}

Answer reshape(const Call &call)
{
    const Fact &given = call.isOnnx() && !call.has("shape") ? call[1u] : call.any({"size", "shape", "dtype"});
    if (const auto *dtype = given.as<ir::DType>())
        return reinterpret(call, *dtype);
    auto sizes = asInts(given);
    if (!sizes)
        return byRank(call, given);
    const TensorFact *tensor = ranked(call);
    const bool copiesZeros = call.isOnnx() && call.integer("allowzero").value_or(0) == 0;
    if (!tensor) {
        for (Dim &size : *sizes)
            if (number(size) == -1 || (copiesZeros && number(size) == 0))
                size = ir::UnknownDim{};
        return {tensorFact(call.dtypeOf(0u), std::move(sizes))};
    }
    return completedTo(call, *tensor, copiesZeros ? copiedSizes(std::move(*sizes), *tensor->shape) : std::move(*sizes));
}

Answer reshapeAs(const Call &call)
{
    const TensorFact *tensor = call.tensor(0u), *other = ranked(call, 1);
    if (!tensor || !other)
        return onlyDType(call, "rank of the other tensor unknown");
    return {reshaped(*tensor, *other->shape)};
}

/// Merges the dimensions `first` to `last` into one.
Facts merged(const TensorFact &tensor, std::size_t first, std::size_t last)
{
    const Shape &from = *tensor.shape;
    if (from.empty())
        return {reshaped(tensor, {std::int64_t{1}})};
    Shape shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(first));
    shape.push_back(product(std::span(from).subspan(first, last - first + 1)));
    shape.insert(shape.end(), from.begin() + static_cast<std::ptrdiff_t>(last) + 1, from.end());
    return {reshaped(tensor, std::move(shape))};
}

Answer flatten(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const std::size_t rank = tensor->shape->size();
    const auto first = axis(call.any({"start_dim", "start"}), rank);
    const auto last = axis(call.any({"end_dim", "end"}), rank);
    if (!first || !last)
        return onlyDType(call, first ? last.error() : first.error());
    if (*first > *last)
        return wrong("flattened from a later dimension to an earlier one");
    return merged(*tensor, *first, *last);
}

Answer ravel(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return {tensorFact(call.dtypeOf(0u), Shape{ir::UnknownDim{}})};
    return merged(*tensor, 0, std::max(tensor->shape->size(), std::size_t{1}) - 1);
}

/// ONNX: returns a matrix; the dimensions before `axis` are joined to its rows.
Answer flattenToMatrix(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return {tensorFact(call.dtypeOf(0u), Shape(2, ir::UnknownDim{}))};
    const auto rank = static_cast<std::int64_t>(tensor->shape->size());
    const std::int64_t given = call.integer("axis").value_or(1);
    const std::int64_t at = given < 0 ? given + rank : given;
    if (at < 0 || at > rank)
        return wrong("the axis is outside the dimensions of the input");
    const std::span<const Dim> dims = *tensor->shape;
    const auto split = static_cast<std::size_t>(at);
    return {reshaped(*tensor, {product(dims.first(split)), product(dims.subspan(split))})};
}

/// Splits one dimension into several.
Answer unflatten(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const auto at = axis(call["dim"], tensor->shape->size());
    auto sizes = call.sizes("sizes");
    if (!at)
        return onlyDType(call, at.error());
    if (tensor->shape->empty() || (!sizes && !call.size("outer_length")))
        return unknownSizes(call);
    const Dim &size = (*tensor->shape)[*at];
    if (!sizes)
        sizes = {*call.size("outer_length"), std::int64_t{-1}};
    const auto parts = completed(std::span(&size, 1), *sizes);
    if (!parts)
        return wrong(ir::print(size) + " elements do not fit the sizes");
    needElements(call, {size}, *sizes, *parts);
    Shape shape = *tensor->shape;
    const auto place = shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*at));
    shape.insert(place, parts->begin(), parts->end());
    return {reshaped(*tensor, std::move(shape))};
}

// Operators that remove or add dimensions of size 1.

Facts withoutDimensions(const TensorFact &tensor, std::vector<std::size_t> gone)
{
    Shape shape;
    for (std::size_t i = 0; i < tensor.shape->size(); ++i)
        if (!std::ranges::contains(gone, i))
            shape.push_back((*tensor.shape)[i]);
    return {reshaped(tensor, std::move(shape))};
}

/// Whether it is not known if a size is 1. A formula is assumed not to be 1, as in torch.export, except for min() and
/// max().
bool mayBeOne(const Dim &dim)
{
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    return expr ? expr->kind() == symbolic::Kind::Maximum || expr->kind() == symbolic::Kind::Minimum : !isKnown(dim);
}

Answer squeeze(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const Shape &shape = *tensor->shape;
    const Fact &given = call.isOnnx() ? (call.has("axes") ? call["axes"] : call[1u]) : call.any({"dim", "dimensions"});
    std::vector<std::size_t> among(shape.size());
    std::iota(among.begin(), among.end(), std::size_t{0});
    const bool isGiven = !given.as<NoneFact>();
    if (isGiven) {
        const auto dims = axes(given, shape.size());
        if (!dims)
            return onlyDType(call, dims.error());
        among = *dims;
    }
    if (shape.empty())
        return {*tensor};
    const bool isExact = call.isOnnx() && isGiven; // in ONNX the given dimensions must have size 1
    if (isExact && std::ranges::any_of(among, [&](std::size_t i) { return number(shape[i]) && !isOne(shape[i]); }))
        return wrong("a dimension of " + ir::print(shape) + " that is squeezed is not 1");
    if (!isExact && std::ranges::any_of(among, [&](std::size_t i) { return mayBeOne(shape[i]); }))
        return onlyDType(call, "unknown size that may be 1");
    if (!isExact)
        std::erase_if(among, [&](std::size_t i) { return !isOne(shape[i]); });
    return withoutDimensions(*tensor, std::move(among));
}

Answer unsqueeze(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const Fact &given = call.isOnnx() && !call.has("axes") ? call[1u] : call.any({"dim", "axes"});
    const auto dims = asInts(given);
    if (!dims)
        return onlyDType(call, "dimensions unknown");
    const std::size_t rank = tensor->shape->size() + dims->size();
    const auto places = axes(given, rank);
    if (!places)
        return onlyDType(call, places.error());
    Shape shape;
    auto next = tensor->shape->begin();
    for (std::size_t i = 0; i < rank; ++i)
        if (std::ranges::contains(*places, i))
            shape.emplace_back(std::int64_t{1});
        else if (next != tensor->shape->end())
            shape.push_back(*next++);
    if (shape.size() != rank)
        return wrong("one dimension is given twice");
    return {reshaped(*tensor, std::move(shape))};
}

Shape atLeast(const Shape &from, std::size_t rank)
{
    if (from.size() >= rank)
        return from;
    if (from.size() == 2)
        return {from[0], from[1], one};
    Shape shape(rank, one);
    if (!from.empty())
        shape[rank == 1 ? 0 : 1] = from[0];
    return shape;
}

Answer atLeastRank(const Call &call, std::size_t rank)
{
    const auto widened = [&](const TensorFact *tensor) -> Fact {
        return tensor && tensor->shape ? reshaped(*tensor, atLeast(*tensor->shape, rank)) : tensorFact({});
    };
    if (const auto tensors = call.tensors("tensors")) {
        std::vector<Fact> results;
        std::ranges::transform(*tensors, std::back_inserter(results), widened);
        return listed(call, std::move(results));
    }
    return ranked(call) ? Answer{widened(ranked(call))} : onlyDType(call);
}

Answer atLeast1d(const Call &call) { return atLeastRank(call, 1); }
Answer atLeast2d(const Call &call) { return atLeastRank(call, 2); }
Answer atLeast3d(const Call &call) { return atLeastRank(call, 3); }

// Operators that reorder dimensions.

/// Returns the tensor with its dimensions reordered: dimension i of the result is dimension order[i] of the tensor.
TensorFact permuted(const TensorFact &tensor, const std::vector<std::size_t> &order)
{
    const Shape &from = *tensor.shape;
    const auto sizes = numbers(from);
    const Numbers strides = tensor.elements && sizes ? denseStrides(*sizes) : Numbers(from.size(), 0);
    Shape shape;
    Numbers steps;
    for (const std::size_t i : order) {
        shape.push_back(from[i]);
        steps.push_back(strides[i]);
    }
    return strided(tensor, std::move(shape), steps);
}

std::vector<std::size_t> identityOrder(std::size_t rank)
{
    std::vector<std::size_t> order(rank);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

// The order of dimensions: for each dimension of the result, the dimension of the tensor that it is.
using Order = std::vector<std::size_t>;
using OrderRule = OrDoubt<Order> (*)(const Call &call, std::size_t rank);

template <OrderRule orderOf>
Answer permute(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor) {
        const auto dims = asInts(call.any({"dims", "perm", "permutation"}));
        return dims ? Answer{tensorFact(call.dtypeOf(0u), Shape(dims->size(), ir::UnknownDim{}))} : onlyDType(call);
    }
    const auto order = orderOf(call, tensor->shape->size());
    if (order)
        return {permuted(*tensor, *order)};
    return order.error().kind == Doubt::Kind::Wrong ? std::unexpected(order.error()) : onlyDType(call, order.error());
}

template <OrderRule orderOf>
Place placeOfPermutation(const Call &call, const TensorFact &, std::size_t)
{
    const TensorFact *tensor = ranked(call);
    const auto order = tensor ? orderOf(call, tensor->shape->size()) : unknown("input rank unknown");
    return order ? permutedPlace(*tensor, *order) : Place{call.tensor(0u), nullptr};
}

OrDoubt<Order> givenOrder(const Call &call, std::size_t rank)
{
    const Fact &given = call.any({"dims", "perm", "permutation"});
    Order order = identityOrder(rank);
    if (given.as<NoneFact>()) { // without an argument ONNX reverses the dimensions
        std::ranges::reverse(order);
        return order;
    }
    auto dims = axes(given, rank);
    if (dims && !std::ranges::is_permutation(*dims, order))
        return wrong("the dimensions are not all those of " + ir::print(*ranked(call)->shape));
    return dims;
}

OrDoubt<Order> swappedOrder(const Call &call, std::size_t rank)
{
    CUTAWAY_TRY(const std::size_t a, axis(call.any({"dim0", "axis0"}), rank));
    CUTAWAY_TRY(const std::size_t b, axis(call.any({"dim1", "axis1"}), rank));
    Order order = identityOrder(rank);
    if (rank > 0)
        std::swap(order[a], order[b]);
    return order;
}

/// Exchanges the last two dimensions; a tensor of fewer dimensions stays as it is, as in t().
OrDoubt<Order> transposedOrder(const Call &, std::size_t rank)
{
    Order order = identityOrder(rank);
    if (rank >= 2)
        std::swap(order[rank - 1], order[rank - 2]);
    return order;
}

OrDoubt<Order> reversedOrder(const Call &, std::size_t rank)
{
    Order order = identityOrder(rank);
    std::ranges::reverse(order);
    return order;
}

OrDoubt<Order> movedOrder(const Call &call, std::size_t rank)
{
    CUTAWAY_TRY(const auto from, axes(call["source"], rank));
    CUTAWAY_TRY(const auto to, axes(call["destination"], rank));
    if (rank == 0)
        return Order();
    Order rest = identityOrder(rank), order(rank, rank);
    std::erase_if(rest, [&](std::size_t i) { return std::ranges::contains(from, i); });
    if (from.size() != to.size() || rest.size() + from.size() != rank)
        return wrong("sources and destinations do not pair up");
    for (std::size_t i = 0; i < to.size(); ++i)
        order[to[i]] = from[i];
    auto next = rest.begin();
    for (std::size_t &i : order)
        if (i == rank && next != rest.end())
            i = *next++;
    if (std::ranges::contains(order, rank))
        return wrong("one destination is given twice");
    return order;
}

// Operators that view complex numbers as pairs of real numbers.

Answer viewAsReal(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto dtype = call.dtypeOf(0u) ? std::optional(realType(*call.dtypeOf(0u))) : std::nullopt;
    if (!tensor)
        return {tensorFact(dtype)};
    Shape shape = *tensor->shape;
    shape.emplace_back(std::int64_t{2});
    return {tensorFact(dtype, std::move(shape))};
}

Answer viewAsComplex(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto given = call.dtypeOf(0u);
    const auto dtype = given ? std::optional(promote(*given, ir::DType::Complex32)) : std::nullopt;
    if (!tensor)
        return {tensorFact(dtype)};
    if (tensor->shape->empty() || isDifferent(tensor->shape->back(), std::int64_t{2}))
        return wrong("the last dimension of " + ir::print(*tensor->shape) + " is not 2");
    return {tensorFact(dtype, Shape(tensor->shape->begin(), tensor->shape->end() - 1))};
}

// Operators of vmap: between them, the mapped dimension is hidden.

Answer addBatchDimension(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto at = tensor ? axis(call[1u], tensor->shape->size()) : unknown("input rank unknown");
    if (!at)
        return onlyDType(call, at.error());
    return tensor->shape->empty() ? onlyDType(call) : withoutDimensions(*tensor, {*at});
}

Answer removeBatchDimension(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto at = tensor ? axis(call[3u], tensor->shape->size() + 1) : unknown("input rank unknown");
    const auto size = call.size(2u);
    if (!at)
        return onlyDType(call, at.error());
    Shape shape = *tensor->shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at), size.value_or(ir::UnknownDim{}));
    return {tensorFact(tensor->dtype, std::move(shape))};
}

Answer resizeStorage(const Call &call)
{
    auto sizes = call.sizes(1u);
    return sizes ? Answer{tensorFact(call.dtypeOf(0u), std::move(sizes))} : unknownSizes(call);
}

/// Returns a tensor of the second argument's shape and the first one's dtype.
Answer resizeAs(const Call &call)
{
    const TensorFact *other = ranked(call, 1);
    return other ? Answer{tensorFact(call.dtypeOf(0u), other->shape)} : onlyDType(call);
}

Answer overwritten(const Call &call)
{
    if (call[0u].as<SequenceFact>() || call[0u].as<DictFact>()) // Python's copy() of a list or dictionary
        return {call[0u]};
    const TensorFact *tensor = ranked(call);
    return tensor ? Answer{tensorFact(tensor->dtype, tensor->shape)} : onlyDType(call);
}

Answer sameSizes(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    return tensor ? Answer{tensorFact(tensor->dtype, tensor->shape)} : onlyDType(call);
}

/// The size in memory is unknown: the number of elements that are kept depends on data.
Place placeOfSparse(const Call &, const TensorFact &, std::size_t) { return {.bytes = ir::UnknownDim{}}; }

/// Returns the placement of a result of an operator on a list: each result is a view of its item.
Place placeOfEach(const Call &call, const TensorFact &result, std::size_t index)
{
    const auto tensors = call.has("tensors") ? call.tensors("tensors") : std::nullopt;
    if (!tensors)
        return placeOfReshape(call, result, index);
    const TensorFact *tensor = index < tensors->size() ? (*tensors)[index] : nullptr;
    if (!tensor || !tensor->shape || !result.shape)
        return {tensor, nullptr};
    auto strides = viewed(*tensor, *result.shape);
    return strides ? Place{tensor, ops::normal(*result.shape, std::move(*strides))} : Place{};
}

constexpr Operator viewRows[] = {
    Operator("aten::alias aten::detach onnx::Identity", Category::ShapeView, Pattern::Moving, same, nullptr,
             {.kind = kind::alias,
              .compute = compute::same,
              .place = placeOfItself,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true}),
    Operator("aten::lift aten::data aten::cpu aten::_to_cpu prims::view_of", Category::ShapeView, Pattern::Moving, same,
             nullptr, {.compute = compute::sameElements, .place = placeOfItself}),
    Operator("prim::data aten::pin_memory aten::cuda onnx::MemcpyFromHost onnx::MemcpyToHost aten::_fw_primal "
             "aten::rename aten::refine_names",
             Category::ShapeView, Pattern::Moving, same, nullptr, {.place = placeOfItself}),
    Operator("aten::lift_fresh", Category::ShapeView, Pattern::Moving, same, nullptr,
             {.compute = compute::sameElements, .place = placeOfItself, .keepsElements = true}),
    Operator("aten::contiguous", Category::ShapeView, Pattern::Moving, same, nullptr,
             {.compute = compute::sameElements,
              .place = placeOfContiguous,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true}),
    Operator("aten::clone prims::clone", Category::ShapeView, Pattern::Moving, same, nullptr,
             {.compute = compute::sameElements,
              .place = placeOfCopy,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true}),
    Operator("prims::copy_to aten::expand_dims_copy aten::_lazy_clone", Category::ShapeView, Pattern::Moving, same,
             nullptr, {.place = placeOfCopy}),
    Operator("aten::_reshape_alias_copy", Category::ShapeView, Pattern::Moving, same, nullptr,
             {.kind = kind::reshape, .compute = compute::reshape, .place = placeOfCopy, .keepsElements = true}),
    Operator("aten::view aten::reshape aten::_unsafe_view aten::_reshape_alias aten::_reshape_copy prim::view_copy "
             "prim::reshape_copy prims::reshape onnx::Reshape",
             Category::ShapeView, Pattern::Moving, reshape, nullptr,
             {.kind = kind::reshape,
              .compute = compute::reshape,
              .place = placeOfReshape,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true}),
    Operator("aten::_reshape_from_tensor prims::view_of_dtype aten::_mkldnn_reshape", Category::ShapeView,
             Pattern::Moving, reshape, nullptr, {.place = placeOfReshape}),
    Operator("aten::view_as", Category::ShapeView, Pattern::Moving, reshapeAs, nullptr,
             {.compute = compute::sameElements, .place = placeOfReshape, .keepsElements = true}),
    Operator("aten::reshape_as", Category::ShapeView, Pattern::Moving, reshapeAs, nullptr,
             {.compute = compute::sameElements, .place = placeOfReshape}),
    Operator("aten::flatten prim::flatten_copy", Category::ShapeView, Pattern::Moving, flatten, nullptr,
             {.compute = compute::sameElements,
              .place = placeOfReshape,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true}),
    Operator("prims::collapse prims::collapse_view", Category::ShapeView, Pattern::Moving, flatten, nullptr,
             {.place = placeOfReshape}),
    Operator("aten::ravel", Category::ShapeView, Pattern::Moving, ravel, nullptr, {.place = placeOfReshape}),
    Operator("onnx::Flatten", Category::ShapeView, Pattern::Moving, flattenToMatrix, nullptr,
             {.compute = compute::sameElements, .place = placeOfReshape, .keepsElements = true}),
    Operator("aten::unflatten", Category::ShapeView, Pattern::Moving, unflatten, nullptr,
             {.compute = compute::sameElements,
              .place = placeOfReshape,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true}),
    Operator("prims::split_dim", Category::ShapeView, Pattern::Moving, unflatten, nullptr, {.place = placeOfReshape}),
    Operator("aten::squeeze", Category::ShapeView, Pattern::Moving, squeeze, nullptr,
             {.compute = compute::sameElements,
              .place = placeOfReshape,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true,
              .reshapesInPlace = true}),
    Operator("prims::squeeze prim::squeeze_copy onnx::Squeeze", Category::ShapeView, Pattern::Moving, squeeze, nullptr,
             {.compute = compute::sameElements, .place = placeOfReshape, .keepsElements = true}),
    Operator("aten::_ncf_unsqueeze", Category::ShapeView, Pattern::Other, nullptr, nullptr,
             {.place = placeOfSomeView}), // an operator that only TorchScript has
    Operator("aten::unsqueeze", Category::ShapeView, Pattern::Moving, unsqueeze, nullptr,
             {.compute = compute::sameElements,
              .place = placeOfReshape,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true,
              .reshapesInPlace = true}),
    Operator("prim::unsqueeze_copy onnx::Unsqueeze", Category::ShapeView, Pattern::Moving, unsqueeze, nullptr,
             {.compute = compute::sameElements, .place = placeOfReshape, .keepsElements = true}),
    Operator("com.microsoft::ExpandDims", Category::ShapeView, Pattern::Moving, unsqueeze, nullptr,
             {.place = placeOfReshape}),
    Operator("aten::atleast_1d", Category::ShapeView, Pattern::Moving, atLeast1d, nullptr, {.place = placeOfEach}),
    Operator("aten::atleast_2d", Category::ShapeView, Pattern::Moving, atLeast2d, nullptr, {.place = placeOfEach}),
    Operator("aten::atleast_3d", Category::ShapeView, Pattern::Moving, atLeast3d, nullptr, {.place = placeOfEach}),
    Operator("aten::permute prims::transpose onnx::Transpose", Category::ShapeView, Pattern::Moving,
             permute<givenOrder>, nullptr,
             {.kind = kind::permute,
              .compute = compute::permute,
              .place = placeOfPermutation<givenOrder>,
              .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::transpose=swapaxes=swapdims", Category::ShapeView, Pattern::Moving, permute<swappedOrder>, nullptr,
             {.kind = kind::transpose,
              .compute = compute::transpose,
              .place = placeOfPermutation<swappedOrder>,
              .onQuantized = OnQuantized::KeepsSteps,
              .reshapesInPlace = true}),
    Operator("aten::_mkldnn_transpose", Category::ShapeView, Pattern::Moving, permute<swappedOrder>, nullptr,
             {.place = placeOfPermutation<swappedOrder>}),
    Operator("aten::t", Category::ShapeView, Pattern::Moving, permute<transposedOrder>, nullptr,
             {.kind = kind::t,
              .compute = compute::transposeLast,
              .place = placeOfPermutation<transposedOrder>,
              .onQuantized = OnQuantized::KeepsSteps,
              .reshapesInPlace = true}),
    Operator("aten::mT", Category::ShapeView, Pattern::Moving, permute<transposedOrder>, nullptr,
             {.kind = kind::matrixTranspose,
              .compute = compute::transposeLast,
              .place = placeOfPermutation<transposedOrder>}),
    Operator("aten::adjoint", Category::ShapeView, Pattern::Moving, permute<transposedOrder>, nullptr,
             {.compute = compute::transposeLast, .place = placeOfPermutation<transposedOrder>}),
    Operator("aten::mH aten::matrix_H", Category::ShapeView, Pattern::Moving, permute<transposedOrder>, nullptr,
             {.place = placeOfPermutation<transposedOrder>}),
    Operator("aten::numpy_T", Category::ShapeView, Pattern::Moving, permute<reversedOrder>, nullptr,
             {.compute = compute::reversedDimensions, .place = placeOfPermutation<reversedOrder>}),
    Operator("aten::movedim=moveaxis", Category::ShapeView, Pattern::Moving, permute<movedOrder>, nullptr,
             {.compute = compute::movedAxes,
              .place = placeOfPermutation<movedOrder>,
              .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::view_as_real", Category::Elementwise, Pattern::Pointwise, viewAsReal, nullptr,
             {.compute = compute::partsAsReal, .place = placeOfSomeView}),
    Operator("aten::_view_as_real_physical", Category::Elementwise, Pattern::Pointwise, viewAsReal, nullptr,
             {.compute = compute::partsAsReal}),
    Operator("aten::view_as_complex", Category::Elementwise, Pattern::Pointwise, viewAsComplex, nullptr,
             {.compute = compute::partsAsComplex, .place = placeOfSomeView, .cpuAutocast = CastTo::Float32}),
    Operator("torch._functorch.predispatch::_add_batch_dim aten::_add_batch_dim", Category::ControlFlow,
             Pattern::Control, addBatchDimension, nullptr, {.place = placeOfSomeView}),
    Operator("torch._functorch.predispatch::_remove_batch_dim aten::_remove_batch_dim", Category::ControlFlow,
             Pattern::Control, removeBatchDimension, nullptr, {.place = placeOfSomeView}),
    Operator("aten::resize", Category::ShapeView, Pattern::Moving, resizeStorage, nullptr,
             {.writesDifferently = true, .reshapesInPlace = true}),
    Operator("prims::resize", Category::ShapeView, Pattern::Moving, resizeStorage),
    Operator("aten::resize_as", Category::ShapeView, Pattern::Moving, resizeAs, nullptr,
             {.writesDifferently = true, .reshapesInPlace = true}),
    Operator("aten::resize_as_sparse", Category::ShapeView, Pattern::Moving, resizeAs),
    Operator("aten::copy", Category::ShapeView, Pattern::Moving, overwritten, nullptr,
             {.compute = compute::overwrite, .keepsDType = true}),
    Operator("aten::to_sparse aten::_to_sparse aten::to_sparse_csr aten::_to_sparse_csr aten::to_sparse_csc "
             "aten::_to_sparse_csc aten::to_sparse_bsr aten::_to_sparse_bsr aten::to_sparse_bsc aten::_to_sparse_bsc "
             "aten::coalesce aten::_coalesce",
             Category::ShapeView, Pattern::Moving, sameSizes, nullptr, {.place = placeOfSparse}),
    Operator("aten::indices aten::_indices aten::_values aten::crow_indices "
             "aten::col_indices "
             "aten::ccol_indices aten::row_indices aten::to_padded_tensor aten::nested_to_padded_tensor "
             "aten::_nested_tensor_from_mask aten::_nested_from_padded",
             Category::ShapeView, Pattern::Moving),
};

} // namespace

bool dependsOnLayout(const ir::NodeRef &node)
{
    static constexpr std::array<std::string_view, 7> names{
        "view", "view_as", "_unsafe_view", "_reshape_alias", "as_strided", "unflatten", "view_as_complex"};
    return node.dialect() == "aten" && std::ranges::contains(names, node.opName());
}

std::span<const Operator> viewOperators() { return viewRows; }

} // namespace cutaway::ops
