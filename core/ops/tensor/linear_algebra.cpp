// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/linear_algebra.h"

#include "core/base/formatted.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/network/matrix_shape.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

/// The matrices in the last two dimensions of a tensor, with the dimensions before as the batch.
struct Matrices {
    std::optional<DType> dtype;
    Shape batch;
    Dim rows, columns;

    TensorFact of(Dim m, Dim n) const { return of(dtype, {std::move(m), std::move(n)}); }
    TensorFact of(std::optional<DType> type, std::initializer_list<Dim> sizes) const
    {
        Shape shape = batch;
        shape.insert(shape.end(), sizes);
        return tensorFact(type, std::move(shape));
    }
    /// Returns the fact of a tensor with one value per matrix.
    TensorFact each(std::optional<DType> type) const { return of(type, {}); }
    Dim smaller() const { return rows == columns ? rows : minimum(rows, columns); }
    std::optional<DType> real() const { return dtype ? std::optional(realType(*dtype)) : std::nullopt; }
    Shape shape() const { return *of(rows, columns).shape; }
};

std::optional<Matrices> matricesAt(const Call &call, std::size_t place)
{
    const Shape *shape = call.shape(place);
    if (!shape || shape->size() < 2)
        return std::nullopt;
    return Matrices{call.dtypeOf(place), Shape(shape->begin(), shape->end() - 2), (*shape)[shape->size() - 2],
                    shape->back()};
}

/// Returns the doubt that the argument at `place` has fewer than two dimensions, or that its rank is not known.
Answer noMatrices(const Call &call, std::size_t place = 0)
{
    if (const Shape *shape = call.shape(place); shape && shape->size() < 2)
        return wrong(formatted("expected matrices, found {}", ir::print(*shape)));
    return unknown("number of dimensions of the matrices unknown");
}

using MatrixRule = Answer (*)(const Call &call, const Matrices &a);

template <MatrixRule rule, std::size_t place = 0>
Answer matrices(const Call &call)
{
    const auto a = matricesAt(call, place);
    return a ? rule(call, *a) : noMatrices(call, place);
}

template <MatrixRule rule>
Answer squares(const Call &call)
{
    const auto a = matricesAt(call, 0);
    if (a && isDifferent(a->rows, a->columns))
        return wrong(formatted("expected square matrices, found {}", ir::print(a->shape())));
    return a ? rule(call, *a) : noMatrices(call);
}

Answer sameMatrices(const Call &, const Matrices &a) { return {a.of(a.rows, a.columns)}; }

Answer sameAndInfo(const Call &, const Matrices &a) { return {a.of(a.rows, a.columns), a.each(DType::Int32)}; }

Answer oneEach(const Call &, const Matrices &a) { return {a.each(a.dtype)}; }

Answer realEach(const Call &, const Matrices &a) { return {a.each(a.real())}; }

Answer rankEach(const Call &, const Matrices &a) { return {a.each(DType::Int64)}; }

/// Returns the determinant, the LU factors and the pivots.
Answer determinant(const Call &, const Matrices &a)
{
    return {a.each(a.dtype), a.of(a.rows, a.columns), a.of(DType::Int32, {a.smaller()})};
}

Answer logDeterminant(const Call &, const Matrices &a)
{
    return {a.each(a.dtype), a.each(a.real()), a.of(a.rows, a.columns), a.of(DType::Int32, {a.smaller()})};
}

Answer pseudoInverse(const Call &, const Matrices &a) { return {a.of(a.columns, a.rows)}; }

// ---- Decompositions

Facts nothing(std::optional<DType> dtype) { return {tensorFact(dtype, Shape{std::int64_t{0}})}; }

/// Returns U, S, and V or Vh; if `full`, the matrices are square.
Facts singular(const Matrices &a, bool full, bool transposedV)
{
    const Dim k = a.smaller();
    const Dim &left = full ? a.rows : k, &right = full ? a.columns : k;
    return {a.of(a.rows, left), a.of(a.real(), {k}), transposedV ? a.of(right, a.columns) : a.of(a.columns, right)};
}

