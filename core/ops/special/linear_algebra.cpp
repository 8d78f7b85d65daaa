// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include "core/ops/compute/network/matrix_product.h"
#include "core/ops/compute/places.h"

#define EIGEN_DONT_VECTORIZE // vectorization takes a third of the compile time
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

// Eigen computes, in double precision. There is no result where rounding decides, namely where it matters whether a
// small number is zero. Each library chooses the signs of singular vectors and eigenvectors, and their directions
// where values are equal: these are no results here. A singular matrix has no inverse: torch raises an error.

namespace cutaway::compute {

namespace {

using Matrix = Eigen::MatrixXd;
using Numbers = Eigen::VectorXd;

/// The matrices in the last two dimensions of a tensor, one by one.
struct Matrices {
    Sizes batch;
    std::vector<Matrix> each;
};

// Limits in steps of a product of matrices of the same size; larger ones take minutes.
constexpr double maxSteps = 3e9, maxDecomposedSteps = 2e8;
// The number of matrices has its own limit, because matrices may have no elements.
constexpr double maxMatrices = 1 << 24;

/// Returns the matrices of a tensor of floats; nothing for other dtypes and for tensors that are too large.
std::optional<Matrices> matricesOf(const Array *x, double most = maxSteps)
{
    if (!x || x->shape.size() < 2 || x->isWhole() || ir::isComplex(x->dtype))
        return std::nullopt;
    const std::int64_t rows = x->shape[x->shape.size() - 2], columns = x->shape.back();
    Matrices all{{x->shape.begin(), x->shape.end() - 2}, {}};
    if (static_cast<double>(x->count()) * static_cast<double>(std::max(rows, columns)) > most
        || std::accumulate(all.batch.begin(), all.batch.end(), 1.0, std::multiplies()) > maxMatrices)
        return std::nullopt;
    using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    for (std::int64_t i = 0; i < countOf(all.batch); ++i)
        all.each.emplace_back(Eigen::Map<const ByRows>(x->as<double>().data() + i * rows * columns, rows, columns));
    return all;
}

/// Like matricesOf(), for tensors with finite elements.
std::optional<Matrices> finiteMatricesOf(const Array *x, double most = maxSteps)
{
    auto all = matricesOf(x, most);
    const bool isFinite =
        all && std::ranges::all_of(x->as<double>(), [](double number) { return std::isfinite(number); });
    return isFinite ? std::move(all) : std::nullopt;
}

bool isOfSquares(const Array *x) { return x->shape.back() == x->shape[x->shape.size() - 2]; }

std::optional<Matrices> squareMatricesOf(const Array *x, double most = maxSteps)
{
    auto all = finiteMatricesOf(x, most);
    return all && isOfSquares(x) ? std::move(all) : std::nullopt;
}

/// Returns the results of make(matrix) for each matrix; nothing if it returns nothing for one of them.
template <class Make>
auto ofEach(const Matrices &all, Make make)
{
    std::optional results(std::vector<typename decltype(make(all.each.front()))::value_type>{});
    for (const Matrix &matrix : all.each) {
        auto result = make(matrix);
        if (!result)
            return decltype(results)();
        results->push_back(std::move(*result));
    }
    return results;
}

/// A tensor of matrices that each have these sizes.
std::optional<Array> arrayOf(const Sizes &batch, const std::optional<std::vector<Matrix>> &each, std::int64_t rows,
                             std::int64_t columns)
{
    if (!each)
        return std::nullopt;
    Sizes shape = batch;
    shape.insert(shape.end(), {rows, columns});
    std::vector<double> elements;
    for (const Matrix &matrix : *each)
        for (Eigen::Index row = 0; row < rows; ++row)
            for (Eigen::Index column = 0; column < columns; ++column)
                elements.push_back(matrix(row, column));
    return Array{ir::DType::Float64, std::move(shape), std::move(elements)};
}

/// Returns a tensor with a number for each matrix.
std::optional<Array> arrayOf(const Sizes &batch, std::optional<std::vector<double>> numbers)
{
    return numbers ? std::optional(Array{ir::DType::Float64, batch, std::move(*numbers)}) : std::nullopt;
}

/// Returns a result with a list of numbers for each matrix.
Answer answerOf(const Call &call, const std::optional<std::vector<Numbers>> &lists)
{
    const auto shape = call.shape();
    std::vector<double> all;
    for (const Numbers &list : lists ? *lists : std::vector<Numbers>())
        all.insert(all.end(), list.begin(), list.end());
    return lists && shape && std::ssize(all) == countOf(*shape)
        ? answer(Array{ir::DType::Float64, *shape, std::move(all)})
        : std::nullopt;
}

/// Returns the rounding error of a number of size 1 in the dtype in which torch computes.
double roundingOf(const Array &x)
{
    return x.dtype == ir::DType::Float64 ? std::numeric_limits<double>::epsilon()
                                         : std::numeric_limits<float>::epsilon();
}

// ---- by elimination

using Elimination = Eigen::PartialPivLU<Matrix>;

/// A matrix's decomposition, with its inverse.
struct Inverted {
    Elimination elimination;
    Matrix inverse;
};

/// Inverts a matrix. Returns nothing if it is singular, or may be after rounding.
std::optional<Inverted> inverted(const Matrix &matrix, double rounding)
{
    Elimination made(matrix);
    const Matrix identity = Matrix::Identity(matrix.rows(), matrix.cols());
    Matrix inverse = made.solve(identity);
    const double condition = matrix.norm() * inverse.norm(); // NaN where a pivot is zero
    return condition * 4 * rounding < 1 ? std::optional(Inverted{std::move(made), std::move(inverse)}) : std::nullopt;
}

std::optional<Array> inverseOf(const Array &x, const Matrices &all)
{
    const auto inverses = ofEach(all, [&](const Matrix &matrix) -> std::optional<Matrix> {
        auto made = inverted(matrix, roundingOf(x));
        return made ? std::optional(std::move(made->inverse)) : std::nullopt;
    });
    return arrayOf(all.batch, inverses, x.shape.back(), x.shape.back());
}

/// Returns the result and, if the node has it, a second result of 0, which means success.
Answer withInfo(std::optional<Array> result, const Sizes &batch, const Call &call)
{
    if (!result)
        return std::nullopt;
    Values values{Value(std::move(*result))};
    if (call.resultCount() > 1)
        values.emplace_back(filled(ir::DType::Int64, batch, std::int64_t{0}));
    return values;
}

} // namespace

/// Computes the determinant, the first of the results.
Answer determinant(const Call &call)
{
    const auto all = squareMatricesOf(call.array(0));
    const auto determinantOf = [](const Matrix &matrix) { return std::optional(Elimination(matrix).determinant()); };
    return all ? answer(arrayOf(all->batch, ofEach(*all, determinantOf))) : std::nullopt;
}

Answer logarithmOfDeterminant(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = squareMatricesOf(x);
    if (!all)
        return std::nullopt;
    std::vector<double> signs, logarithms;
    for (const Matrix &matrix : all->each) {
        const auto made = inverted(matrix, roundingOf(*x));
        if (!made)
            return std::nullopt;
        signs.push_back(static_cast<double>(made->elimination.permutationP().determinant()));
        logarithms.push_back(0);
        const Numbers pivots = made->elimination.matrixLU().diagonal();
        for (const double pivot : pivots) {
            signs.back() *= pivot < 0 ? -1 : 1;
            logarithms.back() += std::log(std::abs(pivot));
        }
    }
    if (call.facts().name() == "logdet") {
        for (std::size_t i = 0; i < signs.size(); ++i)
            logarithms[i] = signs[i] < 0 ? std::numeric_limits<double>::quiet_NaN() : logarithms[i];
        return answer(Array{ir::DType::Float64, all->batch, std::move(logarithms)});
    }
    return Values{Array{ir::DType::Float64, all->batch, std::move(signs)},
                  Array{ir::DType::Float64, all->batch, std::move(logarithms)}};
}

Answer inverse(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = squareMatricesOf(x);
    return all ? withInfo(inverseOf(*x, *all), all->batch, call) : std::nullopt;
}

Answer matrixPower(const Call &call)
{
    constexpr std::int64_t maxPower = 1000;
    const Array *x = call.array(0);
    const auto all = matricesOf(x);
    const auto n = call.facts().integer("n");
    if (!areKnown(all, n) || !isOfSquares(x) || *n < -maxPower || *n > maxPower)
        return std::nullopt;
    const std::int64_t size = x->shape.back();
    if (*n == 0)
        return answer(
            arrayOf(all->batch, std::vector<Matrix>(all->each.size(), Matrix::Identity(size, size)), size, size));
    const auto finite = *n < 0 ? squareMatricesOf(x) : std::nullopt;
    std::optional<Array> power, factor = *n > 0 ? *x : finite ? inverseOf(*x, *finite) : std::nullopt;
    for (std::int64_t left = std::abs(*n); left > 0 && factor; left /= 2) {
        if (left % 2 != 0)
            power = power ? matrixProduct(*power, *factor) : factor;
        if (left > 1)
            factor = matrixProduct(*factor, *factor);
    }
    return factor ? answer(std::move(power)) : std::nullopt;
}

/// Solves a system for a matrix or a batch of them. A right side of one dimension less has a vector for each matrix.
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
    const auto sides = finiteMatricesOf(&side);
    if (!sides || sides->batch != all->batch || side.shape[side.shape.size() - 2] != a->shape.back())
        return std::nullopt;
    std::vector<Matrix> solutions;
    for (std::size_t i = 0; i < all->each.size(); ++i) {
        const auto made = inverted(all->each[i], roundingOf(*a));
        if (!made)
            return std::nullopt;
        solutions.emplace_back(made->elimination.solve(sides->each[i]));
    }
    auto result = arrayOf(all->batch, solutions, a->shape.back(), side.shape.back());
    if (isVector)
        result->shape.pop_back();
    return answer(std::move(result));
}

