// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"
#include "core/ops/arguments/scatter_arguments.h"
#include "core/ops/operator.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <limits>

// The rules for operators that pick or replace elements at computed positions.

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;
using ops::ScatterReduction;

ir::Operand reductionWord(L &l, std::string_view text) { return ir::String{l.graph().context().name(text)}; }

/// Returns the vector 0, step, 2·step, … with `count` elements.
Term counted(L &l, const Term &count, std::int64_t step = 1)
{
    return l.make("Range", {l.scalar(std::int64_t{0}), count * l.scalar(step), l.scalar(step)}, {}, DType::Int64);
}

/// Returns a permutation that moves these dimensions to the front.
std::vector<std::int64_t> inFront(std::vector<std::int64_t> dims, std::size_t rank)
{
    for (std::size_t i = 0; i < rank; ++i)
        if (!std::ranges::contains(dims, static_cast<std::int64_t>(i)))
            dims.push_back(static_cast<std::int64_t>(i));
    return dims;
}

/// Returns a permutation that moves the dimension at `from` behind all others.
std::vector<std::int64_t> toTheEnd(std::int64_t from, std::size_t rank)
{
    auto order = consecutive(0, rank);
    order.erase(order.begin() + from);
    order.push_back(from);
    return order;
}

/// Returns the number of elements on a diagonal.
Term diagonalLength(L &l, const Term &x, std::int64_t row, std::int64_t column, std::int64_t offset)
{
    const Term height = sizeOf(x, row), width = sizeOf(x, column);
    const Term rows = height - l.scalar(std::max<std::int64_t>(-offset, 0));
    const Term columns = width - l.scalar(std::max<std::int64_t>(offset, 0));
    return l.make("Max", {l.make("Min", {rows, columns}), l.scalar(std::int64_t{0})});
}

/// Returns the row and column of each element of a diagonal.
Term diagonalPlaces(L &l, const Term &x, std::int64_t row, std::int64_t column)
{
    const std::int64_t offset = l.integer("offset");
    const Term steps = counted(l, diagonalLength(l, x, row, column, offset));
    return concat({unsqueeze(steps + l.scalar(std::max<std::int64_t>(-offset, 0)), {1}),
                   unsqueeze(steps + l.scalar(std::max<std::int64_t>(offset, 0)), {1})},
                  1);
}

Results diagonalRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() < 2)
        return l.refuse("of less than two dimensions");
    const std::int64_t row = l.axis("dim1", x.rank()), column = l.axis("dim2", x.rank());
    const Term from = l[0];
    const Term places = diagonalPlaces(l, from, row, column);
    const Term picked = l.make("GatherND", {transpose(from, inFront({row, column}, x.rank())), places});
    return {x.rank() == 2 ? picked : transpose(picked, toTheEnd(0, x.rank() - 1))};
}

/// Replaces a diagonal, which is the last dimension of the source.
Results diagonalScatterRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() < 2)
        return l.refuse("of less than two dimensions");
    const std::int64_t row = l.axis("dim1", x.rank()), column = l.axis("dim2", x.rank());
    const std::vector<std::int64_t> order = inFront({row, column}, x.rank());
    const std::int64_t last = static_cast<std::int64_t>(x.rank()) - 2;
    std::vector<std::int64_t> back(x.rank());
    for (std::size_t i = 0; i < x.rank(); ++i)
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    const Term into = l[0], source = l.as("src", into.dtype);
    const Term updates = x.rank() == 2 ? source : transpose(source, inFront({last}, x.rank() - 1));
    return {
        transpose(l.make("ScatterND", {transpose(into, order), diagonalPlaces(l, into, row, column), updates}), back)};
}

/// Returns the windows that slide along a dimension.
Results unfoldRule(L &l)
{
    const auto x = l.tensor(0);
    const std::int64_t size = l.integer("size"), step = l.integer("step");
    if (x.rank() == 0 || step <= 0)
        return l.refuse("of a scalar");
    const std::int64_t axis = l.axis("dimension", x.rank());
    const Term from = l[0];
    const Term length = sizeOf(from, axis);
    const Term end = length - l.scalar(size - 1);
    const Term starts = l.make("Range", {l.scalar(std::int64_t{0}), end, l.scalar(step)}, {}, DType::Int64);
    const Term each = unsqueeze(starts, {1});
    const Term places = each + counted(l, l.scalar(size));
    const Term made = l.make("Gather", {from, places}, {{"axis", axis}});
    return {transpose(made, toTheEnd(axis + 1, x.rank() + 1))};
}

