// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

/// Makes a tensor like the result with one number everywhere.
Parts allOf(D &d, const ir::Operand &number)
{
    const auto result = d.result();
    const bool isBool = result.dtype == ir::DType::Bool;
    const auto *integer = number.as<std::int64_t>();
    return {d.full(result.shape, isBool && integer ? ir::Operand(*integer != 0) : number, result.dtype)};
}

Parts allZero(D &d) { return allOf(d, std::int64_t{0}); }
Parts allOne(D &d) { return allOf(d, std::int64_t{1}); }
Parts allGiven(D &d) { return allOf(d, d["fill_value"]); }

Parts uninitialized(D &d)
{
    const auto result = d.result();
    return {d.make("empty.memory_format", {d.sizes(result.shape), {"dtype", result.dtype}, {"device", d.device()}})};
}

Parts arange(D &d)
{
    const Term start = d["start"];
    return {d.make("arange.start_step",
                   {start.isNone() ? ir::Operand(std::int64_t{0}) : start.operand,
                    d["end"],
                    1,
                    {"dtype", d.declaredDType()},
                    {"device", d.device()}})};
}

/// Returns, for each element (row, column) of the last two dimensions, whether column - row compares with a number as
/// `comparison` says.
Term diagonalMask(D &d, const ir::Dim &rows, const ir::Dim &columns, AtenName comparison, std::int64_t offset)
{
    const Term column = unsqueeze(d.arange(columns), 0), row = unsqueeze(d.arange(rows), 1);
    return compared(comparison, column - row, d.term(offset));
}

Parts eye(D &d)
{
    const auto result = d.result();
    if (result.rank() != 2)
        return {};
    return {cast(diagonalMask(d, result.shape[0], result.shape[1], "eq", 0), result.dtype)};
}

template <bool isLower>
Parts triangle(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor("self");
    if (known.rank() < 2)
        return d.refuse("it is no matrix");
    const Term mask = diagonalMask(d, known.shape[known.rank() - 2], known.shape.back(), isLower ? "le" : "ge",
                                   d.integer("diagonal"));
    const bool isBool = known.dtype == ir::DType::Bool;
    return {isBool ? d.make("logical_and", {mask, x}) : where(mask, x, d.scalar(std::int64_t{0}, known.dtype))};
}

/// Returns numbers at equal steps. The ends are exact, since the second half is computed from the end, as in PyTorch's
/// kernel.
Term evenlySpaced(D &d, double start, double end, std::int64_t steps, ir::DType dtype)
{
    if (steps == 1)
        return d.full({ops::one}, start, dtype);
    const double step = (end - start) / static_cast<double>(steps - 1);
    const Term index = d.arange(steps), place = cast(index, dtype);
    const Term fromEnd = cast(-index + d.term(steps - 1), dtype);
    const Term isFirstHalf = compared("lt", index, d.term(steps / 2)), up = place * step + start;
    return where(isFirstHalf, up, -(fromEnd * step) + end);
}

/// Returns evenly spaced numbers, or the powers of a base with these exponents, which are computed in double precision.
template <bool arePowers>
Parts spaced(D &d)
{
    const double start = d.number("start"), end = d.number("end"), base = arePowers ? d.number("base") : 10;
    const std::int64_t steps = d.integer("steps");
    const ir::DType dtype = d.declaredDType();
    if (d.isRefused() || steps < 1 || !ir::isFloating(dtype))
        return d.refuse("it has no steps, or is of no floats");
    const ir::DType wide = dtype == ir::DType::Float64 ? ir::DType::Float64 : ir::DType::Float32;
    if (!arePowers)
        return {cast(evenlySpaced(d, start, end, steps, wide), dtype)};
    const Term exponents = evenlySpaced(d, start, end, steps, ir::DType::Float64);
    return {cast(d.make("pow.Scalar", {base, exponents}), dtype)};
}

Parts oneHot(D &d)
{
    const auto result = d.result();
    if (result.rank() == 0)
        return {};
    const Term classes = d.arange(result.shape.back());
    return {cast(compared("eq", unsqueeze(d["self"], -1), classes), ir::DType::Int64)};
}