Answer linalgSvd(const Call &call, const Matrices &a)
{
    const auto full = call.flag("full_matrices"), vectors = call.flag("compute_uv");
    if (!full)
        return unknown("it is not known whether the matrices are full");
    Answer answer = singular(a, *full, true);
    if (vectors == false)
        answer.facts[0] = answer.facts[2] = nothing(a.dtype).front();
    return answer;
}

/// The older operator returns V, and zeros of full size if the matrices are not computed.
Answer svd(const Call &call, const Matrices &a)
{
    const auto some = call.flag("some"), vectors = call.flag("compute_uv");
    if (!some || !vectors)
        return unknown("it is not known whether the matrices are full");
    return singular(a, !*some || !*vectors, false);
}

Answer singularValues(const Call &, const Matrices &a) { return {a.of(a.real(), {a.smaller()})}; }

enum class Qr : std::uint8_t { Reduced, Complete, OnlyR };

Facts qrOf(const Matrices &a, Qr mode)
{
    const Dim k = a.smaller(), &inner = mode == Qr::Complete ? a.rows : k;
    return {mode == Qr::OnlyR ? nothing(a.dtype).front() : Fact(a.of(a.rows, inner)), a.of(inner, a.columns)};
}

Answer linalgQr(const Call &call, const Matrices &a)
{
    const std::string_view mode = call.text("mode");
    return qrOf(a, mode == "complete" ? Qr::Complete : mode == "r" ? Qr::OnlyR : Qr::Reduced);
}

Answer qr(const Call &call, const Matrices &a)
{
    return qrOf(a, call.flag("some").value_or(true) ? Qr::Reduced : Qr::Complete);
}

Answer householder(const Call &, const Matrices &a) { return {a.of(a.rows, a.columns), a.of(a.dtype, {a.smaller()})}; }

std::optional<DType> complexOfReal(std::optional<DType> dtype)
{
    return dtype ? std::optional(promote(floatType(*dtype), DType::Complex32)) : std::nullopt;
}

Answer eigenvalues(const Call &, const Matrices &a) { return {a.of(complexOfReal(a.dtype), {a.rows})}; }

Answer eigen(const Call &, const Matrices &a)
{
    const auto dtype = complexOfReal(a.dtype);
    return {a.of(dtype, {a.rows}), a.of(dtype, {a.rows, a.columns})};
}

/// Returns the eigenvalues of symmetric matrices, which are real, and the eigenvectors. The private operator and
/// symeig may omit the eigenvectors.
Answer symmetricEigen(const Call &call, const Matrices &a)
{
    const bool none = call.flag(call.name() == "symeig" ? "eigenvectors" : "compute_v") == false;
    return {a.of(a.real(), {a.rows}), none ? nothing(a.dtype).front() : Fact(a.of(a.rows, a.columns))};
}

Answer symmetricEigenvalues(const Call &, const Matrices &a) { return {a.of(a.real(), {a.rows})}; }

/// Returns P, L and U.
Answer lu(const Call &, const Matrices &a)
{
    const Dim k = a.smaller();
    return {a.of(a.rows, a.rows), a.of(a.rows, k), a.of(k, a.columns)};
}

Answer luUnpack(const Call &call, const Matrices &a)
{
    Answer answer = lu(call, a);
    if (call.flag("unpack_pivots") == false)
        answer.facts[0] = nothing(a.dtype).front();
    if (call.flag("unpack_data") == false)
        answer.facts[1] = answer.facts[2] = nothing(a.dtype).front();
    return answer;
}

/// Returns the factors in one matrix, the pivots, and whether the factorization succeeded.
Answer factorAndPivots(const Call &, const Matrices &a)
{
    return {a.of(a.rows, a.columns), a.of(DType::Int32, {a.smaller()}), a.each(DType::Int32)};
}

// ---- Equations

