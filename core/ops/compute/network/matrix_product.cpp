// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/matrix_product.h"

#include "core/ops/arguments/attention_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cutaway::compute {

namespace {

/// Adds the product of a matrix [rows, inner] and a matrix [inner, columns] to `result`. Each element is summed along
/// `inner` in order, starting from zero, so that working in blocks changes no bit.
template <class T>
void addMatrixProduct(const T *a, const T *b, T *result, std::int64_t rows, std::int64_t inner, std::int64_t columns)
{
    constexpr std::int64_t block = 256; // columns: a block of `b` stays in the cache while all rows pass
    for (std::int64_t begin = 0; begin < columns; begin += block) {
        const std::int64_t end = std::min(begin + block, columns);
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t k = 0; k < inner; ++k) {
                const T factor = a[i * inner + k];
                const T *from = b + k * columns;
                T *to = result + i * columns;
                for (std::int64_t j = begin; j < end; ++j)
                    to[j] += factor * from[j];
            }
    }
}

template <class T>
ir::Numbers batchedProduct(const Array &a, const Array &b, std::int64_t batches)
{
    // Integers are summed as unsigned ones, because their sums wrap around.
    using Sum = std::conditional_t<std::is_same_v<T, double>, double, std::uint64_t>;
    const std::int64_t rows = a.shape[a.shape.size() - 2], inner = a.shape.back(), columns = b.shape.back();
    std::vector<T> result(static_cast<std::size_t>(batches * rows * columns));
    const auto *left = reinterpret_cast<const Sum *>(a.as<T>().data());
    const auto *right = reinterpret_cast<const Sum *>(b.as<T>().data());
    auto *to = reinterpret_cast<Sum *>(result.data());
    for (std::int64_t i = 0; i < batches; ++i)
        addMatrixProduct<Sum>(left + i * rows * inner, right + i * inner * columns, to + i * rows * columns, rows,
                              inner, columns);
    return result;
}

/// Returns what the dimensions before the last two of both tensors broadcast to; nothing if they do not.
std::optional<Sizes> commonBatch(const Array &a, const Array &b)
{
    const std::size_t rank = std::max(a.shape.size(), b.shape.size()) - 2;
    Sizes batch(rank, 1);
    for (const Array *array : {&a, &b}) {
        const std::size_t own = array->shape.size() - 2;
        for (std::size_t d = 0; d < own; ++d) {
            std::int64_t &size = batch[rank - own + d];
            if (array->shape[d] != 1 && size != 1 && size != array->shape[d])
                return std::nullopt;
            size = array->shape[d] == 1 ? size : array->shape[d];
        }
    }
    return batch;
}

Array typed(const Array &array, bool isWhole)
{
    return isWhole ? array : Array{ir::DType::Float64, array.shape, floatsOf(array)};
}

} // namespace

std::optional<Array> matrixProduct(const Array &left, const Array &right)
{
    if (left.shape.empty() || right.shape.empty())
        return std::nullopt;
    const bool isWhole = left.isWhole() && right.isWhole();
    Array a = typed(left, isWhole), b = typed(right, isWhole);
    if (left.shape.size() == 1)
        a.shape.insert(a.shape.begin(), 1);
    if (right.shape.size() == 1)
        b.shape.push_back(1);
    const auto batch = commonBatch(a, b);
    const std::int64_t rows = a.shape[a.shape.size() - 2], inner = a.shape.back(), columns = b.shape.back();
    if (!batch || inner != b.shape[b.shape.size() - 2]
        || static_cast<double>(countOf(*batch)) * static_cast<double>(rows) * static_cast<double>(inner)
                * static_cast<double>(columns)
            > maxProducts)
        return std::nullopt;
    const auto whole = [&](const Array &array, std::int64_t x, std::int64_t y) {
        Sizes shape = *batch;
        shape.insert(shape.end(), {x, y});
        return *broadcast(array, shape);
    };
    a = whole(a, rows, inner);
    b = whole(b, inner, columns);
    Sizes shape = *batch;
    if (left.shape.size() > 1)
        shape.push_back(rows);
    if (right.shape.size() > 1)
        shape.push_back(columns);
    const std::int64_t batches = countOf(*batch);
    return Array{a.dtype, std::move(shape),
                 isWhole ? batchedProduct<std::int64_t>(a, b, batches) : batchedProduct<double>(a, b, batches)};
}

Array transposedLast(const Array &array)
{
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < array.shape.size(); ++d)
        order.push_back(d);
    if (order.size() > 1)
        std::swap(order[order.size() - 1], order[order.size() - 2]);
    return permuted(array, order);
}

Answer matmul(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    return a && b ? answer(matrixProduct(*a, *b)) : std::nullopt;
}

namespace {

/// Returns alpha·x + beta·y, where y is broadcast to the shape of x; y may be missing.
Answer combined(const std::optional<Array> &x, double alpha, const Array *y, double beta)
{
    if (!x)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    const auto added = y && beta != 0 ? broadcast(*y, x->shape) : std::nullopt;
    if (y && beta != 0 && !added)
        return std::nullopt;
    const std::vector<double> other = added ? floatsOf(*added) : std::vector<double>(floats.size(), 0.0);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] = alpha * floats[i] + (added ? beta * other[i] : 0);
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

} // namespace