/// Returns the lower triangular matrix whose product with its transpose is the matrix, or the upper one. Only that
/// triangle of the matrix is read. Nothing if rounding decides whether it exists.
Answer choleskyFactor(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = squareMatricesOf(x);
    const auto isUpper = call.flag("upper", false);
    if (!all || !isUpper)
        return std::nullopt;
    const auto factors = ofEach(*all, [&](const Matrix &matrix) -> std::optional<Matrix> {
        const Matrix lower = *isUpper ? Matrix(matrix.transpose()) : matrix;
        const Eigen::LLT<Matrix> made(lower);
        const Matrix factor = made.matrixL();
        const double noise = 4 * static_cast<double>(matrix.rows()) * roundingOf(*x);
        bool isCertain = made.info() == Eigen::Success;
        for (Eigen::Index i = 0; i < matrix.rows(); ++i)
            isCertain = isCertain && factor(i, i) * factor(i, i) > noise * matrix(i, i);
        if (!isCertain)
            return std::nullopt;
        return *isUpper ? Matrix(factor.transpose()) : factor;
    });
    return withInfo(arrayOf(all->batch, factors, x->shape.back(), x->shape.back()), all->batch, call);
}

// ---- Q and R

namespace {

struct Factors {
    Matrix q, r;
    bool areSignsCertain = true; ///< whether no sign depends on rounding
};

/// Factors a matrix into Q and R by Householder reflections with the signs of LAPACK. For each column, a reflection
/// makes the elements below the diagonal zero and gives the element on the diagonal the opposite sign; a column that is
/// zero there already is not reflected. The first reflection takes its column as given, later ones what the earlier
/// ones left of theirs. Nothing if squares overflow or underflow. `inner`: the columns of Q.
std::optional<Factors> factorsOf(const Matrix &matrix, Eigen::Index inner)
{
    const auto hasSquare = [](double x) { return x == 0 || (std::abs(x) > 1e-140 && std::abs(x) < 1e140); };
    if (!std::ranges::all_of(std::span(matrix.data(), static_cast<std::size_t>(matrix.size())), hasSquare))
        return std::nullopt;
    const Eigen::Index rows = matrix.rows(), columns = matrix.cols(), count = std::min(rows, columns);
    Factors made{Matrix::Identity(rows, inner), matrix};
    Numbers sizes(count), space(std::max(columns, inner));
    bool isGiven = true;
    for (Eigen::Index k = 0; k < count; ++k) {
        auto column = made.r.col(k).tail(rows - k);
        const auto mirror = made.r.col(k).tail(rows - k - 1);
        const double whole = made.r.col(k).norm(), below = mirror.norm(), diagonal = column[0];
        double turned = 0;
        column.makeHouseholderInPlace(sizes[k], turned);
        column[0] = turned;
        if (sizes[k] == 0)
            continue;
        const bool isNegativeZero = diagonal == 0 && std::signbit(diagonal); // Eigen treats -0 as positive
        if (isNegativeZero || (!isGiven && std::min({std::abs(turned), std::abs(diagonal), below}) < 1e-4 * whole))
            made.areSignsCertain = false;
        isGiven = false;
        made.r.bottomRightCorner(rows - k, columns - k - 1).applyHouseholderOnTheLeft(mirror, sizes[k], space.data());
    }
    for (Eigen::Index k = count; k-- > 0;) {
        auto mirror = made.r.col(k).tail(rows - k - 1);
        made.q.bottomRightCorner(rows - k, inner - k).applyHouseholderOnTheLeft(mirror, sizes[k], space.data());
        mirror.setZero();
    }
    made.r.conservativeResize(inner, columns);
    return made;
}

} // namespace

