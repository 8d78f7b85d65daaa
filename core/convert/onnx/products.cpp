// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

#include "core/ops/arguments/matrix_product_arguments.h"

#include <algorithm>
#include <numeric>
#include <ranges>

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

/// In ONNX all dots of an equation stand for as many dimensions: operands get those that they lack in front, of size 1.
void evenDots(L &l, std::string_view equation, std::vector<Term> &operands)
{
    const auto *tensors = l.call()["tensors"].as<ops::SequenceFact>();
    struct Dots {
        std::size_t operand, place, count;
    };
    std::vector<Dots> all;
    std::string inputs(equation.substr(0, equation.find("->")));
    std::erase(inputs, ' ');
    std::size_t i = 0;
    for (const auto part : std::views::split(inputs, ',')) {
        const std::string_view labels(part);
        const std::size_t place = labels.find("...");
        const auto *tensor = tensors && i < tensors->each().size() ? ops::asTensor(tensors->each()[i]) : nullptr;
        if (place != labels.npos && i < operands.size())
            all.push_back(
                {i, place, tensor && tensor->shape ? tensor->shape->size() + 3 - labels.size() : labels.npos});
        ++i;
    }
    if (all.size() < 2)
        return;
    const std::size_t most = std::ranges::max(all, {}, &Dots::count).count;
    if (most == std::string_view::npos) {
        l.refuse("the ranks of its operands are not known");
        return;
    }
    for (const Dots &dots : all)
        if (dots.count < most) {
            std::vector<std::int64_t> axes(most - dots.count);
            std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(dots.place));
            operands[dots.operand] = l.unsqueeze(operands[dots.operand], axes);
        }
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
    evenDots(l, equation, operands);
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
