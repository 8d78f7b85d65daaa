// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/matrix_product.h"
#include "core/ops/compute/numbers.h"
#include "core/ops/compute/places.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

// Products of tensors over several dimensions, and of vectors along one dimension of tensors.

namespace cutaway::compute {

namespace {

std::optional<std::vector<std::size_t>> dimensionsAt(const Call &call, std::string_view name, std::size_t rank)
{
    auto axes = call.axes(name, rank);
    return axes && areDistinct(*axes) ? axes : std::nullopt;
}

/// Returns a matrix, with some dimensions as its rows and the others as its columns.
Array asMatrix(const Array &x, const std::vector<std::size_t> &rows, const std::vector<std::size_t> &columns)
{
    std::vector<std::size_t> order = rows;
    order.insert(order.end(), columns.begin(), columns.end());
    std::int64_t count = 1, width = 1;
    for (const std::size_t row : rows)
        count *= x.shape[row];
    for (const std::size_t column : columns)
        width *= x.shape[column];
    return reshaped(permuted(x, order), {count, width});
}

std::vector<std::size_t> others(std::size_t rank, const std::vector<std::size_t> &axes)
{
    std::vector<std::size_t> rest;
    for (std::size_t d = 0; d < rank; ++d)
        if (!std::ranges::contains(axes, d))
            rest.push_back(d);
    return rest;
}

} // namespace

Answer tensorProduct(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    const auto shape = call.shape();
    const auto axesA = a ? dimensionsAt(call, "dims_self", a->shape.size()) : std::nullopt;
    const auto axesB = b ? dimensionsAt(call, "dims_other", b->shape.size()) : std::nullopt;
    if (!axesA || !axesB || !shape || axesA->size() != axesB->size())
        return std::nullopt;
    for (std::size_t i = 0; i < axesA->size(); ++i)
        // If one size is 1, torch sums the other tensor along the dimension.
        if (a->shape[(*axesA)[i]] != b->shape[(*axesB)[i]])
            return std::nullopt;
    auto product = matrixProduct(asMatrix(*a, others(a->shape.size(), *axesA), *axesA),
                                 asMatrix(*b, *axesB, others(b->shape.size(), *axesB)));
    return product && static_cast<std::int64_t>(product->count()) == countOf(*shape)
        ? answer(reshaped(std::move(*product), *shape))
        : std::nullopt;
}

/// Multiplies each element of the first tensor with the whole second one, both brought to the same rank.
Answer kroneckerProduct(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    const auto shape = call.shape();
    if (!a || !b || !shape || (a->isWhole() && b->isWhole()))
        return std::nullopt;
    const auto widened = [&](const Array &x) {
        Sizes full(shape->size() - std::min(shape->size(), x.shape.size()), 1);
        full.insert(full.end(), x.shape.begin(), x.shape.end());
        return full;
    };
    const Sizes left = widened(*a), right = widened(*b), leftSteps = stridesOf(left), rightSteps = stridesOf(right),
                steps = stridesOf(*shape);
    const std::vector<double> x = floatsOf(*a), y = floatsOf(*b);
    std::vector<double> result;
    for (std::int64_t i = 0; i < countOf(*shape); ++i) {
        std::int64_t from = 0, with = 0;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            const std::int64_t at = i / steps[d] % (*shape)[d];
            from += at / right[d] * leftSteps[d];
            with += at % right[d] * rightSteps[d];
        }
        result.push_back(x[static_cast<std::size_t>(from)] * y[static_cast<std::size_t>(with)]);
    }
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

/// Multiplies consecutive matrices; the first and the last one may be vectors.
Answer chainProduct(const Call &call)
{
    const auto factors = call.arrays(0);
    std::optional<Array> product;
    for (const Array *factor : factors ? *factors : std::vector<const Array *>())
        if (product = product ? matrixProduct(*product, *factor) : std::optional(*factor); !product)
            return std::nullopt;
    return answer(std::move(product));
}

namespace {

/// Returns beta·self + alpha·x.
Answer addedTo(const Call &call, const std::optional<Array> &x)
{
    const Array *self = call.array(0);
    const auto alpha = call.number("alpha", "", 1), beta = call.number("beta", "", 1);
    const auto added = self && x && !self->isWhole() ? broadcast(*self, x->shape) : std::nullopt;
    if (!added || !alpha || !beta)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] = *alpha * floats[i] + (*beta == 0 ? 0 : *beta * added->as<double>()[i]);
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

} // namespace

/// Adds up the products of a batch, which is a single product of the matrices side by side.
Answer batchProductSum(const Call &call)
{
    const Array *a = call.array(1), *b = call.array(2);
    if (!a || !b || a->shape.size() != 3 || b->shape.size() != 3 || a->shape[0] != b->shape[0])
        return std::nullopt;
    return addedTo(call, matrixProduct(asMatrix(*a, {1}, {0, 2}), asMatrix(*b, {0, 1}, {2})));
}

Answer outerProductSum(const Call &call)
{
    const Array *a = call.array(1), *b = call.array(2);
    if (!a || !b || a->shape.size() != 1 || b->shape.size() != 1)
        return std::nullopt;
    return addedTo(call, matrixProduct(reshaped(*a, {a->shape[0], 1}), reshaped(*b, {1, b->shape[0]})));
}

// ---- vectors along a dimension

namespace {

/// Two tensors that are broadcast to one shape, and the dimension that their vectors lie along.
struct VectorPairs {
    Sizes shape;
    std::vector<double> a, b;
    Lanes lanes;
    std::size_t axis;

