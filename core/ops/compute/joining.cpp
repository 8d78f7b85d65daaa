// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/matrix_product.h"
#include "core/ops/compute/network_rules.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::compute {

namespace {

using Arrays = std::vector<const Array *>;

} // namespace

std::optional<Array> joinedAlong(const Arrays &parts, std::size_t axis, ir::DType dtype)
{
    std::vector<Array> typed;
    std::int64_t along = 0;
    for (const Array *part : parts) {
        auto next = converted(*part, dtype);
        if (!next || next->shape.size() != parts.front()->shape.size())
            return std::nullopt;
        along += next->shape[axis];
        typed.push_back(std::move(*next));
    }
    Array all = typed.front();
    all.shape[axis] = along;
    std::visit([](auto &list) { list.clear(); }, all.elements);
    const std::int64_t outer = lanesOf(all.shape, axis).outer;
    for (std::int64_t i = 0; i < outer; ++i)
        for (const Array &part : typed)
            std::visit(
                [&](auto &list) {
                    const auto &own = std::get<std::remove_reference_t<decltype(list)>>(part.elements);
                    const std::ptrdiff_t run = std::ssize(own) / outer;
                    list.insert(list.end(), own.begin() + i * run, own.begin() + (i + 1) * run);
                },
                all.elements);
    return std::ssize(std::visit(
               [](const auto &list) {
                   return std::span<const char>(reinterpret_cast<const char *>(list.data()), list.size());
               },
               all.elements))
            == countOf(all.shape)
        ? std::optional(std::move(all))
        : std::nullopt;
}

/// torch lets empty vectors stand among tensors of any rank.
Answer concatenate(const Call &call)
{
    auto parts = call.arrays(0);
    const auto dtype = call.dtype();
    if (!parts || parts->empty() || !dtype)
        return std::nullopt;
    if (!call.isOnnx() && parts->size() > 1)
        std::erase_if(*parts, [](const Array *part) { return part->shape == Sizes{0}; });
    if (parts->empty())
        return std::nullopt;
    const std::int64_t byDefault = call.isOnnx() && call.facts().opset() < 4 ? 1 : 0;
    const auto axis = call.axis("dim", "axis", byDefault, parts->front()->shape.size());
    return axis ? answer(joinedAlong(*parts, *axis, *dtype)) : std::nullopt;
}

Answer stack(const Call &call)
{
    const auto parts = call.arrays(0);
    const auto dtype = call.dtype();
    if (call.isOnnx() || !parts || parts->empty() || !dtype)
        return std::nullopt;
    const auto axis = call.axis("dim", "", 0, parts->front()->shape.size() + 1);
    if (!axis)
        return std::nullopt;
    std::vector<Array> widened;
    for (const Array *part : *parts) {
        widened.push_back(*part);
        widened.back().shape.insert(
            widened.back().shape.begin() + static_cast<std::ptrdiff_t>(std::min(*axis, part->shape.size())), 1);
    }
    Arrays pointers;
    for (const Array &part : widened)
        pointers.push_back(&part);
    return answer(joinedAlong(pointers, *axis, *dtype));
}

namespace {

/// Whole slices at the positions that a tensor of any rank tells.
Answer taken(const Array &x, std::size_t axis, const Array &indices, bool countsFromEnd)
{
    const auto where = positionsIn(indices, x.shape[axis], countsFromEnd);
    if (!where)
        return std::nullopt;
    Sizes shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.shape.end());
    return answer(reshaped(slicesAt(x, axis, *where), std::move(shape)));
}

} // namespace

Answer indexSelect(const Call &call)
{
    const Array *x = call.array(0);
    const Array *indices = call.array(call.isOnnx() ? 1 : 2);
    const auto axis = x ? call.axis("dim", "axis", 0, x->shape.size()) : std::nullopt;
    return axis && indices ? taken(*x, *axis, *indices, call.isOnnx()) : std::nullopt;
}

