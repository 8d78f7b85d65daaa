// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include <algorithm>
#include <array>
#include <limits>
#include <ranges>

namespace cutaway::rules::to_aten { // core ATen

namespace {

using D = Decomposition;

/// A tensor like the result, all of one number.
Parts allOf(D &d, const ir::Operand &number)
{
    const auto result = d.result();
    if (!result)
        return {};
    const bool isBool = result->dtype == ir::DType::Bool;
    const auto *integer = number.as<std::int64_t>();
    return {d.full(result->shape, isBool && integer ? ir::Operand(*integer != 0) : number, result->dtype)};
}

Parts allZero(D &d) { return allOf(d, std::int64_t{0}); }
Parts allOne(D &d) { return allOf(d, std::int64_t{1}); }
Parts allGiven(D &d) { return allOf(d, d["fill_value"]); }

Parts uninitialized(D &d)
{
    const auto result = d.result();
    if (!result)
        return {};
    return {d.make("empty.memory_format", {d.sizes(result->shape), {"dtype", result->dtype}, {"device", d.device()}})};
}

Parts arange(D &d)
{
    const Term start = d["start"];
    const auto result = d.result();
    if (!result)
        return {};
    return {d.make("arange.start_step",
                   {start.isNone() ? ir::Operand(std::int64_t{0}) : start.operand,
                    d["end"],
                    1,
                    {"dtype", result->dtype},
                    {"device", d.device()}})};
}

/// Whether the element at (row, column) of the last two dimensions has column - row compared with a number.
Term diagonalMask(D &d, const ir::Dim &rows, const ir::Dim &columns, AtenName comparison, std::int64_t offset)
{
    const Term difference = d.unsqueeze(d.arange(columns), 0) - d.unsqueeze(d.arange(rows), 1);
    return compared(comparison, difference, d.term(offset));
}

Parts eye(D &d)
{
    const auto result = d.result();
    if (!result || result->rank() != 2)
        return {};
    return {d.cast(diagonalMask(d, result->shape[0], result->shape[1], "eq", 0), result->dtype)};
}

template <bool isLower>
Parts triangle(D &d)
{
    const Term x = d["self"];
    const auto shape = d.tensor(x);
    const auto diagonal = d.integer("diagonal");
    if (!shape || shape->rank() < 2 || !diagonal)
        return {};
    const Term mask =
        diagonalMask(d, shape->shape[shape->rank() - 2], shape->shape.back(), isLower ? "le" : "ge", *diagonal);
    const bool isBool = shape->dtype == ir::DType::Bool;
    return {isBool ? d.make("logical_and", {mask, x}) : where(mask, x, d.scalar(std::int64_t{0}, shape->dtype))};
}

/// So many numbers in equal steps. Both ends are exact: the second half is counted from the end, as PyTorch's kernel
/// does.
Term evenlySpaced(D &d, double start, double end, std::int64_t steps, ir::DType dtype)
{
    if (steps == 1)
        return d.full({ops::one}, start, dtype);
    const double step = (end - start) / static_cast<double>(steps - 1);
    const Term index = d.arange(steps), place = d.cast(index, dtype);
    const Term fromEnd = d.cast(-index + d.term(steps - 1), dtype);
    return where(compared("lt", index, d.term(steps / 2)), place * step + start, -(fromEnd * step) + end);
}

/// The numbers themselves, or the powers of a base with these exponents, which are computed in double precision.
template <bool arePowers>
Parts spaced(D &d)
{
    const auto start = d.number("start"), end = d.number("end");
    const auto base = arePowers ? d.number("base") : std::optional(10.0);
    const auto steps = d.integer("steps");
    const auto result = d.result();
    if (!start || !end || !steps || !base || !result || *steps < 1 || !ir::isFloating(result->dtype))
        return {};
    const ir::DType wide = result->dtype == ir::DType::Float64 ? ir::DType::Float64 : ir::DType::Float32;
    if (!arePowers)
        return {d.cast(evenlySpaced(d, *start, *end, *steps, wide), result->dtype)};
    const Term exponents = evenlySpaced(d, *start, *end, *steps, ir::DType::Float64);
    return {d.cast(d.make("pow.Scalar", {*base, exponents}), result->dtype)};
}

Parts oneHot(D &d)
{
    const Term x = d["self"];
    const auto result = d.result();
    if (!result || result->rank() == 0)
        return {};
    const Term classes = d.arange(result->shape.back());
    return {d.cast(compared("eq", d.unsqueeze(x, -1), classes), ir::DType::Int64)};
}

/// A number below the probability, from the same distribution; which ones differ from run to run anyway.
Parts bernoulli(D &d)
{
    const Term x = d["self"];
    const auto shape = d.tensor(x);
    if (!shape || d.has("p") || d.has("generator"))
        return {};
    const Term drawn = d.make("rand", {d.sizes(shape->shape), {"dtype", ir::DType::Float32}, {"device", d.device()}});
    return {d.cast(compared("lt", drawn, x), shape->dtype)};
}

constexpr DecompositionRule creationDecompositions[] = {
    {"aten::arange", arange},
    {"aten::bernoulli", bernoulli},
    {"aten::empty_like", uninitialized},
    {"aten::eye", eye},
    {"aten::linspace", spaced<false>},
    {"aten::logspace", spaced<true>},
    {"aten::new_empty", uninitialized},
    {"aten::new_full", allGiven},
    {"aten::new_ones", allOne},
    {"aten::new_zeros", allZero},
    {"aten::one_hot", oneHot},
    {"aten::ones", allOne},
    {"aten::ones_like", allOne},
    {"aten::tril", triangle<true>},
    {"aten::triu", triangle<false>},
    {"aten::zero", allZero},
    {"aten::zeros", allZero},
    {"aten::zeros_like", allZero},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;

Parts constantOfShape(N &n)
{
    const auto y = n.result();
    const auto value = n.hasAttribute("value") ? n.number("value") : std::optional(0.0);
    if (!y || !value)
        return {};
    const ir::Operand fill = y->dtype == ir::DType::Bool ? ir::Operand(*value != 0)
        : ir::isFloating(y->dtype)                       ? ir::Operand(*value)
                                                         : ir::Operand(static_cast<std::int64_t>(*value));
    return {n.d.full(y->shape, fill, y->dtype)};
}

/// A range of numbers that are known, or of sizes.
Parts range(N &n)
{
    const auto y = n.result();
    if (!y)
        return {};
    if (ir::isFloating(y->dtype)) {
        const auto start = n.number(0), end = n.number(1), step = n.number(2);
        return start && end && step
            ? Parts{n.d.make("arange.start_step", {*start, *end, *step, {"dtype", y->dtype}, {"device", n.d.device()}})}
            : Parts{};
    }
    const auto start = ops::asInt(n.call()[0u]), end = ops::asInt(n.call()[1u]), step = ops::asInt(n.call()[2u]);
    if (!start || !end || !step)
        return {};
    return {
        n.d.make("arange.start_step",
                 {n.d.size(*start), n.d.size(*end), n.d.size(*step), {"dtype", y->dtype}, {"device", n.d.device()}})};
}

/// A size as a tensor without dimensions.
Term sizeTensor(N &n, const ir::Dim &size) { return n.d.scalar(n.d.size(size), ir::DType::Int64); }

Parts shape(N &n)
{
    const ops::Fact known = n.resultFact();
    const auto sizes = ops::asInts(known);
    const auto y = n.result();
    if (!sizes || !y || sizes->empty() || y->rank() != 1)
        return {};
    std::vector<Term> items;
    for (const ir::Dim &size : *sizes)
        items.push_back(sizeTensor(n, size));
    return {n.d.make("stack", {AtenMaker::list(items)})};
}

/// How many elements it has.
Parts size(N &n)
{
    const auto x = n.tensor(0);
    return x ? Parts{sizeTensor(n, ops::product(x->shape))} : Parts{};
}

Parts eyeLike(N &n)
{
    const auto y = n.result();
    const std::int64_t k = n.integer("k", 0);
    if (!y || y->rank() != 2)
        return {};
    const Term rows = n.d.unsqueeze(n.d.arange(y->shape[0]), 1), columns = n.d.arange(y->shape[1]);
    return {n.d.cast(compared("eq", n.d.make("add.Scalar", {rows, k}), columns), y->dtype)};
}

constexpr OnnxLowering creationLowerings[] = {
    {"onnx::ConstantOfShape", constantOfShape},
    {"onnx::EyeLike", eyeLike},
    {"onnx::Range", range},
    {"onnx::Shape", shape},
    {"onnx::Size", size},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

/// The sizes of the new tensor: given as an argument, or those of another tensor.
Term sizesOfNew(L &l)
{
    if (l.call().position({"size"}))
        return l.sizes("size");
    const auto made = l.result();
    bool isNumbered = true;
    std::vector<std::int64_t> numbers;
    for (const ir::Dim &dim : made.shape) {
        isNumbered = isNumbered && ops::number(dim);
        numbers.push_back(ops::number(dim).value_or(0));
    }
    return isNumbered ? l.ints(numbers) : l.shapeOf(l[0]);
}

/// The elements of an empty tensor are not read before they are written, so zeros will do.
Results zerosRule(L &l) { return {l.expand(l.scalar(0, l.resultDType()), sizesOfNew(l))}; }
Results onesRule(L &l) { return {l.expand(l.scalar(1, l.resultDType()), sizesOfNew(l))}; }
Results fullRule(L &l) { return {l.expand(l.as("fill_value", l.resultDType()), sizesOfNew(l))}; }

/// A list of numbers, or of lists, as a tensor.
Term stackedList(L &l, const Lowered &list, DType dtype)
{
    std::vector<Term> parts;
    for (const Lowered &item : list.items.value_or(std::vector<Lowered>{})) {
        if (!item.items && item.operand.as<ir::None>())
            l.refuse("an item of its list is not known");
        parts.push_back(l.unsqueeze(item.items ? stackedList(l, item, dtype) : l.cast(l.term(item), dtype), {0}));
    }
    return parts.empty() ? l.expand(l.scalar(0, dtype), l.ints({0})) : l.concat(parts, 0);
}

/// A number, or a list of numbers, as a tensor.
Results tensorRule(L &l)
{
    const DType dtype = l.resultDType();
    if (l.result().rank() == 0)
        return {l.as(0, dtype)};
    const Lowered list = l.unchanged();
    return list.items ? Results{stackedList(l, list, dtype)} : l.refuse("the items of its list are not known");
}

Results arangeRule(L &l)
{
    const DType dtype = l.resultDType();
    const bool isOfOnnx =
        dtype == DType::Int64 || dtype == DType::Float32 || dtype == DType::Float64 || dtype == DType::Int32;
    if (!isOfOnnx && !ir::isFloating(dtype) && !ir::isInteger(dtype))
        return l.refuse("ONNX counts in no such dtype");
    const DType counted = isOfOnnx ? dtype : ir::isFloating(dtype) ? DType::Float32 : DType::Int64;
    const Term start = l.has("start") ? l.as("start", counted) : l.scalar(0, counted);
    const Term step = l.has("step") ? l.as("step", counted) : l.scalar(1, counted);
    return {l.cast(l.make("Range", {start, l.as("end", counted), step}, {}, counted), dtype)};
}

/// The places on one side of a diagonal, row by row: two rows of a constant.
template <bool isLower>
Results triangleIndicesRule(L &l)
{
    const std::int64_t rows = l.integer("row"), columns = l.integer("col"), offset = l.integer("offset");
    constexpr std::int64_t limit = 4096;
    if (l.isRefused() || rows < 0 || columns < 0 || rows > limit || columns > limit)
        return l.refuse("a triangle that large");
    std::vector<std::int64_t> places, ofColumns;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            if (isLower ? column - row <= offset : column - row >= offset) {
                places.push_back(row);
                ofColumns.push_back(column);
            }
    const auto count = std::ssize(places);
    places.insert(places.end(), ofColumns.begin(), ofColumns.end());
    return {l.cast(l.reshape(l.ints(places), std::vector<std::int64_t>{2, count}), l.resultDType())};
}

Results fillRule(L &l)
{
    const DType dtype = l.resultDType();
    return {l.expand(l.as("value", dtype), l.shapeOf(l[0]))};
}

Results zeroRule(L &l) { return {l.expand(l.scalar(0, l.resultDType()), l.shapeOf(l[0]))}; }

Results eyeRule(L &l)
{
    const Term zeros = l.expand(l.scalar(0, DType::Float32), l.shapeTerm(l.result().shape));
    return {l.make("EyeLike", {zeros})};
}

constexpr LoweringRule creationRules[] = {
    {"aten::zeros aten::empty aten::zeros_like aten::empty_like aten::new_zeros aten::new_empty aten::empty_strided "
     "aten::new_empty_strided",
     zerosRule},
    {"aten::ones aten::ones_like aten::new_ones", onesRule},
    {"aten::full aten::full_like aten::new_full", fullRule},
    {"aten::scalar_tensor aten::tensor aten::as_tensor", tensorRule},
    {"aten::arange", arangeRule},
    {"aten::fill", fillRule},
    {"aten::zero", zeroRule},
    {"aten::eye", eyeRule},
    {"aten::tril_indices", triangleIndicesRule<true>},
    {"aten::triu_indices", triangleIndicesRule<false>},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family creation()
{
    return {.decompositions = to_aten::creationDecompositions,
            .fromOnnx = to_aten::creationLowerings,
            .toOnnx = to_onnx::creationRules};
}

} // namespace cutaway::rules