/// Returns a factor of FusedMatMul: if `isTurned`, its first dimension moves behind the rest of the batch; if
/// `isTransposed`, the last two are then exchanged.
static Array factorOf(const Array &array, bool isTurned, bool isTransposed)
{
    std::vector<std::size_t> order(array.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (isTurned && order.size() > 1)
        std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    const Array turned = isTurned ? permuted(array, order) : array;
    return isTransposed ? transposedLast(turned) : turned;
}

Answer gemm(const Call &call)
{
    const ops::MatrixProductArguments given = ops::matrixProductArguments(call.facts());
    const Array *a = call.array(given.a), *b = call.array(given.b), *added = call.array(given.added);
    if (!a || !b || (call.facts().has(given.added) && !added) || !given.alpha || !given.beta || !given.transposeA
        || !given.transposeB || !given.transposeBatchA || !given.transposeBatchB || a->isWhole())
        return std::nullopt;
    return combined(matrixProduct(factorOf(*a, *given.transposeBatchA, *given.transposeA),
                                  factorOf(*b, *given.transposeBatchB, *given.transposeB)),
                    *given.alpha, added, *given.beta);
}

// ---- attention

namespace {

/// Returns the numbers to add to scores: those of the mask, or minus infinity where a Boolean mask excludes a score.
std::optional<Array> addedMask(const Array &mask, const Sizes &shape)
{
    Array added{ir::DType::Float64, mask.shape, floatsOf(mask)};
    if (mask.dtype == ir::DType::Bool)
        for (double &x : std::get<std::vector<double>>(added.elements))
            x = x != 0 ? 0 : -std::numeric_limits<double>::infinity();
    return broadcast(added, shape);
}

void maskFuture(Array &scores)
{
    const std::int64_t keys = scores.shape.back(), queries = scores.shape[scores.shape.size() - 2];
    auto &floats = std::get<std::vector<double>>(scores.elements);
    for (std::int64_t i = 0; i < std::ssize(floats); ++i)
        if (i % keys > i / keys % queries)
            floats[static_cast<std::size_t>(i)] = -std::numeric_limits<double>::infinity();
}

void softmaxRows(Array &scores)
{
    auto &floats = std::get<std::vector<double>>(scores.elements);
    const auto keys = static_cast<std::size_t>(scores.shape.back());
    for (std::size_t start = 0; start < floats.size(); start += keys) {
        const auto row = std::span(floats).subspan(start, keys);
        const double largest = std::ranges::max(row);
        double sum = 0;
        for (double &x : row)
            sum += x = std::exp(x - largest);
        for (double &x : row)
            x /= sum;
    }
}

/// An attention that can be computed: all keys and values are given, and scores are changed by nothing but a mask.
struct PlainAttention {
    const Array &query, &key, &value;
    const Array *mask; ///< nullptr: none
    double scale;
    bool isCausal;
};

std::optional<PlainAttention> plainAttentionOf(const Call &call)
{
    const ops::AttentionArguments given = ops::attentionArguments(call.facts());
    const bool isPlain = given.layout == ops::HeadLayout::HeadsFirst && given.softcap == 0.0 && given.dropout == 0.0
        && given.enableGqa == false && call.resultCount() == 1;
    if (!isPlain
        || std::ranges::any_of(std::array{given.pastKey, given.pastValue, given.keyPadding},
                               [&](ops::Position position) { return call.facts().has(position); }))
        return std::nullopt;
    const Array *q = call.array(given.query), *k = call.array(given.key), *v = call.array(given.value);
    if (!areKnown(q, k, v, given.isCausal) || call.isUnknown(given.mask) || q->shape.size() < 2 || q->count() == 0
        || k->count() == 0)
        return std::nullopt;
    const auto scale = given.scale ? *given.scale : 1 / std::sqrt(static_cast<double>(q->shape.back()));
    return scale ? std::optional(PlainAttention{*q, *k, *v, call.array(given.mask), *scale, *given.isCausal})
                 : std::nullopt;
}

} // namespace

/// softmax(q·kᵀ·scale + mask)·v
Answer attention(const Call &call)
{
    const auto given = plainAttentionOf(call);
    auto scores = given ? matrixProduct(given->query, transposedLast(given->key)) : std::nullopt;
    if (!scores || scores->isWhole())
        return std::nullopt;
    const auto added = given->mask ? addedMask(*given->mask, scores->shape) : std::nullopt;
    if (given->mask && !added)
        return std::nullopt;
    auto &floats = std::get<std::vector<double>>(scores->elements);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] = floats[i] * given->scale + (added ? added->as<double>()[i] : 0);
    if (given->isCausal)
        maskFuture(*scores);
    softmaxRows(*scores);
    return answer(matrixProduct(*scores, given->value));
}

// ---- other products

Answer outerProduct(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    if (!a || !b || a->shape.size() != 1 || b->shape.size() != 1)
        return std::nullopt;
    return answer(matrixProduct(reshaped(*a, {a->shape[0], 1}), reshaped(*b, {1, b->shape[0]})));
}

namespace {

/// Returns x · weight · y; `weight` is row-major.
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

} // namespace cutaway::compute