Answer orthogonalFactors(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = finiteMatricesOf(x, maxDecomposedSteps);
    const bool isOld = call.facts().name() == "qr";
    const std::string_view mode = isOld ? (call.flag("some", true) == false ? "complete" : "reduced")
        : call.facts().has("mode")      ? call.facts().text("mode")
                                        : "reduced";
    if (!all || (mode != "reduced" && mode != "complete" && mode != "r"))
        return std::nullopt;
    const std::int64_t rows = x->shape[x->shape.size() - 2], columns = x->shape.back();
    const std::int64_t inner = mode == "complete" ? rows : std::min(rows, columns);
    std::vector<Matrix> q, r;
    for (const Matrix &matrix : all->each) {
        auto made = factorsOf(matrix, inner);
        if (!made || !made->areSignsCertain)
            return std::nullopt;
        q.push_back(std::move(made->q));
        r.push_back(std::move(made->r));
    }
    auto first = mode == "r" ? filled(ir::DType::Float64, {0}, 0.0) : *arrayOf(all->batch, q, rows, inner);
    return Values{Value(std::move(first)), Value(*arrayOf(all->batch, r, inner, columns))};
}

// ---- singular values and eigenvalues

namespace {

using Singular = Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner>; // this class takes square matrices only

Matrix upright(const Matrix &matrix) { return matrix.rows() < matrix.cols() ? Matrix(matrix.transpose()) : matrix; }

/// Returns the singular values, the largest first: those of the triangular factor.
std::optional<Numbers> singularValuesOf(const Matrix &matrix)
{
    if (matrix.size() == 0) // Eigen would look for the largest element
        return Numbers();
    const auto factors = factorsOf(upright(matrix), std::min(matrix.rows(), matrix.cols()));
    return factors ? std::optional(Singular(factors->r).singularValues()) : std::nullopt;
}

/// Returns the eigenvalues of a symmetric matrix, the smallest first; only its lower triangle is read. The diagonal
/// is increased so that all eigenvalues are positive; they are then the singular values.
std::optional<Numbers> eigenvaluesOf(const Matrix &matrix)
{
    Matrix moved = matrix.selfadjointView<Eigen::Lower>();
    const double size = moved.norm();
    moved.diagonal().array() += size;
    auto values = singularValuesOf(moved);
    if (values) {
        std::ranges::reverse(*values);
        for (double &value : *values)
            value -= size;
    }
    return values;
}

} // namespace