Answer embedding(const Call &call)
{
    const Array *weight = call.array(0), *indices = call.array(1);
    return weight && indices && weight->shape.size() == 2 ? taken(*weight, 0, *indices, false) : std::nullopt;
}

/// At each place the element that the index there names along the axis.
Answer gather(const Call &call)
{
    const Array *x = call.array(0);
    const Array *indices = call.array(call.isOnnx() ? 1 : 2);
    const auto axis = x ? call.axis("dim", "axis", 0, x->shape.size()) : std::nullopt;
    const auto places = axis && indices ? placesAlong(x->shape, *axis, *indices, call.isOnnx()) : std::nullopt;
    return places ? answer(pickedAt(*x, indices->shape, *places)) : std::nullopt;
}

namespace {

/// The dimensions that ONNX's paddings are of: all, or the ones that its last input names.
std::optional<std::vector<std::size_t>> paddedAxes(const Call &call, std::size_t rank)
{
    if (call.isOnnx() && call.facts().has(3)) {
        const auto named = call.facts().sizes(3);
        return named ? ops::dimensions(*named, rank) : std::nullopt;
    }
    std::vector<std::size_t> axes(rank);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return axes;
}

/// How many elements are added before each dimension; the shape of the result tells the rest.
std::optional<Sizes> paddingBefore(const Call &call, std::size_t rank)
{
    const auto axes = paddedAxes(call, rank);
    const ops::Fact &given = call.facts().any({"pad", "padding", "pads"});
    const auto pads = given.as<ops::NoneFact>() ? call.facts().sizes(1) : ops::asInts(given);
    if (!axes || !pads || pads->size() > 2 * rank || pads->size() % 2 != 0
        || (call.isOnnx() && pads->size() != 2 * axes->size()))
        return std::nullopt;
    Sizes before(rank, 0);
    for (std::size_t i = 0; i < pads->size() / 2; ++i) {
        const auto number = ops::number((*pads)[call.isOnnx() ? i : 2 * i]);
        if (!number)
            return std::nullopt;
        before[call.isOnnx() ? (*axes)[i] : rank - 1 - i] = *number;
    }
    return before;
}

std::optional<double> paddingValue(const Call &call)
{
    if (!call.isOnnx())
        return call.facts().position({"value"}) ? call.number("value", "", 0) : std::optional(0.0);
    const Array *value = call.array(2);
    return value && value->count() == 1 ? floatsOf(*value).front() : value ? std::nullopt : call.number("", "value", 0);
}

enum class Padding : std::uint8_t { Constant, Edge, Reflect, Wrap };

std::optional<Padding> paddingOf(const Call &call)
{
    const std::string_view given = call.facts().text("mode"), name = call.facts().name();
    const std::string_view mode = !given.empty() ? given : name;
    if (mode.contains("reflect"))
        return Padding::Reflect;
    if (mode.contains("replicat") || mode == "edge")
        return Padding::Edge;
    if (mode == "wrap" || mode == "circular" || mode == "_pad_circular")
        return Padding::Wrap;
    return given.empty() || given == "constant" ? std::optional(Padding::Constant) : std::nullopt;
}

/// Where a position outside of a dimension is taken from; nothing if from nowhere.
std::optional<std::int64_t> paddedFrom(Padding padding, std::int64_t at, std::int64_t size)
{
    if (at >= 0 && at < size)
        return at;
    if (padding == Padding::Constant || size == 0)
        return std::nullopt;
    if (padding == Padding::Edge)
        return std::clamp<std::int64_t>(at, 0, size - 1);
    const std::int64_t period = padding == Padding::Wrap ? size : std::max<std::int64_t>(2 * (size - 1), 1);
    const std::int64_t rest = ((at % period) + period) % period;
    return rest < size ? rest : period - rest;
}

} // namespace