std::optional<Shape> broadcastBatch(const Matrices &a, const Matrices &b, const Dim &rows, const Dim &columns)
{
    auto shape = broadcast(a.batch, b.batch);
    if (shape)
        shape->insert(shape->end(), {rows, columns});
    return shape;
}

/// Returns the solution, which has the shape of the right hand side, the argument at `right`; the batches broadcast.
template <std::size_t coefficients, std::size_t right>
Answer unknowns(const Call &call)
{
    const auto a = matricesAt(call, coefficients), b = matricesAt(call, right);
    if (!a || !b)
        return noMatrices(call, a ? right : coefficients);
    auto shape = broadcastBatch(*a, *b, b->rows, b->columns);
    if (!shape)
        return wrong(formatted("cannot broadcast {} with {}", ir::print(a->batch), ir::print(b->batch)));
    return {tensorFact(b->dtype, std::move(shape))};
}

/// Returns the solution and the coefficients, broadcast.
Answer triangularSolve(const Call &call)
{
    Answer answer = unknowns<1, 0>(call);
    const auto a = matricesAt(call, 1), b = matricesAt(call, 0);
    if (a && b)
        if (auto shape = broadcastBatch(*a, *b, a->rows, a->columns))
            answer.facts.emplace_back(tensorFact(a->dtype, std::move(shape)));
    return answer;
}

/// Whether the right hand side of linalg_solve is a batch of vectors: it has the shape of the matrices without the last
/// dimension, or is a single vector. Nothing if that is not known.
std::optional<bool> isVectors(const Shape &a, const Shape &b)
{
    if (b.size() == 1)
        return true;
    if (b.size() + 1 != a.size())
        return false;
    bool isSure = true;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (isDifferent(a[i], b[i]))
            return false;
        isSure = isSure && isSame(a[i], b[i]);
    }
    return isSure ? std::optional(true) : std::nullopt;
}

/// The right hand side of an equation as matrices; vectors become matrices of one column.
struct RightSide {
    bool areVectors = false;
    Shape shape;

    Shape batch() const { return {shape.begin(), shape.end() - 2}; }
};

std::optional<RightSide> rightSide(const Shape &a, const Shape &b)
{
    const auto areVectors = isVectors(a, b);
    if (!areVectors || b.empty())
        return std::nullopt;
    RightSide side{*areVectors, b};
    if (*areVectors)
        side.shape.emplace_back(std::int64_t{1});
    return side.shape.size() < 2 ? std::nullopt : std::optional(std::move(side));
}

/// Returns x of `a`·x = right hand side, with `rows` rows.
Answer solution(const Call &call, const Matrices &a, const Dim &rows)
{
    const Shape *right = call.shape(1u);
    const auto side = right ? rightSide(a.shape(), *right) : std::nullopt;
    if (!side)
        return onlyType(a.dtype, "it is not known whether the right hand side is of vectors");
    auto shape = broadcast(a.batch, side->batch());
    if (!shape)
        return wrong(formatted("cannot solve {} for {}", ir::print(a.shape()), ir::print(*right)));
    shape->push_back(rows);
    if (!side->areVectors)
        shape->push_back(side->shape.back());
    return {tensorFact(a.dtype, std::move(shape))};
}

/// Returns the solution; the private operator also returns its factors.
Answer linalgSolve(const Call &call)
{
    const auto a = matricesAt(call, 0);
    if (!a)
        return noMatrices(call);
    const Shape *right = call.shape(1u);
    const auto side = right ? rightSide(a->shape(), *right) : std::nullopt;
    Answer answer = solution(call, *a, side ? side->shape[side->shape.size() - 2] : a->rows);
    answer.facts.resize(1);
    if (call.name() == "_linalg_solve_ex")
        answer.facts.insert(answer.facts.end(), {a->of(a->rows, a->columns), a->of(DType::Int32, {a->rows})});
    answer.facts.emplace_back(a->each(DType::Int32));
    return answer;
}