    std::size_t place(std::int64_t lane, std::int64_t i) const { return lanes.place(lane, i); }
    /// Returns function(x, y) for each pair of vectors, in the shape without their dimension.
    template <class Function>
    std::vector<double> each(const Function &function) const
    {
        std::vector<double> results;
        for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
            std::vector<double> x, y;
            for (std::int64_t i = 0; i < lanes.along; ++i) {
                x.push_back(a[place(lane, i)]);
                y.push_back(b[place(lane, i)]);
            }
            results.push_back(function(x, y));
        }
        return results;
    }
};

std::optional<VectorPairs> vectorPairs(const Call &call, std::int64_t dim)
{
    const Array *a = call.array(0), *b = call.array(1);
    if (!a || !b)
        return std::nullopt;
    const std::array shapes{a->shape, b->shape};
    const auto shape = broadcastShape(shapes);
    const auto axis = shape && !shape->empty() ? ops::dimension(dim, shape->size()) : std::nullopt;
    if (!axis)
        return std::nullopt;
    return VectorPairs{*shape, floatsOf(*broadcast(*a, *shape)), floatsOf(*broadcast(*b, *shape)),
                       lanesOf(*shape, *axis), *axis};
}

Answer perPair(const Call &call, const VectorPairs &pairs, double (*function)(FloatSpan, FloatSpan, double),
               double more)
{
    const auto shape = call.shape();
    auto results = pairs.each([&](FloatSpan x, FloatSpan y) { return function(x, y, more); });
    return shape && std::ssize(results) == countOf(*shape)
        ? answer(Array{ir::DType::Float64, *shape, std::move(results)})
        : std::nullopt;
}

double dotOf(FloatSpan x, FloatSpan y)
{
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += x[i] * y[i];
    return sum;
}

/// Returns the cosine of the angle between two vectors, whose lengths count as at least `least`.
double cosineOfPair(FloatSpan x, FloatSpan y, double least)
{
    return dotOf(x, y) / (std::max(std::sqrt(dotOf(x, x)), least) * std::max(std::sqrt(dotOf(y, y)), least));
}

} // namespace

Answer cosineSimilarity(const Call &call)
{
    const auto dim = call.integer("dim", "", 1);
    const auto least = call.number("eps", "", 1e-8);
    const auto pairs = dim && least ? vectorPairs(call, *dim) : std::nullopt;
    return pairs ? perPair(call, *pairs, cosineOfPair, *least) : std::nullopt;
}

Answer vectorDot(const Call &call)
{
    const auto dim = call.integer("dim", "", -1);
    const auto pairs = dim ? vectorPairs(call, *dim) : std::nullopt;
    return pairs ? perPair(
                       call, *pairs, [](FloatSpan x, FloatSpan y, double) { return dotOf(x, y); }, 0)
                 : std::nullopt;
}

/// Returns (Σ |x - y + ε|^p)^(1/p) along the last dimension.
Answer distanceOfPairs(const Call &call)
{
    const auto p = call.number("p", "", 2), epsilon = call.number("eps", "", 1e-6);
    auto pairs = vectorPairs(call, -1);
    if (!pairs || !p || !epsilon || !(*p > 0) || std::isinf(*p))
        return std::nullopt;
    for (double &x : pairs->a)
        x += *epsilon;
    return perPair(
        call, *pairs,
        [](FloatSpan x, FloatSpan y, double power) {
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                sum += std::pow(std::abs(x[i] - y[i]), power);
            return std::pow(sum, 1 / power);
        },
        *p);
}

/// Computes the cross products of vectors of three elements. If no dimension is given, torch's older operator takes
/// the first one of size 3.
Answer crossProduct(const Call &call)
{
    const auto shape = call.shape();
    const auto first = shape ? std::ranges::find(*shape, 3) : Sizes::const_iterator();
    const bool isNamed = call.facts().has("dim");
    const auto dim = isNamed             ? call.facts().integer("dim")
        : shape && first != shape->end() ? std::optional<std::int64_t>(first - shape->begin())
                                         : std::nullopt;
    const auto pairs = dim ? vectorPairs(call, *dim) : std::nullopt;
    if (!pairs || pairs->lanes.along != 3 || pairs->shape != *shape)
        return std::nullopt;
    std::vector<double> result(pairs->a.size());
    for (std::int64_t lane = 0; lane < pairs->lanes.count(); ++lane)
        for (std::int64_t i = 0; i < 3; ++i) {
            const std::size_t next = pairs->place(lane, (i + 1) % 3), last = pairs->place(lane, (i + 2) % 3);
            result[pairs->place(lane, i)] = pairs->a[next] * pairs->b[last] - pairs->a[last] * pairs->b[next];
        }
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

} // namespace cutaway::compute