/// Negative numbers cut off.
Answer pad(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto padding = paddingOf(call);
    const auto before = x ? paddingBefore(call, x->shape.size()) : std::nullopt;
    const auto value = paddingValue(call);
    const auto fill = x && value ? converted(filled(ir::DType::Float64, {}, *value), x->dtype) : std::nullopt;
    if (!before || !shape || !padding || !fill || shape->size() != x->shape.size())
        return std::nullopt;
    Array source = *x; // with the value after the last element
    std::visit(
        [&](auto &list) { list.push_back(std::get<std::remove_reference_t<decltype(list)>>(fill->elements).front()); },
        source.elements);
    const Sizes strides = stridesOf(x->shape), unit = stridesOf(*shape);
    Places places;
    for (std::int64_t i = 0; i < countOf(*shape); ++i) {
        std::int64_t place = 0;
        bool isInside = true;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            const auto at = paddedFrom(*padding, i / unit[d] % (*shape)[d] - (*before)[d], x->shape[d]);
            isInside = isInside && at;
            place += at.value_or(0) * strides[d];
        }
        if (!isInside && *padding != Padding::Constant)
            return std::nullopt;
        places.push_back(isInside ? place : static_cast<std::int64_t>(x->count()));
    }
    return answer(pickedAt(source, *shape, places));
}

namespace {

/// Elements of one side of a diagonal of the last two dimensions; the others are zero.
Answer triangle(const Call &call, bool isLower)
{
    const Array *x = call.array(0);
    const auto diagonal = call.facts().integer("diagonal");
    if (!x || !diagonal || call.isOnnx() || x->shape.size() < 2)
        return std::nullopt;
    const std::int64_t columns = x->shape.back(), tall = x->shape[x->shape.size() - 2];
    Array result = *x;
    std::visit(
        [&](auto &list) {
            for (std::int64_t i = 0; i < std::ssize(list); ++i) {
                const std::int64_t above = i % columns - i / columns % tall - *diagonal;
                if (isLower ? above > 0 : above < 0)
                    list[static_cast<std::size_t>(i)] = 0;
            }
        },
        result.elements);
    return answer(result);
}

} // namespace

Answer lowerTriangle(const Call &call) { return triangle(call, true); }

Answer upperTriangle(const Call &call) { return triangle(call, false); }

// ---- tensors beside each other

namespace {

std::optional<std::vector<Array>> tensorsOf(const Call &call)
{
    const auto given = call.arrays(0);
    std::vector<Array> arrays;
    for (const Array *array : given ? *given : std::vector<const Array *>())
        arrays.push_back(*array);
    return given && !arrays.empty() && !call.isOnnx() ? std::optional(std::move(arrays)) : std::nullopt;
}

Answer joinedOf(const std::vector<Array> &arrays, std::size_t axis, const Call &call)
{
    std::vector<const Array *> pointers;
    for (const Array &array : arrays)
        pointers.push_back(&array);
    const auto dtype = call.dtype();
    return dtype && axis < arrays.front().shape.size() ? answer(joinedAlong(pointers, axis, *dtype)) : std::nullopt;
}

} // namespace

Answer horizontalStack(const Call &call)
{
    auto arrays = tensorsOf(call);
    if (!arrays)
        return std::nullopt;
    for (Array &array : *arrays)
        if (array.shape.empty())
            array.shape.push_back(1);
    return joinedOf(*arrays, arrays->front().shape.size() == 1 ? 0 : 1, call);
}

Answer verticalStack(const Call &call)
{
    auto arrays = tensorsOf(call);
    if (!arrays)
        return std::nullopt;
    for (Array &array : *arrays)
        while (array.shape.size() < 2)
            array.shape.insert(array.shape.begin(), 1);
    return joinedOf(*arrays, 0, call);
}

Answer broadcastTogether(const Call &call)
{
    const auto arrays = tensorsOf(call);
    std::vector<Sizes> shapes;
    for (const Array &array : arrays ? *arrays : std::vector<Array>())
        shapes.push_back(array.shape);
    const auto together = arrays ? broadcastShape(shapes) : std::nullopt;
    if (!together)
        return std::nullopt;
    Values results;
    for (const Array &array : *arrays)
        results.emplace_back(*broadcast(array, *together));
    return call.resultCount() > 1 ? Answer(std::move(results)) : Answer(Values{Value(std::move(results))});
}