/// A = U H: returns U, of the shape of A, and H, which is square with A's number of columns.
Answer polar(const Call &, const Matrices &a) { return {a.of(a.rows, a.columns), a.of(a.columns, a.columns)}; }

/// Returns the least squares solution. The contents of the other results depend on the driver.
Answer leastSquares(const Call &call)
{
    const auto a = matricesAt(call, 0);
    if (!a)
        return noMatrices(call);
    Answer answer = solution(call, *a, a->columns);
    answer.facts.resize(1);
    const Shape none{zero};
    const std::string_view driver = call.has("driver") ? call.text("driver") : "gelsy"; // the default for a CPU
    const bool hasValues = driver == "gelsd" || driver == "gelss";
    const auto rows = number(a->rows), columns = number(a->columns);
    std::optional<Shape> residuals, rank, values;
    if (driver == "gelsy" || (rows && columns && *rows <= *columns))
        residuals = none;
    else if (const Shape *right = call.shape(1u); driver == "gels" && rows && columns && right && right->size() > 1) {
        residuals = a->batch;
        residuals->push_back(right->back());
    }
    if (!driver.empty()) {
        rank = driver == "gels" ? none : a->batch;
        values = hasValues ? a->batch : none;
        if (hasValues)
            values->push_back(minimum(a->rows, a->columns));
    }
    answer.facts.insert(
        answer.facts.end(),
        {tensorFact(a->real(), residuals), tensorFact(DType::Int64, rank), tensorFact(a->real(), values)});
    return answer;
}

// ---- Others

Answer powers(const Call &call)
{
    const Shape *x = call.shape(0u);
    auto dtype = call.dtypeOf(0u);
    if (dtype && (isInteger(*dtype) || *dtype == ir::DType::Bool))
        dtype = DType::Int64;
    if (!x || (x->empty() && !call.has("N")))
        return onlyType(dtype, "vector shape unknown");
    Shape shape = x->empty() ? Shape{std::int64_t{1}} : *x;
    shape.push_back(call.has("N") ? call.size("N").value_or(ir::UnknownDim{}) : x->back());
    return {tensorFact(dtype, std::move(shape))};
}

struct Pair {
    std::optional<DType> dtype;
    std::optional<Shape> shape; ///< the shape that both are broadcast to; nothing: they do not fit
};

std::optional<Pair> pairOf(const Call &call)
{
    const std::array<const Fact *, 2> facts{&call[0u], &call[1u]};
    const Shape *a = call.shape(0u), *b = call.shape(1u);
    if (!a || !b)
        return std::nullopt;
    return Pair{resultType(facts), broadcast(*a, *b)};
}

Answer crossProduct(const Call &call)
{
    auto pair = pairOf(call);
    if (!pair)
        return onlyType(call.dtypeOf(0u), "number of dimensions unknown");
    return pair->shape ? Answer{tensorFact(pair->dtype, std::move(pair->shape))} : wrong("the vectors do not fit");
}

Answer vectorDot(const Call &call)
{
    auto pair = pairOf(call);
    if (!pair)
        return onlyType(call.dtypeOf(0u), "number of dimensions unknown");
    const auto at = pair->shape ? dimension(call.integer("dim").value_or(-1), pair->shape->size()) : std::nullopt;
    if (!at)
        return wrong("the vectors do not fit");
    pair->shape->erase(pair->shape->begin() + static_cast<std::ptrdiff_t>(*at));
    return {tensorFact(pair->dtype, std::move(pair->shape))};
}

Answer tensorInverse(const Call &call)
{
    const Shape *shape = call.shape(0u);
    const auto split = call.integer("ind");
    if (!shape || !split || *split < 0 || *split > std::ssize(*shape))
        return onlyType(call.dtypeOf(0u), "number of dimensions unknown");
    Shape turned(shape->begin() + *split, shape->end());
    turned.insert(turned.end(), shape->begin(), shape->begin() + *split);
    return {tensorFact(call.dtypeOf(0u), std::move(turned))};
}