/// Whether the file records that a value lies row by row; a new value may have other strides.
bool isRecordedRowByRow(const ir::ValueRef &value)
{
    const ir::TensorType *type = value.tensorType();
    if (!type || !type->shape || !type->strides || type->shape->size() != type->strides->size())
        return false;
    ir::Dim step = ops::one;
    for (std::size_t i = type->shape->size(); i-- > 0; step = ops::times(step, (*type->shape)[i]))
        if (!ops::isOne((*type->shape)[i]) && !ops::isSame((*type->strides)[i], step))
            return false;
    return true;
}

/// Whether the node's first argument is a tensor that fills a storage of its own: it is an input, or new and row-major.
bool hasOwnStorage(const ir::NodeRef &node, const ops::Call &call)
{
    const auto *value = node->arguments.empty() ? nullptr : node->arguments.front().value.as<ir::ValueId>();
    const auto *known = call.tensor(0u);
    if (!value || !known || known->strides
        || std::holds_alternative<ir::Weight>(node.graph().at(*value).definition)) // weights may share a storage
        return false;
    const auto maker = ir::ValueRef(node.graph(), *value).producer();
    const ops::Operator *row = maker ? ops::findOperator(maker->dialect(), maker->opName()) : nullptr;
    if (!maker || !row || row->traits.place)
        return !maker;
    return row->pattern == ops::Pattern::Creating || isRecordedRowByRow({node.graph(), *value});
}

/// Makes a view by strides; the viewed tensor has to fill its storage.
Results asStridedRule(L &l)
{
    const auto sizes = l.integers("size"), strides = l.integers("stride");
    if (sizes.size() != strides.size() || !hasOwnStorage(l.node(), l.call()))
        return l.refuse("the layout of its storage is not known");
    Term places = l.scalar(l.has("storage_offset") ? l.integer("storage_offset") : 0);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto axes = consecutive(1, sizes.size() - i);
        if (sizes[i] < 0 || sizes[i] > 1 << 20 || !checkedMultiply(sizes[i], strides[i]))
            return l.refuse("a dimension of many elements, or steps beyond 64 bits");
        std::vector<std::int64_t> steps(static_cast<std::size_t>(sizes[i]));
        for (std::size_t k = 0; k < steps.size(); ++k)
            steps[k] = static_cast<std::int64_t>(k) * strides[i];
        places = places + (axes.empty() ? l.ints(steps) : unsqueeze(l.ints(steps), axes));
    }
    return {l.make("Gather", {vectorOf(l[0]), places}, {{"axis", std::int64_t{0}}})};
}

/// Puts the source's elements one after the other where the mask is true.
Results maskedScatterRule(L &l)
{
    const Term x = l[0];
    const Term shape = shapeOf(x);
    const Term mask = expand(l.as("mask", DType::Bool), shape);
    const Term counts = l.make("CumSum", {cast(reshape(mask, {-1}), DType::Int64), l.scalar(std::int64_t{0})});
    const Term places = l.make("Max", {counts - l.scalar(std::int64_t{1}), l.scalar(std::int64_t{0})});
    const Term picked = l.make("Gather", {vectorOf(l.as("source", x.dtype)), places}, {{"axis", std::int64_t{0}}});
    return {where(mask, reshapeExactly(picked, shapeOf(x)), x)};
}

// ---- scattering with a reduction

/// Returns the neutral element of a reduction, which replaces the old elements where a node does not include them.
Term neutral(L &l, ScatterReduction reduction, DType dtype)
{
    const double infinity = std::numeric_limits<double>::infinity();
    using Whole = std::numeric_limits<std::int64_t>;
    if (reduction == ScatterReduction::Maximum)
        return ir::isFloating(dtype) ? l.scalar(-infinity, dtype) : l.scalar(Whole::min());
    if (reduction == ScatterReduction::Minimum)
        return ir::isFloating(dtype) ? l.scalar(infinity, dtype) : l.scalar(Whole::max());
    return l.scalar(reduction == ScatterReduction::Product ? 1 : 0, dtype);
}