// ---- parts

/// aten::repeat_interleave: each element or slice again and again.
Answer repeatEach(const Call &call)
{
    const Array *x = call.array("self"), *repeats = call.array("repeats");
    if (!x || !repeats || !repeats->isWhole())
        return std::nullopt;
    const bool isFlat = !call.facts().has("dim");
    const Array own = isFlat ? reshaped(*x, {static_cast<std::int64_t>(x->count())}) : *x;
    const auto axis = call.axis("dim", "", 0, own.shape.size());
    if (!axis || (repeats->count() != 1 && static_cast<std::int64_t>(repeats->count()) != own.shape[*axis]))
        return std::nullopt;
    Places positions;
    for (std::int64_t i = 0; i < own.shape[*axis]; ++i) {
        const Whole times = repeats->as<Whole>()[repeats->count() == 1 ? 0 : static_cast<std::size_t>(i)];
        if (times < 0 || std::ssize(positions) + times > (1 << 24))
            return std::nullopt;
        positions.insert(positions.end(), static_cast<std::size_t>(times), i);
    }
    return answer(slicesAt(own, *axis, positions));
}

/// aten::tensor_split with a number of parts
Answer evenParts(const Call &call)
{
    const Array *x = call.array(0);
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    const auto parts = call.facts().integer("sections");
    if (!axis || !parts || *parts < 1)
        return std::nullopt;
    const std::int64_t whole = x->shape[*axis];
    const Sizes strides = stridesOf(x->shape);
    Values results;
    std::int64_t start = 0;
    for (std::int64_t i = 0; i < *parts; ++i) {
        Sizes shape = x->shape;
        shape[*axis] = whole / *parts + (i < whole % *parts ? 1 : 0);
        results.emplace_back(strided(*x, shape, strides, shape[*axis] == 0 ? 0 : start * strides[*axis]));
        start += shape[*axis];
    }
    return call.resultCount() > 1 ? Answer(std::move(results)) : Answer(Values{Value(std::move(results))});
}

// ---- products

Answer outerProduct(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    if (!a || !b || a->shape.size() != 1 || b->shape.size() != 1)
        return std::nullopt;
    return answer(matrixProduct(reshaped(*a, {a->shape[0], 1}), reshaped(*b, {1, b->shape[0]})));
}

namespace {

/// x · weight · y, the weight row by row.
double bilinearForm(std::span<const double> x, std::span<const double> weight, std::span<const double> y)
{
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < y.size(); ++j)
            sum += x[i] * weight[i * y.size() + j] * y[j];
    return sum;
}

} // namespace

/// x1 · weight[k] · x2 + bias[k]
Answer bilinear(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1), *weight = call.array(2), *bias = call.array(3);
    const auto shape = call.shape();
    if (!areKnown(a, b, shape) || !hasRank(weight, 3) || a->shape.empty() || b->shape.empty() || call.isUnknown(3)
        || a->shape.back() != weight->shape[1] || b->shape.back() != weight->shape[2])
        return std::nullopt;
    const auto outputs = static_cast<std::size_t>(weight->shape[0]), n = static_cast<std::size_t>(weight->shape[1]),
               m = static_cast<std::size_t>(weight->shape[2]);
    const std::vector<double> x = floatsOf(*a), y = floatsOf(*b), w = floatsOf(*weight);
    const std::vector<double> added = bias ? floatsOf(*bias) : std::vector<double>(outputs, 0);
    if (n == 0 || x.size() / n * m != y.size() || added.size() != outputs)
        return std::nullopt;
    std::vector<double> result;
    for (std::size_t row = 0; row < x.size() / n; ++row)
        for (std::size_t k = 0; k < outputs; ++k)
            result.push_back(added[k]
                             + bilinearForm(std::span(x).subspan(row * n, n), std::span(w).subspan(k * n * m, n * m),
                                            std::span(y).subspan(row * m, m)));
    return answer(*shape, std::move(result));
}