Answer tensorSolve(const Call &call)
{
    const Shape *a = call.shape(0u), *b = call.shape(1u);
    if (!a || !b || a->empty() || b->size() > a->size())
        return onlyType(call.dtypeOf(0u), "shapes unknown");
    const auto last = call.has("dims") ? axes(call["dims"], a->size()) : std::vector<std::size_t>();
    if (!last)
        return {Facts{tensorFact(call.dtypeOf(0u))}, last.error()};
    Shape shape;
    for (std::size_t i = 0; i < a->size(); ++i)
        if (!std::ranges::contains(*last, i))
            shape.push_back((*a)[i]);
    for (const std::size_t moved : *last)
        shape.push_back((*a)[moved]);
    return {
        tensorFact(call.dtypeOf(0u), Shape(shape.begin() + std::min(std::ssize(*b), std::ssize(shape)), shape.end()))};
}

// ---- Costs: the leading term of the textbook's count, as a fraction of m·n·n per matrix

template <std::int64_t numerator, std::int64_t denominator = 1>
Cost cubic(const Call &call, std::span<const Fact>)
{
    const auto a = matricesAt(call, 0);
    const Dim each = a ? times({numerator, product(a->batch), a->rows, a->columns, a->columns}) : Dim(ir::UnknownDim{});
    return {std::int64_t{0}, floorDivide(each, denominator)};
}

/// Counts the products of a power: one less than the exponent's binary digits, and one less than the ones among them.
Cost powerCost(const Call &call, std::span<const Fact>)
{
    const auto exponent = call.integer("n");
    const Shape *a = call.shape(0u);
    if (!exponent || !a)
        return {ir::UnknownDim{}};
    const auto n = *exponent < 0 ? 0 - static_cast<std::uint64_t>(*exponent) : static_cast<std::uint64_t>(*exponent);
    if (n < 2)
        return {};
    const std::int64_t products = std::bit_width(n) - 1 + std::popcount(n) - 1;
    return {times(productCost(a, a).flops, products)};
}