Term scattered(L &l, const Term &x, const Term &index, const Term &source, std::int64_t axis,
               ScatterReduction reduction)
{
    L::Attributes attributes{{"axis", axis}};
    if (reduction != ScatterReduction::None)
        attributes.emplace_back("reduction", reductionWord(l, ops::onnxName(reduction)));
    return l.make("ScatterElements", {x, index, source}, attributes);
}

/// Returns the node's first argument with the elements of `source` at the positions `index` along `axis`, or with their
/// sums, products, extremes or means there.
Results reducedInto(L &l, const Term &index, const Term &source, std::int64_t axis)
{
    using enum ScatterReduction;
    const ops::ScatterArguments given = ops::scatterArguments(l.call());
    const ScatterReduction reduction = l.known(given.reduction, "its reduction is");
    const bool includes = l.known(given.includesSelf, "'include_self' is");
    const Term x = l[0];
    if (reduction == None || (reduction == Sum && includes))
        return {scattered(l, x, index, source, axis, reduction)};
    if (x.dtype != DType::Int64 && !ir::isFloating(x.dtype))
        return l.refuse("of integers of less than 64 bits");
    if (reduction == Mean && !ir::isFloating(x.dtype))
        return l.refuse("a mean of integers");
    const auto everywhere = [&](const Term &number) { return expand(number, shapeOf(index)); };
    const Term begun = includes ? x : scattered(l, x, index, everywhere(neutral(l, reduction, x.dtype)), axis, None);
    const Term made = scattered(l, begun, index, source, axis, reduction == Mean ? Sum : reduction);
    if (reduction != Mean)
        return {made};
    const Term ones = filled(shapeOf(x), 1, x.dtype);
    const Term counted = includes ? ones : scattered(l, ones, index, everywhere(l.scalar(0, x.dtype)), axis, None);
    return {made / scattered(l, counted, index, everywhere(l.scalar(1, x.dtype)), axis, Sum)};
}

/// Makes a scatter. ONNX wants a source of the shape of the indices; in torch the source may be larger along each
/// dimension, and is cut.
Results scatterRule(L &l)
{
    const auto x = l.tensor(0), known = l.tensor("index");
    if (x.rank() == 0 || known.rank() != x.rank())
        return l.refuse(x.rank() == 0 ? "of a scalar" : "an index of another rank than its input");
    const Term index = l["index"];
    const bool isOneNumber = l.call().position({"value"}).has_value();
    Term source = l.as(isOneNumber ? "value" : "src", l[0].dtype);
    if (isOneNumber)
        source = expand(source, shapeOf(index));
    else if (!std::ranges::equal(l.tensor("src").shape, known.shape, ops::isSame))
        source = l.make("Slice", {source, filled(shapeOf(shapeOf(index)), 0, DType::Int64), shapeOf(index)});
    return reducedInto(l, index, source, l.axis("dim", x.rank()));
}

/// Makes aten::put, whose indices count the elements of the tensor as a vector.
Results putRule(L &l)
{
    const auto reduction = l.known(ops::scatterArguments(l.call()).reduction, "'accumulate' is");
    const Term x = l[0];
    const Term from = vectorOf(x), index = vectorOf(l["index"]), source = vectorOf(l.as("source", x.dtype));
    const Term made = scattered(l, from, index, source, 0, reduction);
    return {reshapeExactly(made, shapeOf(x))};
}

/// Returns the indices of all elements for ScatterElements: the given ones along `axis`, their own along other
/// dimensions.
Term indexOfAll(L &l, std::int64_t axis)
{
    std::vector<std::int64_t> sizes(l.tensor(0).rank(), 1);
    sizes[static_cast<std::size_t>(axis)] = -1;
    const Term wanted = shapeOf(l["source"]);
    return expand(reshape(l["index"], sizes), wanted);
}

Results indexReduceRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() == 0 || l.tensor("index").rank() != 1)
        return l.refuse(x.rank() == 0 ? "of a scalar" : "its index is no vector");
    const std::int64_t axis = l.axis("dim", x.rank());
    const Term index = indexOfAll(l, axis);
    return reducedInto(l, index, l.as("source", l[0].dtype), axis);
}

Results indexAddRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() == 0 || l.tensor("index").rank() != 1 || (x.dtype != DType::Int64 && !ir::isFloating(x.dtype)))
        return l.refuse("of a scalar, or of integers of less than 64 bits");
    const std::int64_t axis = l.axis("dim", x.rank());
    const Term index = indexOfAll(l, axis);
    Term source = l.as("source", l[0].dtype);
    if (l.has("alpha") && l.number("alpha") != 1)
        source = source * l.as("alpha", source.dtype);
    return {scattered(l, l[0], index, source, axis, ScatterReduction::Sum)};
}