Answer singularValues(const Call &call)
{
    const auto all = finiteMatricesOf(call.array(0), maxDecomposedSteps);
    return all ? answerOf(call, ofEach(*all, singularValuesOf)) : std::nullopt;
}

Answer symmetricEigenvalues(const Call &call)
{
    auto all = squareMatricesOf(call.array(0), maxDecomposedSteps);
    const std::string_view triangle = call.facts().has("UPLO") ? call.facts().text("UPLO") : "L";
    if (!all || (triangle != "L" && triangle != "U"))
        return std::nullopt;
    for (Matrix &matrix : all->each)
        if (triangle == "U")
            matrix.transposeInPlace();
    return answerOf(call, ofEach(*all, eigenvaluesOf));
}

// ---- what depends on which singular values count

namespace {

/// Singular values count as zero below the larger of `absolute` and `relative` times the largest one.
struct Tolerance {
    /// `rounding` is the relative error of the dtype in a matrix of this size.
    double absolute = 0, relative = 0, rounding = 0;

    /// Returns the threshold for these values; nothing if rounding decides whether one of them counts as zero.
    std::optional<double> limitFor(const Numbers &values) const
    {
        const double largest = values.size() == 0 ? 0 : values[0], noise = rounding * largest;
        const double limit = std::max(absolute, relative * largest);
        const auto isNear = [&](double value) {
            return value < std::max(limit, noise) * 16 && (value > limit / 16 || limit < noise);
        };
        return std::ranges::none_of(values, isNear) ? std::optional(limit) : std::nullopt;
    }
};

/// Returns the tolerance of the call. The default of torch.linalg is relative: the dtype's epsilon times the larger
/// size of the matrix, or 0 if an absolute tolerance is given. Nothing if an argument is not known or not supported.
std::optional<Tolerance> toleranceOf(const Call &call, const Array &x)
{
    const bool isOld = call.facts().has("tol"); // `tol` is the only tolerance that older operators have
    const std::string_view relativeName = call.facts().has("rcond") ? "rcond" : "rtol";
    const auto absolute = call.number(isOld ? "tol" : "atol", "", 0), relative = call.number(relativeName, "", -1);
    const auto larger = static_cast<double>(std::max(x.shape.back(), x.shape[x.shape.size() - 2]));
    if (!absolute || !relative || call.flag("hermitian", false) != false
        || (x.dtype != ir::DType::Float64 && x.dtype != ir::DType::Float32))
        return std::nullopt;
    const double rounding = roundingOf(x) * larger;
    const double byDefault = isOld || *absolute > 0 ? 0 : rounding;
    return Tolerance{*absolute, call.facts().has(relativeName) ? *relative : byDefault, rounding};
}

} // namespace

