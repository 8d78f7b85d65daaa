// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include "core/ops/special/matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Singular and eigenvalues by Jacobi's rotations, which turn two rows or columns until they are at right angles. The
// vectors that belong to them have signs, and where values are equal directions, that each library chooses itself: they
// are no result here. What depends on whether a small number is zero is not known either, as rounding decides it.

namespace cutaway::compute {

namespace {

constexpr int maxSweeps = 60;           // a dozen are many
constexpr double maxRotatedSteps = 2e8; // each of them a few dozen times

bool hasFiniteElements(const Matrix &matrix)
{
    return std::ranges::all_of(matrix.elements, [](double x) { return std::isfinite(x); });
}

/// The rotation that makes the product of two vectors zero, of their squares and product: its cosine and sine.
std::pair<double, double> rotationOf(double a, double b, double product)
{
    const double angle = (b - a) / (2 * product);
    const double tangent = std::copysign(1 / (std::abs(angle) + std::hypot(1, angle)), angle);
    const double cosine = 1 / std::hypot(1, tangent);
    return {cosine, cosine * tangent};
}

/// A matrix whose columns are at right angles, and the rotations that made it of the other: a·V.
struct Rotated {
    Matrix columns, rotations;
};

void rotate(Matrix &matrix, std::size_t p, std::size_t q, double cosine, double sine)
{
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        const double a = matrix.at(row, p), b = matrix.at(row, q);
        matrix.at(row, p) = cosine * a - sine * b;
        matrix.at(row, q) = sine * a + cosine * b;
    }
}

double columnProduct(const Matrix &matrix, std::size_t p, std::size_t q)
{
    double sum = 0;
    for (std::size_t row = 0; row < matrix.rows; ++row)
        sum += matrix.at(row, p) * matrix.at(row, q);
    return sum;
}

/// Nothing if the columns do not come to right angles, or an element is not finite.
std::optional<Rotated> rotated(const Matrix &matrix)
{
    Rotated made{matrix, identity(matrix.columns)};
    bool isDone = !hasFiniteElements(matrix);
    if (isDone)
        return std::nullopt;
    for (int sweep = 0; sweep < maxSweeps && !isDone; ++sweep) {
        isDone = true;
        for (std::size_t p = 0; p + 1 < matrix.columns; ++p)
            for (std::size_t q = p + 1; q < matrix.columns; ++q) {
                const double a = columnProduct(made.columns, p, p), b = columnProduct(made.columns, q, q),
                             both = columnProduct(made.columns, p, q);
                if (std::abs(both) <= 1e-15 * std::sqrt(a * b))
                    continue;
                isDone = false;
                const auto [cosine, sine] = rotationOf(a, b, both);
                rotate(made.columns, p, q, cosine, sine);
                rotate(made.rotations, p, q, cosine, sine);
            }
    }
    return isDone ? std::optional(std::move(made)) : std::nullopt;
}

std::vector<double> lengthsOf(const Matrix &columns)
{
    std::vector<double> lengths;
    for (std::size_t column = 0; column < columns.columns; ++column)
        lengths.push_back(std::sqrt(columnProduct(columns, column, column)));
    return lengths;
}

Matrix upright(const Matrix &matrix) { return matrix.rows < matrix.columns ? transposed(matrix) : matrix; }

/// The largest first.
std::optional<std::vector<double>> singularValuesOf(const Matrix &matrix)
{
    const auto made = rotated(upright(matrix));
    if (!made)
        return std::nullopt;
    std::vector<double> values = lengthsOf(made->columns);
    std::ranges::sort(values, std::greater());
    return values;
}

/// A list of numbers of each matrix.
Answer listsOf(const Call &call, const Matrices &all, std::optional<std::vector<double>> (*numbersOf)(const Matrix &))
{
    const auto shape = call.shape();
    std::vector<double> numbers;
    for (const Matrix &matrix : all.each) {
        const auto own = numbersOf(matrix);
        if (!own)
            return std::nullopt;
        numbers.insert(numbers.end(), own->begin(), own->end());
    }
    return shape && std::ssize(numbers) == countOf(*shape)
        ? answer(Array{ir::DType::Float64, *shape, std::move(numbers)})
        : std::nullopt;
}

} // namespace

Answer singularValues(const Call &call)
{
    const auto all = matricesOf(call.array(0), maxRotatedSteps);
    return all ? listsOf(call, *all, singularValuesOf) : std::nullopt;
}