// ---- counting

/// Returns how often each number from 0 on occurs, or the sum of its weights.
Results bincountRule(L &l)
{
    const Term x = cast(l[0], DType::Int64);
    const DType dtype = l.resultDType();
    const Term last = reduce("ReduceMax", concat({x, l.ints({l.integer("minlength") - 1})}, 0), {0}, false);
    const Term zeros = filled(vectorOf(last + l.scalar(std::int64_t{1})), 0, dtype);
    const Term weights = l.has("weights") ? l.as("weights", dtype) : filled(shapeOf(x), 1, dtype);
    return {scattered(l, zeros, x, weights, 0, ScatterReduction::Sum)};
}

/// Returns how many elements lie in each of equal intervals, of which the last one includes its end.
Results histogramRule(L &l)
{
    const Term x = vectorOf(l[0]);
    const std::int64_t bins = l.integer("bins");
    const double low = l.number("min"), high = l.number("max");
    if (low >= high || bins < 1)
        return l.refuse("limits that the elements decide");
    const Term from = l.scalar(low, x.dtype), to = l.scalar(high, x.dtype);
    const Term isIn = l.make("And", {compared("GreaterOrEqual", x, from), compared("LessOrEqual", x, to)});
    const Term inside = where(isIn, x, from);
    const Term places = cast((inside - from) * static_cast<double>(bins) / (high - low), DType::Int64);
    const Term zeros = filled(l.ints({bins}), 0, x.dtype);
    const Term ones = cast(isIn, x.dtype);
    return {scattered(l, zeros, l.make("Min", {places, l.scalar(bins - 1)}), ones, 0, ScatterReduction::Sum)};
}

/// Returns three results: the distinct elements, or the distinct slices along a dimension; the index among these for
/// each one of the input; and how often each of them occurs.
Results uniqueRule(L &l)
{
    const auto known = l.tensor(0);
    const bool isOfSlices = l.call().position({"dim"}).has_value();
    const Term from = cast(l[0], ir::isFloating(l[0].dtype) ? l[0].dtype : DType::Int64);
    const Term x = isOfSlices ? from : vectorOf(from);
    L::Attributes attributes{{"sorted", std::int64_t{1}}};
    if (isOfSlices)
        attributes.emplace_back("axis", l.axis("dim", known.rank()));
    const auto made = l.makeAll("Unique", {x}, attributes, {x.dtype, DType::Int64, DType::Int64, DType::Int64});
    const Term inverse = isOfSlices ? made[2] : reshapeExactly(made[2], shapeOf(l[0]));
    const Term none = l.ints({});
    const auto ifAsked = [&](std::string_view flag, const Term &result) {
        return !l.call().position({flag}) || l.flag(flag) ? result : none;
    };
    return {made[0], ifAsked("return_inverse", inverse), ifAsked("return_counts", made[3])};
}

/// Returns the median without NaNs: the middle element, or the lower of two.
Results nanmedianRule(L &l)
{
    const auto known = l.tensor(0);
    const bool isOfAll = !l.call().position({"dim"});
    const Term x = isOfAll ? vectorOf(l[0]) : l[0];
    if (!ir::isFloating(x.dtype) || known.rank() == 0)
        return l.refuse("of integers, or of a scalar");
    const std::int64_t axis = isOfAll ? 0 : l.axis("dim", known.rank());
    const Term isNan = l.make("IsNaN", {x}, {}, DType::Bool);
    const Term infinity = l.scalar(std::numeric_limits<double>::infinity(), x.dtype);
    const auto sorted =
        l.makeAll("TopK", {where(isNan, infinity, x), vectorOf(sizeOf(x, axis))},
                  {{"axis", axis}, {"largest", std::int64_t{0}}, {"sorted", std::int64_t{1}}}, {x.dtype, DType::Int64});
    const Term count = reduce("ReduceSum", cast(applied("Not", isNan), DType::Int64), {axis}, true);
    const Term one = l.scalar(std::int64_t{1}), two = l.scalar(std::int64_t{2});
    const Term place = l.make("Max", {count - one, l.scalar(std::int64_t{0})}) / two;
    const bool keepDim = !isOfAll && l.flag("keepdim");
    const auto picked = [&](const Term &all) {
        const Term made = l.make("GatherElements", {all, place}, {{"axis", axis}});
        return keepDim ? made : squeeze(made, {axis});
    };
    const Term isEmpty = compared("Equal", count, l.scalar(std::int64_t{0}));
    const Term nan = l.scalar(std::numeric_limits<double>::quiet_NaN(), x.dtype);
    const Term hasNone = keepDim ? isEmpty : squeeze(isEmpty, {axis});
    const Term median = where(hasNone, nan, picked(sorted[0]));
    return isOfAll ? Results{median} : Results{median, picked(sorted[1])};
}

