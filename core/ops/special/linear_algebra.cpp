// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include "core/ops/compute/matrix_product.h"
#include "core/ops/compute/places.h"
#include "core/ops/special/matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// In double precision, with row pivots. A singular matrix has no inverse here: torch ends the model then.

namespace cutaway::compute {

namespace {

/// A number for each matrix.
Answer numbersOf(const Matrices &all, double (*numberOf)(const Matrix &matrix))
{
    std::vector<double> numbers;
    for (const Matrix &matrix : all.each)
        numbers.push_back(numberOf(matrix));
    return answer(Array{ir::DType::Float64, all.batch, std::move(numbers)});
}

/// Makes `a` an upper triangle; `b` undergoes the same. Returns the sign of the exchanges of rows.
double eliminate(Matrix &a, Matrix *b)
{
    double sign = 1;
    for (std::size_t k = 0; k < a.rows; ++k) {
        std::size_t pivot = k;
        for (std::size_t row = k + 1; row < a.rows; ++row)
            if (std::abs(a.at(row, k)) > std::abs(a.at(pivot, k)))
                pivot = row;
        if (a.at(pivot, k) == 0)
            continue;
        sign = pivot == k ? sign : -sign;
        for (std::size_t column = 0; column < a.columns && pivot != k; ++column)
            std::swap(a.at(k, column), a.at(pivot, column));
        for (std::size_t column = 0; b && column < b->columns && pivot != k; ++column)
            std::swap(b->at(k, column), b->at(pivot, column));
        for (std::size_t row = k + 1; row < a.rows; ++row) {
            const double factor = a.at(row, k) / a.at(k, k);
            for (std::size_t column = k; column < a.columns && factor != 0; ++column)
                a.at(row, column) -= factor * a.at(k, column);
            for (std::size_t column = 0; b && column < b->columns && factor != 0; ++column)
                b->at(row, column) -= factor * b->at(k, column);
        }
    }
    return sign;
}

/// x with a·x = b; nothing if there is not exactly one.
std::optional<Matrix> solved(Matrix a, Matrix b)
{
    eliminate(a, &b);
    for (std::size_t row = a.rows; row-- > 0;) {
        const double pivot = a.at(row, row);
        if (pivot == 0 || !std::isfinite(pivot))
            return std::nullopt;
        for (std::size_t column = 0; column < b.columns; ++column) {
            for (std::size_t k = row + 1; k < a.rows; ++k)
                b.at(row, column) -= a.at(row, k) * b.at(k, column);
            b.at(row, column) /= pivot;
        }
    }
    return b;
}

std::optional<Array> inverseOf(const Matrices &all, std::size_t size)
{
    std::vector<Matrix> inverses;
    for (const Matrix &matrix : all.each) {
        auto made = solved(matrix, identity(size));
        if (!made)
            return std::nullopt;
        inverses.push_back(std::move(*made));
    }
    return arrayOf(all.batch, inverses, size, size);
}

double determinantOf(const Matrix &matrix)
{
    Matrix a = matrix;
    double product = eliminate(a, nullptr);
    for (std::size_t i = 0; i < a.rows; ++i)
        product *= a.at(i, i);
    return product;
}

/// The sign of the determinant and the logarithm of its size.
std::pair<double, double> signAndLogarithm(const Matrix &matrix)
{
    Matrix a = matrix;
    double sign = eliminate(a, nullptr), logarithm = 0;
    for (std::size_t i = 0; i < a.rows; ++i) {
        const double pivot = a.at(i, i);
        sign *= pivot > 0 ? 1 : pivot < 0 ? -1 : pivot; // zero or not a number
        logarithm += std::log(std::abs(pivot));
    }
    return {sign, logarithm};
}

double logarithmOf(const Matrix &matrix)
{
    const auto [sign, logarithm] = signAndLogarithm(matrix);
    return sign < 0 ? std::numeric_limits<double>::quiet_NaN() : logarithm;
}

/// The second result of what does not end the model: 0, it went well.
Answer withInfo(Array result, const Sizes &batch, const Call &call)
{
    Values values{Value(std::move(result))};
    if (call.resultCount() > 1)
        values.emplace_back(filled(ir::DType::Int64, batch, std::int64_t{0}));
    return values;
}

} // namespace

/// The first of its results.
Answer determinant(const Call &call)
{
    const auto all = squareMatricesOf(call.array(0));
    return all ? numbersOf(*all, determinantOf) : std::nullopt;
}

Answer logarithmOfDeterminant(const Call &call)
{
    const auto all = squareMatricesOf(call.array(0));
    if (!all)
        return std::nullopt;
    if (call.facts().name() == "logdet")
        return numbersOf(*all, logarithmOf);
    std::vector<double> signs, logarithms;
    for (const Matrix &matrix : all->each) {
        const auto [sign, logarithm] = signAndLogarithm(matrix);
        signs.push_back(sign);
        logarithms.push_back(logarithm);
    }
    return Values{Array{ir::DType::Float64, all->batch, std::move(signs)},
                  Array{ir::DType::Float64, all->batch, std::move(logarithms)}};
}

Answer inverse(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = squareMatricesOf(x);
    auto made = all ? inverseOf(*all, static_cast<std::size_t>(x->shape.back())) : std::nullopt;
    return made ? withInfo(std::move(*made), all->batch, call) : std::nullopt;
}

/// The lower triangle whose product with its own transpose it is, or the upper one. Only what lies in that triangle
/// counts.
Answer choleskyFactor(const Call &call)
{
    const Array *x = call.array(0);
    auto all = squareMatricesOf(x);
    const auto isUpper = call.flag("upper", false);
    if (!all || !isUpper)
        return std::nullopt;
    const auto size = static_cast<std::size_t>(x->shape.back());
    for (Matrix &a : all->each)
        for (std::size_t row = 0; row < size; ++row)
            for (std::size_t column = 0; column < size; ++column) {
                double &here = *isUpper ? a.at(column, row) : a.at(row, column);
                const auto factor = [&](std::size_t i, std::size_t k) { return *isUpper ? a.at(k, i) : a.at(i, k); };
                if (column > row) {
                    here = 0;
                    continue;
                }
                for (std::size_t k = 0; k < column; ++k)
                    here -= factor(row, k) * factor(column, k);
                if (column == row && !(here > 0))
                    return std::nullopt;
                here = column == row ? std::sqrt(here) : here / factor(column, column);
            }
    return withInfo(arrayOf(all->batch, all->each, size, size), all->batch, call);
}

Answer matrixPower(const Call &call)
{
    constexpr std::int64_t maxPower = 1000;
    const Array *x = call.array(0);
    const auto all = squareMatricesOf(x);
    const auto n = call.facts().integer("n");
    if (!all || !n || *n < -maxPower || *n > maxPower)
        return std::nullopt;
    const auto size = static_cast<std::size_t>(x->shape.back());
    std::optional<Array> power, factor = *n < 0 ? inverseOf(*all, size) : *x;
    if (*n == 0)
        return answer(arrayOf(all->batch, std::vector(all->each.size(), identity(size)), size, size));
    for (std::int64_t left = std::abs(*n); left > 0 && factor; left /= 2) {
        if (left % 2 != 0)
            power = power ? matrixProduct(*power, *factor) : factor;
        if (left > 1)
            factor = matrixProduct(*factor, *factor);
    }
    return factor ? answer(std::move(power)) : std::nullopt;
}

/// Of one matrix or as many as there are right sides; a side of one dimension less is a vector each.
Answer solution(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    const auto isLeft = call.flag("left", true);
    const auto all = squareMatricesOf(a);
    if (!all || !b || b->isWhole() || isLeft != true)
        return std::nullopt;
    Sizes vectors = a->shape;
    vectors.pop_back();
    const bool isVector = b->shape.size() == 1 || b->shape == vectors;
    Array side = *b;
    if (isVector)
        side.shape.push_back(1);
    const auto sides = matricesOf(&side);
    if (!sides || sides->batch != all->batch
        || (!sides->each.empty() && sides->each.front().rows != all->each.front().rows))
        return std::nullopt;
    std::vector<Matrix> solutions;
    for (std::size_t i = 0; i < all->each.size(); ++i) {
        auto made = solved(all->each[i], sides->each[i]);
        if (!made)
            return std::nullopt;
        solutions.push_back(std::move(*made));
    }
    Array result = arrayOf(all->batch, solutions, static_cast<std::size_t>(side.shape[side.shape.size() - 2]),
                           static_cast<std::size_t>(side.shape.back()));
    if (isVector)
        result.shape.pop_back();
    return answer(std::move(result));
}

// ---- norms

namespace {

/// The largest or smallest sum of sizes along one of the two dimensions, or the root of the sum of squares.
enum class MatrixNorm : std::uint8_t { Frobenius, LargestColumn, SmallestColumn, LargestRow, SmallestRow };

std::optional<MatrixNorm> normOf(const Call &call)
{
    const ops::Fact &order = call.facts()["ord"];
    if (const auto *text = order.as<ops::TextFact>())
        return text->text == "fro" ? std::optional(MatrixNorm::Frobenius) : std::nullopt;
    if (order.as<ops::NoneFact>())
        return MatrixNorm::Frobenius;
    const auto number = ops::asFloat(order);
    if (!number || (std::abs(*number) != 1 && !std::isinf(*number)))
        return std::nullopt;
    if (std::isinf(*number))
        return *number > 0 ? MatrixNorm::LargestRow : MatrixNorm::SmallestRow;
    return *number > 0 ? MatrixNorm::LargestColumn : MatrixNorm::SmallestColumn;
}

double normOf(const Matrix &matrix, MatrixNorm norm)
{
    double squares = 0;
    std::vector<double> rows(matrix.rows), columns(matrix.columns);
    for (std::size_t row = 0; row < matrix.rows; ++row)
        for (std::size_t column = 0; column < matrix.columns; ++column) {
            const double size = std::abs(matrix.at(row, column));
            squares += size * size;
            rows[row] += size;
            columns[column] += size;
        }
    switch (norm) {
    case MatrixNorm::Frobenius:
        return std::sqrt(squares);
    case MatrixNorm::LargestColumn:
        return std::ranges::max(columns);
    case MatrixNorm::SmallestColumn:
        return std::ranges::min(columns);
    case MatrixNorm::LargestRow:
        return std::ranges::max(rows);
    case MatrixNorm::SmallestRow:
        return std::ranges::min(rows);
    }
    std::unreachable();
}

} // namespace

Answer matrixNorm(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto norm = normOf(call);
    const auto dims = call.facts().sizes("dim");
    if (!x || x->shape.size() < 2 || x->count() == 0 || !shape || !norm || !dims || dims->size() != 2 || x->isWhole()
        || std::ranges::any_of(x->as<double>(), [](double element) { return std::isnan(element); }))
        return std::nullopt;
    std::vector<std::size_t> order, last;
    for (const ir::Dim &dim : *dims) {
        const auto axis = ops::number(dim) ? ops::dimension(*ops::number(dim), x->shape.size()) : std::nullopt;
        if (!axis || std::ranges::contains(last, *axis))
            return std::nullopt;
        last.push_back(*axis);
    }
    for (std::size_t d = 0; d < x->shape.size(); ++d)
        if (!std::ranges::contains(last, d))
            order.push_back(d);
    order.insert(order.end(), last.begin(), last.end());
    const Array turned = permuted(*x, order);
    const auto all = matricesOf(&turned);
    std::vector<double> results;
    for (const Matrix &matrix : all ? all->each : std::vector<Matrix>())
        results.push_back(normOf(matrix, *norm));
    return all && std::ssize(results) == countOf(*shape) ? answer(Array{ir::DType::Float64, *shape, std::move(results)})
                                                         : std::nullopt;
}

} // namespace cutaway::compute