Answer matrixRank(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = finiteMatricesOf(x, maxDecomposedSteps);
    const auto tolerance = all ? toleranceOf(call, *x) : std::nullopt;
    if (!tolerance)
        return std::nullopt;
    auto ranks = ofEach(*all, [&](const Matrix &matrix) -> std::optional<Whole> {
        const auto values = singularValuesOf(matrix);
        const auto limit = values ? tolerance->limitFor(*values) : std::nullopt;
        return limit
            ? std::optional<Whole>(std::ranges::count_if(*values, [&](double value) { return value > *limit; }))
            : std::nullopt;
    });
    return ranks ? answer(Array{ir::DType::Int64, all->batch, std::move(*ranks)}) : std::nullopt;
}

namespace {

/// Returns V·Σ⁻¹·Uᵀ·Qᵀ, without the singular values that are zero.
std::optional<Matrix> pseudoInverseOf(const Matrix &matrix, const Tolerance &tolerance)
{
    if (matrix.size() == 0)
        return matrix.transpose();
    const auto factors = factorsOf(upright(matrix), std::min(matrix.rows(), matrix.cols()));
    if (!factors)
        return std::nullopt;
    const Singular made(factors->r, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const auto limit = tolerance.limitFor(made.singularValues());
    if (!limit)
        return std::nullopt;
    Matrix inverse = made.matrixV();
    for (Eigen::Index i = 0; i < inverse.cols(); ++i)
        inverse.col(i) *= made.singularValues()[i] > *limit ? 1 / made.singularValues()[i] : 0;
    const Matrix left = factors->q * made.matrixU(), turned = left.transpose();
    const Matrix product = inverse * turned;
    return matrix.rows() < matrix.cols() ? Matrix(product.transpose()) : product;
}

} // namespace

Answer pseudoInverse(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = finiteMatricesOf(x, maxDecomposedSteps);
    const auto tolerance = all ? toleranceOf(call, *x) : std::nullopt;
    if (!tolerance)
        return std::nullopt;
    const auto inverses = ofEach(*all, [&](const Matrix &matrix) { return pseudoInverseOf(matrix, *tolerance); });
    return answer(arrayOf(all->batch, inverses, x->shape.back(), x->shape[x->shape.size() - 2]));
}

// ---- the exponential

/// Halves the matrix until it is small, sums the series of the exponential, and squares the sum as often: Eigen's own
/// function is unsupported.
Answer matrixExponential(const Call &call)
{
    const Array *x = call.array(0);
    const auto all = squareMatricesOf(x, maxDecomposedSteps);
    if (!all)
        return std::nullopt;
    const auto exponentials = ofEach(*all, [](const Matrix &matrix) -> std::optional<Matrix> {
        constexpr double largest = 1000; // the exponential of a larger matrix has infinite elements
        double size = 0;
        for (const double element : std::span(matrix.data(), static_cast<std::size_t>(matrix.size())))
            size += std::abs(element);
        if (size >= largest)
            return std::nullopt;
        const int halvings = size > 0.5 ? static_cast<int>(std::ceil(std::log2(size / 0.5))) : 0;
        Matrix term = Matrix::Identity(matrix.rows(), matrix.cols()), sum = term;
        constexpr int terms = 16; // 0.5^16 / 16! is below double precision
        for (int k = 1; k <= terms; ++k) {
            term = term * matrix;
            term *= std::ldexp(1, -halvings) / k;
            sum += term;
        }
        for (int i = 0; i < halvings; ++i)
            sum = sum * sum;
        return sum;
    });
    return answer(arrayOf(all->batch, exponentials, x->shape.back(), x->shape.back()));
}

// ---- norms

namespace {

/// The norm of a matrix: √ of the sum of squares, or the extreme sum of absolute values along one of the dimensions.
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
    Numbers rows = Numbers::Zero(matrix.rows()), columns = Numbers::Zero(matrix.cols());
    for (Eigen::Index row = 0; row < matrix.rows(); ++row)
        for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
            const double size = std::abs(matrix(row, column));
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
    const auto last = x && dims ? ops::dimensions(*dims, x->shape.size()) : std::nullopt;
    if (!areKnown(shape, norm, last) || last->size() != 2 || last->front() == last->back() || x->count() == 0
        || x->isWhole() || std::ranges::any_of(x->as<double>(), [](double element) { return std::isnan(element); }))
        return std::nullopt;
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < x->shape.size(); ++d)
        if (!std::ranges::contains(*last, d))
            order.push_back(d);
    order.insert(order.end(), last->begin(), last->end());
    const Array turned = permuted(*x, order);
    const auto all = matricesOf(&turned);
    if (!all)
        return std::nullopt;
    std::vector<double> results;
    for (const Matrix &matrix : all->each)
        results.push_back(normOf(matrix, *norm));
    return answer(*shape, std::move(results));
}

} // namespace cutaway::compute