/// Returns the sum, mean or maximum of the rows in each bag. A bag begins at its offset and ends before the next one.
Results embeddingBagRule(L &l)
{
    const auto indices = l.tensor("indices");
    const std::int64_t mode = l.integer("mode");
    constexpr std::int64_t sum = 0, mean = 1;
    const bool lastIsEnd = l.has("include_last_offset") && l.flag("include_last_offset");
    if (indices.rank() != 1)
        return l.refuse("its bags are not given by where each begins");
    for (std::size_t i = 1; i < l.resultCount(); ++i)
        if (l.isRead(i))
            return l.refuse("a result for the backward pass");
    Term rows = l.make("Gather", {l["weight"], l["indices"]}, {{"axis", std::int64_t{0}}});
    const DType dtype = rows.dtype;
    if (l.has("per_sample_weights"))
        rows = rows * unsqueeze(l.as("per_sample_weights", dtype), {1});
    const Term index = cast(l["indices"], DType::Int64), offsets = cast(l["offsets"], DType::Int64);
    const Term count = sizeOf(index, 0);
    const Term bags = sizeOf(offsets, 0);
    const Term later = slice(offsets, 0, l.scalar(std::int64_t{1}), bags);
    const Term starts = lastIsEnd ? slice(offsets, 0, 0, -1) : offsets;
    const Term ends = lastIsEnd ? later : concat({later, vectorOf(count)}, 0);
    const Term places = counted(l, count);
    Term isIn = l.make(
        "And",
        {compared("LessOrEqual", unsqueeze(starts, {1}), places), compared("Less", places, unsqueeze(ends, {1}))});
    if (l.has("padding_idx") && l.integer("padding_idx") >= 0) {
        const Term isPadding = compared("Equal", index, l.scalar(l.integer("padding_idx")));
        isIn = l.make("And", {isIn, applied("Not", isPadding)});
    }
    const Term members = cast(isIn, dtype);
    const Term sizes = reduce("ReduceSum", members, {1}, true);
    if (mode == sum || mode == mean) {
        const Term sums = l.make("MatMul", {members, rows});
        return {mode == sum ? sums : sums / l.make("Max", {sizes, l.scalar(1, dtype)})};
    }
    const Term lowest = l.scalar(-std::numeric_limits<double>::infinity(), dtype);
    const Term ofEach = unsqueeze(rows, {0});
    const Term each = where(unsqueeze(isIn, {2}), ofEach, lowest);
    const Term isEmpty = compared("Equal", sizes, l.scalar(0, dtype));
    const Term largest = reduce("ReduceMax", each, {1}, false);
    return {where(isEmpty, l.scalar(0, dtype), largest)};
}

constexpr LoweringRule selectionRules[] = {
    {"aten::diagonal aten::linalg_diagonal", diagonalRule},
    {"aten::diagonal_scatter", diagonalScatterRule},
    {"aten::unfold", unfoldRule},
    {"aten::as_strided", asStridedRule},
    {"aten::masked_scatter", maskedScatterRule},
    {"aten::put", putRule},
    {"aten::scatter aten::scatter_add", scatterRule},
    {"aten::scatter_reduce", scatterRule, 18},
    {"aten::index_reduce", indexReduceRule, 18},
    {"aten::index_add", indexAddRule},
    {"aten::bincount", bincountRule},
    {"aten::histc", histogramRule},
    {"aten::_unique2 aten::unique_dim", uniqueRule},
    {"aten::nanmedian", nanmedianRule},
    {"aten::embedding_bag aten::_embedding_bag aten::_embedding_bag_forward_only", embeddingBagRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family selection() { return {.toOnnx = to_onnx::selectionRules}; }

} // namespace cutaway::rules