namespace {

/// Whether both are tensors [batch…, count, size] that differ in their counts at most.
bool arePointsOfOneSpace(const Array *a, const Array *b)
{
    return a && a->shape.size() >= 2 && hasRank(b, a->shape.size()) && a->shape.back() == b->shape.back()
        && std::equal(a->shape.begin(), a->shape.end() - 2, b->shape.begin());
}

} // namespace

/// The p-norm of the difference of all pairs of rows.
Answer pairDistances(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    const auto p = call.number("p", "", 2);
    const auto shape = call.shape();
    if (!arePointsOfOneSpace(a, b) || !areKnown(p, shape) || *p <= 0 || std::isinf(*p))
        return std::nullopt;
    const std::vector<double> x = floatsOf(*a), y = floatsOf(*b);
    const auto n = static_cast<std::size_t>(a->shape[a->shape.size() - 2]),
               m = static_cast<std::size_t>(b->shape[b->shape.size() - 2]),
               d = static_cast<std::size_t>(a->shape.back());
    std::vector<double> result;
    for (std::size_t batch = 0; n * d > 0 && batch < x.size() / (n * d); ++batch)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < m; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < d; ++k)
                    sum += std::pow(std::abs(x[(batch * n + i) * d + k] - y[(batch * m + j) * d + k]), *p);
                result.push_back(std::pow(sum, 1 / *p));
            }
    return answer(*shape, std::move(result));
}

/// v · g / |v|, the norm over all dimensions but one.
Answer weightNorm(const Call &call)
{
    const Array *v = call.array("v"), *g = call.array("g");
    const auto axis = v ? call.axis("dim", "", 0, v->shape.size()) : std::nullopt;
    if (!axis || !g || static_cast<std::int64_t>(g->count()) != v->shape[*axis])
        return std::nullopt;
    const Lanes lanes = lanesOf(v->shape, *axis);
    std::vector<double> floats = floatsOf(*v);
    const std::vector<double> size = floatsOf(*g);
    for (std::int64_t i = 0; i < lanes.along; ++i) {
        double squares = 0;
        for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
            squares += floats[lanes.place(lane, i)] * floats[lanes.place(lane, i)];
        for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
            floats[lanes.place(lane, i)] *= size[static_cast<std::size_t>(i)] / std::sqrt(squares);
    }
    return answer(Array{ir::DType::Float64, v->shape, std::move(floats)});
}

// ---- bags of embeddings

namespace {

/// How the rows of a bag become one.
enum class BagMode : std::uint8_t { Sum, Mean, Largest };

/// The rows of a bag as one row; a bag of none is zero.
std::vector<double> bagOf(std::span<const std::vector<double>> rows, std::size_t width, BagMode mode)
{
    std::vector<double> bag(width);
    for (std::size_t column = 0; column < width; ++column) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            bag[column] = mode != BagMode::Largest ? bag[column] + rows[i][column]
                : i == 0                           ? rows[i][column]
                                                   : std::max(bag[column], rows[i][column]);
        if (mode == BagMode::Mean && !rows.empty())
            bag[column] /= static_cast<double>(rows.size());
    }
    return bag;
}

/// The arguments of aten::embedding_bag. A bag has the indices from its offset on, up to the next one.
struct Bags {
    const Array &table;
    std::span<const Whole> indices, offsets;
    std::vector<double> factors; ///< by index: what its row is multiplied with
    BagMode mode;
    Whole padding; ///< the row that counts in no bag; -1: all count
};