constexpr Operator linearAlgebraRows[] = {
    Operator("aten::inverse aten::linalg_inv", Category::MatrixProduct, Pattern::Other, squares<sameMatrices>, cubic<2>,
             {.compute = compute::inverse,
              .formula = "linalg_inv_ex(A if self is None else self)[0]",
              .cpuAutocast = CastTo::Float32}),
    Operator("com.microsoft::Inverse", Category::MatrixProduct, Pattern::Other, squares<sameMatrices>, cubic<2>,
             {.compute = compute::inverse}),
    Operator("aten::linalg_inv_ex", Category::MatrixProduct, Pattern::Other, squares<sameAndInfo>, cubic<2>,
             {.compute = compute::inverse, .cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_cholesky aten::cholesky", Category::MatrixProduct, Pattern::Other, squares<sameMatrices>,
             cubic<1, 3>,
             {.compute = compute::choleskyFactor,
              .formula = "linalg_cholesky_ex(self, upper=upper)[0]",
              .cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_cholesky_ex", Category::MatrixProduct, Pattern::Other, squares<sameAndInfo>, cubic<1, 3>,
             {.compute = compute::choleskyFactor, .cpuAutocast = CastTo::Float32}),
    Operator("aten::cholesky_inverse", Category::MatrixProduct, Pattern::Other, squares<sameMatrices>, cubic<2, 3>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_matrix_exp aten::matrix_exp", Category::MatrixProduct, Pattern::Other, squares<sameMatrices>,
             cubic<20>, {.compute = compute::matrixExponential}),
    Operator("aten::linalg_matrix_sqrth", Category::MatrixProduct, Pattern::Other, squares<sameMatrices>, cubic<20>),
    Operator("aten::matrix_power aten::linalg_matrix_power", Category::MatrixProduct, Pattern::Other,
             squares<sameMatrices>, powerCost,
             {.compute = compute::matrixPower, .cpuAutocast = CastTo::Unknown, .cudaAutocast = CastTo::Unknown}),
    Operator("aten::det=linalg_det onnx::Det", Category::MatrixProduct, Pattern::Other, squares<oneEach>, cubic<2, 3>,
             {.compute = compute::determinant, .formula = "_linalg_det(A if self is None else self)[0]"}),
    Operator("aten::logdet", Category::MatrixProduct, Pattern::Other, squares<oneEach>, cubic<2, 3>,
             {.compute = compute::logarithmOfDeterminant}),
    Operator("aten::_linalg_det", Category::MatrixProduct, Pattern::Other, squares<determinant>, cubic<2, 3>,
             {.compute = compute::determinant}),
    Operator("aten::slogdet aten::linalg_slogdet", Category::MatrixProduct, Pattern::Other, squares<logDeterminant>,
             cubic<2, 3>,
             {.compute = compute::logarithmOfDeterminant, .formula = "_linalg_slogdet(A if self is None else self)"}),
    Operator("aten::_linalg_slogdet", Category::MatrixProduct, Pattern::Other, squares<logDeterminant>, cubic<2, 3>,
             {.compute = compute::logarithmOfDeterminant}),
    Operator("aten::linalg_cond", Category::MatrixProduct, Pattern::Other, matrices<realEach>, cubic<4>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_matrix_rank", Category::MatrixProduct, Pattern::Other, matrices<rankEach>, cubic<4>,
             {.compute = compute::matrixRank, .cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_pinv", Category::MatrixProduct, Pattern::Other, matrices<pseudoInverse>, cubic<22>,
             {.compute = compute::pseudoInverse, .cpuAutocast = CastTo::Unknown, .cudaAutocast = CastTo::Unknown}),
    Operator("aten::pinverse", Category::MatrixProduct, Pattern::Other, matrices<pseudoInverse>, cubic<22>,
             {.compute = compute::pseudoInverse, .cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_svd", Category::MatrixProduct, Pattern::Other, matrices<linalgSvd>, cubic<22>,
             {.formula = "_linalg_svd(A, full_matrices, True, driver=driver)", .cpuAutocast = CastTo::Float32}),
    Operator("aten::_linalg_svd prims::svd", Category::MatrixProduct, Pattern::Other, matrices<linalgSvd>, cubic<22>),
    Operator("aten::svd", Category::MatrixProduct, Pattern::Other, matrices<svd>, cubic<22>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_svdvals", Category::MatrixProduct, Pattern::Other, matrices<singularValues>, cubic<4>,
             {.compute = compute::singularValues, .cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_qr", Category::MatrixProduct, Pattern::Other, matrices<linalgQr>, cubic<4, 3>,
             {.compute = compute::orthogonalFactors, .cpuAutocast = CastTo::Float32}),
    Operator("aten::qr", Category::MatrixProduct, Pattern::Other, matrices<qr>, cubic<4, 3>,
             {.compute = compute::orthogonalFactors, .cpuAutocast = CastTo::Float32}),
    Operator("aten::geqrf", Category::MatrixProduct, Pattern::Other, matrices<householder>, cubic<4, 3>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_householder_product aten::orgqr", Category::MatrixProduct, Pattern::Other,
             matrices<sameMatrices>, cubic<4, 3>, {.cpuAutocast = CastTo::Float32}),
    Operator("aten::ormqr", Category::MatrixProduct, Pattern::Other, matrices<sameMatrices, 2>, cubic<4, 3>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_eig", Category::MatrixProduct, Pattern::Other, squares<eigen>, cubic<25>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_eigvals", Category::MatrixProduct, Pattern::Other, squares<eigenvalues>, cubic<10>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::_linalg_eigvals", Category::MatrixProduct, Pattern::Other, squares<eigenvalues>, cubic<10>),
    Operator("aten::linalg_eigh", Category::MatrixProduct, Pattern::Other, squares<symmetricEigen>, cubic<9>,
             {.formula = "_linalg_eigh(self, UPLO=UPLO, compute_v=True)", .cpuAutocast = CastTo::Float32}),
    Operator("aten::_linalg_eigh aten::symeig", Category::MatrixProduct, Pattern::Other, squares<symmetricEigen>,
             cubic<9>),
    Operator("aten::linalg_eigvalsh", Category::MatrixProduct, Pattern::Other, squares<symmetricEigenvalues>,
             cubic<4, 3>, {.compute = compute::symmetricEigenvalues, .cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_polar", Category::MatrixProduct, Pattern::Other, matrices<polar>, cubic<22>),
    Operator("aten::linalg_lu", Category::MatrixProduct, Pattern::Other, matrices<lu>, cubic<2, 3>),
    Operator("aten::lu_unpack", Category::MatrixProduct, Pattern::Other, matrices<luUnpack>),
    Operator("aten::linalg_lu_factor aten::linalg_lu_factor_ex aten::linalg_ldl_factor aten::linalg_ldl_factor_ex",
             Category::MatrixProduct, Pattern::Other, matrices<factorAndPivots>, cubic<2, 3>),
    Operator("aten::_lu_with_info", Category::MatrixProduct, Pattern::Other, matrices<factorAndPivots>, cubic<2, 3>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_solve", Category::MatrixProduct, Pattern::Other, linalgSolve, cubic<2, 3>,
             {.compute = compute::solution,
              .formula = "_linalg_solve_ex(A, B, left=left)[0]",
              .cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_solve_ex aten::_linalg_solve_ex", Category::MatrixProduct, Pattern::Other, linalgSolve,
             cubic<2, 3>, {.compute = compute::solution}),
    Operator("aten::linalg_solve_triangular", Category::MatrixProduct, Pattern::Other, unknowns<0, 1>, onePerArgument),
    Operator("aten::triangular_solve", Category::MatrixProduct, Pattern::Other, triangularSolve, onePerArgument,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::cholesky_solve aten::lu_solve", Category::MatrixProduct, Pattern::Other, unknowns<1, 0>,
             onePerArgument, {.cpuAutocast = CastTo::Float32}),
    Operator("aten::_cholesky_solve_helper", Category::MatrixProduct, Pattern::Other, unknowns<1, 0>, onePerArgument),
    Operator("aten::linalg_lu_solve aten::linalg_ldl_solve", Category::MatrixProduct, Pattern::Other, unknowns<0, 2>,
             onePerArgument),
    Operator("aten::linalg_lstsq", Category::MatrixProduct, Pattern::Other, leastSquares, cubic<2>,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_vander aten::vander", Category::MatrixProduct, Pattern::Other, powers, onePerResult),
    Operator("aten::linalg_cross", Category::Elementwise, Pattern::Pointwise, crossProduct, onePerResult,
             {.compute = compute::crossProduct}),
    Operator("aten::cross", Category::Elementwise, Pattern::Pointwise, crossProduct, onePerResult,
             {.compute = compute::crossProduct, .cudaAutocast = CastTo::Widest}),
    Operator("aten::linalg_vecdot", Category::MatrixProduct, Pattern::Other, vectorDot, onePerArgument,
             {.compute = compute::vectorDot,
              .formula = "sum(x * y, dim) if not isComplex(x)",
              .cpuAutocast = CastTo::Lower,
              .cudaAutocast = CastTo::Lower}),
    Operator("aten::linalg_tensorinv", Category::MatrixProduct, Pattern::Other, tensorInverse, unknownOther,
             {.cpuAutocast = CastTo::Float32}),
    Operator("aten::linalg_tensorsolve", Category::MatrixProduct, Pattern::Other, tensorSolve, unknownOther,
             {.cpuAutocast = CastTo::Float32}),
};

} // namespace

std::span<const Operator> linearAlgebraOperators() { return linearAlgebraRows; }

} // namespace cutaway::ops