namespace {

/// Of a symmetric matrix, the least first. Its lower triangle counts.
std::optional<std::vector<double>> eigenvaluesOf(const Matrix &lower)
{
    Matrix a = lower;
    for (std::size_t row = 0; row < a.rows; ++row)
        for (std::size_t column = row + 1; column < a.columns; ++column)
            a.at(row, column) = a.at(column, row);
    bool isDone = !hasFiniteElements(a);
    if (isDone)
        return std::nullopt;
    double size = 0;
    for (const double x : a.elements)
        size = std::hypot(size, x);
    for (int sweep = 0; sweep < maxSweeps && !isDone; ++sweep) {
        isDone = true;
        for (std::size_t p = 0; p + 1 < a.rows; ++p)
            for (std::size_t q = p + 1; q < a.rows; ++q) {
                if (std::abs(a.at(p, q)) <= 1e-16 * size)
                    continue;
                isDone = false;
                const auto [cosine, sine] = rotationOf(a.at(p, p), a.at(q, q), a.at(p, q));
                rotate(a, p, q, cosine, sine);
                for (std::size_t k = 0; k < a.columns; ++k) {
                    const double x = a.at(p, k), y = a.at(q, k);
                    a.at(p, k) = cosine * x - sine * y;
                    a.at(q, k) = sine * x + cosine * y;
                }
            }
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < a.rows; ++i)
        values.push_back(a.at(i, i));
    std::ranges::sort(values);
    return isDone ? std::optional(std::move(values)) : std::nullopt;
}

} // namespace

Answer symmetricEigenvalues(const Call &call)
{
    auto all = squareMatricesOf(call.array(0), maxRotatedSteps);
    const std::string_view triangle = call.facts().has("UPLO") ? call.facts().text("UPLO") : "L";
    if (!all || (triangle != "L" && triangle != "U"))
        return std::nullopt;
    for (Matrix &matrix : all->each)
        if (triangle == "U")
            matrix = transposed(matrix);
    return listsOf(call, *all, eigenvaluesOf);
}

// ---- what depends on which singular values count

namespace {

/// Below what singular values are zero: at least `absolute`, and this part of the largest one.
struct Tolerance {
    double absolute = 0, relative = 0, rounding = 0; ///< of the dtype, for such a matrix

    /// Nothing if rounding decides whether one counts.
    std::optional<double> limitFor(const std::vector<double> &values) const
    {
        const double largest = values.empty() ? 0 : std::ranges::max(values), noise = rounding * largest;
        const double limit = std::max(absolute, relative * largest);
        const auto isNear = [&](double value) {
            return value < std::max(limit, noise) * 16 && (value > limit / 16 || limit < noise);
        };
        return std::ranges::none_of(values, isNear) ? std::optional(limit) : std::nullopt;
    }
};

/// As torch.linalg has it: the dtype's own rounding, where neither is given.
std::optional<Tolerance> toleranceOf(const Call &call, const Array &x)
{
    const bool isOld = call.facts().has("tol"); // which is all that counts
    const std::string_view relativeName = call.facts().has("rcond") ? "rcond" : "rtol";
    const auto absolute = call.number(isOld ? "tol" : "atol", "", 0), relative = call.number(relativeName, "", -1);
    const double rounding =
        x.dtype == ir::DType::Float64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
    const auto larger = static_cast<double>(std::max(x.shape.back(), x.shape[x.shape.size() - 2]));
    if (!absolute || !relative || call.flag("hermitian", false) != false
        || (x.dtype != ir::DType::Float64 && x.dtype != ir::DType::Float32))
        return std::nullopt;
    const double byDefault = isOld || *absolute > 0 ? 0 : rounding * larger;
    return Tolerance{*absolute, call.facts().has(relativeName) ? *relative : byDefault, rounding * larger};
}

} // namespace

Answer matrixRank(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = matricesOf(x, maxRotatedSteps);
    const auto tolerance = all ? toleranceOf(call, *x) : std::nullopt;
    if (!tolerance)
        return std::nullopt;
    std::vector<Whole> ranks;
    for (const Matrix &matrix : all->each) {
        const auto values = singularValuesOf(matrix);
        const auto limit = values ? tolerance->limitFor(*values) : std::nullopt;
        if (!limit)
            return std::nullopt;
        ranks.push_back(std::ranges::count_if(*values, [&](double value) { return value > *limit; }));
    }
    return answer(Array{ir::DType::Int64, all->batch, std::move(ranks)});
}

/// V·Σ⁻¹·Uᵀ, without the singular values that are zero: (a·V)·Σ⁻¹ is U.
Answer pseudoInverse(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = matricesOf(x, maxRotatedSteps);
    const auto tolerance = all ? toleranceOf(call, *x) : std::nullopt;
    if (!tolerance)
        return std::nullopt;
    std::vector<Matrix> inverses;
    for (const Matrix &matrix : all->each) {
        auto made = rotated(upright(matrix));
        const std::vector<double> values = made ? lengthsOf(made->columns) : std::vector<double>();
        const auto limit = made ? tolerance->limitFor(values) : std::nullopt;
        if (!limit)
            return std::nullopt;
        for (std::size_t column = 0; column < values.size(); ++column)
            for (std::size_t row = 0; row < made->columns.rows; ++row)
                made->columns.at(row, column) =
                    values[column] > *limit ? made->columns.at(row, column) / (values[column] * values[column]) : 0;
        const Matrix inverse = productOf(made->rotations, transposed(made->columns));
        inverses.push_back(matrix.rows < matrix.columns ? transposed(inverse) : inverse);
    }
    return answer(arrayOf(all->batch, inverses, static_cast<std::size_t>(x->shape.back()),
                          static_cast<std::size_t>(x->shape[x->shape.size() - 2])));
}