std::optional<Bags> bagsOf(const Call &call)
{
    const Array *table = call.array(0), *indices = call.array(1), *offsets = call.array(2);
    const Array *factors = call.array("per_sample_weights");
    const auto mode = call.integer("mode", "", 0), padding = call.integer("padding_idx", "", -1);
    const auto isList = [](const Array *array) { return hasRank(array, 1) && array->isWhole(); };
    if (!hasRank(table, 2) || table->isWhole() || !isList(indices) || !isList(offsets) || !areKnown(mode, padding)
        || call.isUnknown("per_sample_weights"))
        return std::nullopt;
    const std::size_t count = indices->count();
    if (*mode < 0 || *mode > 2 || (factors && (*mode != 0 || factors->count() != count)))
        return std::nullopt;
    return Bags{*table,
                indices->as<Whole>(),
                offsets->as<Whole>(),
                factors ? floatsOf(*factors) : std::vector<double>(count, 1.0),
                static_cast<BagMode>(*mode),
                *padding};
}

/// The rows of a bag, each times its factor; nothing if one is not there.
std::optional<std::vector<std::vector<double>>> rowsOf(const Bags &bags, std::size_t bag)
{
    const auto count = std::ssize(bags.indices);
    const Whole start = bags.offsets[bag], end = bag + 1 < bags.offsets.size() ? bags.offsets[bag + 1] : count;
    if (start < 0 || end > count)
        return std::nullopt;
    const auto width = static_cast<std::size_t>(bags.table.shape[1]);
    std::vector<std::vector<double>> rows;
    for (Whole i = start; i < end; ++i) {
        const Whole row = bags.indices[static_cast<std::size_t>(i)];
        if (row < 0 || row >= bags.table.shape[0])
            return std::nullopt;
        if (row == bags.padding)
            continue;
        const auto from = bags.table.as<double>().subspan(static_cast<std::size_t>(row) * width, width);
        rows.emplace_back(from.begin(), from.end());
        for (double &element : rows.back())
            element *= bags.factors[static_cast<std::size_t>(i)];
    }
    return rows;
}

} // namespace

Answer embeddingBag(const Call &call)
{
    const auto bags = bagsOf(call);
    const auto shape = call.shape();
    if (!bags || !shape || shape->empty() || std::cmp_greater(shape->front(), bags->offsets.size()))
        return std::nullopt;
    std::vector<double> result;
    for (std::size_t bag = 0; std::cmp_less(bag, shape->front()); ++bag) {
        const auto rows = rowsOf(*bags, bag);
        if (!rows)
            return std::nullopt;
        const std::vector<double> made = bagOf(*rows, static_cast<std::size_t>(bags->table.shape[1]), bags->mode);
        result.insert(result.end(), made.begin(), made.end());
    }
    return answer(*shape, std::move(result));
}

/// Elements back to where a pool found them; all others are zero.
Answer maxUnpool(const Call &call)
{
    const Array *x = call.array(0), *places = call.array(1);
    const auto shape = call.shape();
    if (!areKnown(x, shape) || !isWhole(places) || places->shape != x->shape || shape->size() != x->shape.size()
        || x->shape.size() < 3 || x->isWhole())
        return std::nullopt;
    const bool hasOutputShape = call.isOnnx() && call.facts().has(2);
    if (hasOutputShape) // whether indices count in it or in the shape that follows from the window is not said clearly
        return std::nullopt;
    const std::size_t spatial = call.isOnnx() ? x->shape.size() - 2 : call.facts().name() == "max_unpool3d" ? 3 : 2;
    const auto tail = static_cast<std::ptrdiff_t>(spatial);
    const std::int64_t from = countOf({x->shape.end() - tail, x->shape.end()});
    const std::int64_t to = countOf({shape->end() - tail, shape->end()});
    std::vector<double> result(static_cast<std::size_t>(countOf(*shape)), 0);
    for (std::size_t i = 0; i < x->count(); ++i) {
        const std::int64_t plane = call.isOnnx() ? 0 : static_cast<std::int64_t>(i) / from * to;
        const std::int64_t place = plane + places->as<Whole>()[i];
        if (place < 0 || place >= std::ssize(result))
            return std::nullopt;
        result[static_cast<std::size_t>(place)] = x->as<double>()[i];
    }
    return answer(*shape, std::move(result));
}

} // namespace cutaway::compute
