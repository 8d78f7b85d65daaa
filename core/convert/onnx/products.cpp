// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

#include "core/ops/arguments/matrix_product_arguments.h"

namespace cutaway::convert {

namespace {

using L = Lowering;

/// alpha·a·b + beta·added
Term withAdded(L &l, const ops::MatrixProductArguments &given, Term product)
{
    if (l.known(given.alpha, "alpha is") != 1)
        product = product * *given.alpha;
    const double beta = l.known(given.beta, "beta is");
    if (!l.call().has(given.added) || beta == 0)
        return product;
    const Term added = l.cast(l[given.added], product.dtype);
    return product + (beta == 1 ? added : added * beta);
}

/// A product of two matrices and a sum as one Gemm.
Results gemmRule(L &l)
{
    const auto given = ops::matrixProductArguments(l.call());
    const auto a = l.tensor(given.a), b = l.tensor(given.b);
    if (a.rank() != 2 || b.rank() != 2 || !l.call().has(given.added) || !ir::isFloating(a.dtype))
        return l.refuse("no product of two matrices");
    const auto dtype = l.resultDType();
    return {l.make("Gemm", {l.cast(l[given.a], dtype), l.cast(l[given.b], dtype), l.cast(l[given.added], dtype)},
                   {{"alpha", l.known(given.alpha, "alpha is")},
                    {"beta", l.known(given.beta, "beta is")},
                    {"transB", std::int64_t{l.known(given.transposeB, "the weight's order is")}}})};
}

/// A factor with its last two dimensions exchanged.
Term turned(L &l, const Term &x, std::size_t rank)
{
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < rank; ++i)
        order.push_back(static_cast<std::int64_t>(i));
    if (rank > 1)
        std::swap(order[rank - 1], order[rank - 2]);
    return l.transpose(x, order);
}

Results integerProductRule(L &l) { return {l.make("MatMulInteger", {l["self"], l["mat2"]}, {}, ir::DType::Int32)}; }

Results productRule(L &l)
{
    const auto given = ops::matrixProductArguments(l.call());
    const auto b = l.tensor(given.b);
    const auto dtype = l.resultDType();
    Term right = l.cast(l[given.b], dtype);
    if (l.known(given.transposeB, "the weight's order is"))
        right = turned(l, right, b.rank());
    return {withAdded(l, given, l.make("MatMul", {l.cast(l[given.a], dtype), right}))};
}

/// The sum of a batch of products.
Results summedProductRule(L &l)
{
    const auto dtype = l.resultDType();
    const Term product = l.make("MatMul", {l.as("batch1", dtype), l.as("batch2", dtype)});
    const Term sum = l.reduce("ReduceSum", product, {0}, false);
    return {l.as("self", dtype) * l.number("beta") + sum * l.number("alpha")};
}

Results outerRule(L &l)
{
    const auto dtype = l.resultDType();
    return {l.unsqueeze(l.as(0, dtype), {1}) * l.as(1, dtype)};
}

Results determinantRule(L &l)
{
    for (std::size_t i = 1; i < l.resultCount(); ++i)
        if (l.isRead(i))
            return l.refuse("its factors as results");
    return {applied("Det", l[0]), Lowered(), Lowered()};
}

/// In the letters that ONNX Runtime reads.
Results einsumRule(L &l)
{
    const std::string_view equation = l.text("equation");
    if (equation.empty())
        return l.refuse("its equation is not known");
    std::vector<Term> operands = l.items("tensors");
    for (Term &operand : operands)
        operand = l.cast(operand, l.resultDType());
    return {l.make("Einsum", operands, {{"equation", ir::String{l.graph().context().name(equation)}}})};
}

constexpr LoweringRule productTable[] = {
    {"aten::addmm aten::linear", gemmRule},
    {"aten::_int_mm", integerProductRule},
    {"aten::mm aten::bmm aten::matmul aten::mv aten::dot aten::addmm aten::baddbmm aten::addmv aten::linear",
     productRule},
    {"aten::addbmm", summedProductRule},
    {"aten::outer aten::ger", outerRule},
    {"aten::_linalg_det aten::linalg_det aten::det", determinantRule},
    {"aten::einsum", einsumRule},
};

} // namespace

std::span<const LoweringRule> productRules() { return productTable; }

} // namespace cutaway::convert