// ---- Q and R

namespace {

struct Factors {
    Matrix q, r;
};

/// By reflections, with the signs that LAPACK chooses; nothing where a column is nearly made of those before it.
std::optional<Factors> factorsOf(const Matrix &matrix, std::size_t inner)
{
    Matrix r = matrix, q = identity(matrix.rows);
    for (std::size_t k = 0; k < std::min(matrix.rows, matrix.columns); ++k) {
        double below = 0, whole = 0;
        for (std::size_t row = 0; row < matrix.rows; ++row) {
            below = row > k ? std::hypot(below, r.at(row, k)) : below;
            whole = std::hypot(whole, r.at(row, k));
        }
        if (below == 0)
            continue;
        const double length = -std::copysign(std::hypot(r.at(k, k), below), r.at(k, k));
        if (!std::isfinite(length) || std::abs(length) < 1e-4 * whole)
            return std::nullopt;
        std::vector<double> mirror(matrix.rows);
        for (std::size_t row = k; row < matrix.rows; ++row)
            mirror[row] = row == k ? 1 : r.at(row, k) / (r.at(k, k) - length);
        const double factor = (length - r.at(k, k)) / length;
        const auto reflect = [&](Matrix &all) {
            for (std::size_t column = 0; column < all.columns; ++column) {
                double sum = 0;
                for (std::size_t row = k; row < all.rows; ++row)
                    sum += mirror[row] * all.at(row, column);
                for (std::size_t row = k; row < all.rows; ++row)
                    all.at(row, column) -= factor * sum * mirror[row];
            }
        };
        reflect(r);
        reflect(q); // the product of all reflections, transposed
    }
    Factors made{{matrix.rows, inner, {}}, {inner, matrix.columns, {}}};
    for (std::size_t row = 0; row < matrix.rows; ++row)
        for (std::size_t column = 0; column < inner; ++column)
            made.q.elements.push_back(q.at(column, row));
    for (std::size_t row = 0; row < inner; ++row)
        for (std::size_t column = 0; column < matrix.columns; ++column)
            made.r.elements.push_back(column < row ? 0 : r.at(row, column));
    return made;
}

} // namespace

Answer orthogonalFactors(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = matricesOf(x, maxRotatedSteps);
    const bool isOld = call.facts().name() == "qr";
    const std::string_view mode = isOld ? (call.flag("some", true) == false ? "complete" : "reduced")
        : call.facts().has("mode")      ? call.facts().text("mode")
                                        : "reduced";
    if (!all || (mode != "reduced" && mode != "complete" && mode != "r"))
        return std::nullopt;
    const auto rows = static_cast<std::size_t>(x->shape[x->shape.size() - 2]),
               columns = static_cast<std::size_t>(x->shape.back());
    const std::size_t inner = mode == "complete" ? rows : std::min(rows, columns);
    std::vector<Matrix> q, r;
    for (const Matrix &matrix : all->each) {
        auto made = hasFiniteElements(matrix) ? factorsOf(matrix, inner) : std::nullopt;
        if (!made)
            return std::nullopt;
        q.push_back(std::move(made->q));
        r.push_back(std::move(made->r));
    }
    Array first = mode == "r" ? filled(ir::DType::Float64, {0}, 0.0) : arrayOf(all->batch, q, rows, inner);
    return Values{Value(std::move(first)), Value(arrayOf(all->batch, r, inner, columns))};
}

// ---- the exponential

/// Its series of the matrix halved until it is small, then squared as often.
Answer matrixExponential(const Call &call)
{
    const Array *x = call.array(0);
    auto all = squareMatricesOf(x, maxRotatedSteps);
    if (!all)
        return std::nullopt;
    for (Matrix &matrix : all->each) {
        double size = 0;
        for (const double element : matrix.elements)
            size += std::abs(element);
        constexpr double largest = 1000; // of more elements become infinite
        if (!(size < largest))
            return std::nullopt;
        const int halvings = size > 0.5 ? static_cast<int>(std::ceil(std::log2(size / 0.5))) : 0;
        for (double &element : matrix.elements)
            element = std::ldexp(element, -halvings);
        Matrix sum = identity(matrix.rows), term = sum;
        constexpr int terms = 16; // 0.5^16 / 16! is below what double precision tells apart
        for (int k = 1; k <= terms; ++k) {
            term = productOf(term, matrix);
            for (std::size_t i = 0; i < term.elements.size(); ++i)
                sum.elements[i] += term.elements[i] /= k;
        }
        for (int i = 0; i < halvings; ++i)
            sum = productOf(sum, sum);
        matrix = sum;
    }
    const auto side = static_cast<std::size_t>(x->shape.back());
    return answer(arrayOf(all->batch, all->each, side, side));
}

} // namespace cutaway::compute