/// Draws ones where a random number is below the probability. Which elements become 1 differs from run to run with
/// torch's operator as well.
Parts bernoulli(D &d)
{
    const auto known = d.tensor("self");
    if (d.has("p") || d.has("generator"))
        return d.refuse("it draws by one number for all, or by a generator");
    const Term drawn = d.make("rand", {d.sizes(known.shape), {"dtype", ir::DType::Float32}, {"device", d.device()}});
    return {cast(compared("lt", drawn, d["self"]), known.dtype)};
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

// ---- from ONNX

using N = OnnxNode;

Parts constantOfShape(N &n)
{
    const auto y = n.result();
    const double value = n.has("value") ? n.known(n.constantNumber("value"), "its value is") : 0;
    const ir::Operand fill = y.dtype == ir::DType::Bool ? ir::Operand(value != 0)
        : ir::isFloating(y.dtype)                       ? ir::Operand(value)
                                                        : ir::Operand(static_cast<std::int64_t>(value));
    return {n.full(y.shape, fill, y.dtype)};
}

/// Makes a range of numbers that are known, or of sizes.
Parts range(N &n)
{
    const ir::DType dtype = n.declaredDType();
    const auto limit = [&](std::size_t position) -> ir::Operand {
        if (ir::isFloating(dtype))
            return n.known(n.constantNumber(position), "a limit is");
        return n.size(n.known(n.call().size(position), "a limit is"));
    };
    const ir::Operand start = limit(0), end = limit(1), step = limit(2);
    return {n.make("arange.start_step", {start, end, step, {"dtype", dtype}, {"device", n.device()}})};
}

/// Returns a size as a tensor without dimensions.
Term sizeTensor(N &n, const ir::Dim &size) { return n.scalar(n.size(size), ir::DType::Int64); }

Parts shape(N &n)
{
    const auto sizes = n.known(ops::asInts(n.fact(n.node().output(0).id())), "its result is");
    if (sizes.empty())
        return n.refuse("its input has no dimensions");
    std::vector<Term> items;
    for (const ir::Dim &size : sizes)
        items.push_back(sizeTensor(n, size));
    return {n.make("stack", {N::list(items)})};
}

/// Returns the number of elements.
Parts size(N &n) { return {sizeTensor(n, ops::product(n.tensor(0).shape))}; }

Parts eyeLike(N &n)
{
    const auto y = n.result();
    if (y.rank() != 2)
        return n.refuse("it is no matrix");
    const Term rows = unsqueeze(n.arange(y.shape[0]), 1), columns = n.arange(y.shape[1]);
    return {cast(compared("eq", n.make("add.Scalar", {rows, n.integer("k", 0)}), columns), y.dtype)};
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

/// Returns the sizes of the new tensor: an argument, or the sizes of another tensor.
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
    return isNumbered ? l.ints(numbers) : shapeOf(l[0]);
}

/// Makes a tensor of zeros. Where torch leaves the elements undefined, they are not read before they are written, so
/// zeros will do.
Results zerosRule(L &l)
{
    const Term zero = l.scalar(0, l.resultDType());
    return {expand(zero, sizesOfNew(l))};
}

Results onesRule(L &l)
{
    const Term one = l.scalar(1, l.resultDType());
    return {expand(one, sizesOfNew(l))};
}

Results fullRule(L &l)
{
    const Term value = l.as("fill_value", l.resultDType());
    const auto made = l.knownResult();
    return {made && made->rank() == 0 ? value : expand(value, sizesOfNew(l))};
}

/// Returns a list of numbers, or a list of lists, as a tensor.
Term stackedList(L &l, const Lowered &list, DType dtype)
{
    std::vector<Term> parts;
    for (const Lowered &item : list.items.value_or(std::vector<Lowered>{})) {
        if (!item.items && item.operand.as<ir::None>())
            l.refuse("an item of its list is not known");
        parts.push_back(unsqueeze(item.items ? stackedList(l, item, dtype) : cast(l.term(item), dtype), {0}));
    }
    return parts.empty() ? filled(l.ints({0}), 0, dtype) : concat(parts, 0);
}

/// Makes a tensor of a number, or of a list of numbers.
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
    return {cast(l.make("Range", {start, l.as("end", counted), step}, {}, counted), dtype)};
}

/// Returns the indices of the elements on one side of a diagonal, row by row, as a constant of two rows.
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
    return {cast(reshape(l.ints(places), std::vector<std::int64_t>{2, count}), l.resultDType())};
}

Results fillRule(L &l)
{
    const DType dtype = l.resultDType();
    const Term shape = shapeOf(l[0]);
    return {expand(l.as("value", dtype), shape)};
}

Results zeroRule(L &l) { return {filled(shapeOf(l[0]), 0, l.resultDType())}; }

Results eyeRule(L &l)
{
    const Term zeros = filled(l.shapeTerm(l.result().shape), 0, DType::Float32);
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
