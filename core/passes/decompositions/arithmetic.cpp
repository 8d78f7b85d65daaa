// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition.h"

#include "core/ops/facts/promotion.h"

#include <limits>
#include <numbers>

namespace cutaway::passes {

namespace {

using D = Decomposition;

bool isFloat(D &d, const Term &x)
{
    const auto known = d.tensor(x);
    return known && ir::isFloating(known->dtype);
}

/// The arguments in the dtype of the result, which the tensors and numbers of the call promote to.
Term promoted(D &d, const Term &x) { return d.isTensor(x) ? d.cast(x, d.dtype(d.resultValue())) : x; }

/// self + value·a·b
Parts addcmul(D &d)
{
    const auto value = d.number("value");
    if (!value)
        return {};
    const Term product = d["tensor1"] * d["tensor2"];
    return {promoted(d, d["self"]) + (*value == 1 ? product : d.make("mul.Scalar", {product, d["value"]}))};
}

Parts addcdiv(D &d)
{
    const auto value = d.number("value");
    if (!value || !isFloat(d, d["self"]))
        return {};
    const Term quotient = d["tensor1"] / d["tensor2"];
    return {d["self"] + (*value == 1 ? quotient : quotient * *value)};
}

/// As torch.lerp computes it: from the nearer end.
Parts lerp(D &d)
{
    const Term start = d["self"], end = d["end"], weight = d["weight"];
    if (!isFloat(d, start))
        return {};
    if (const auto number = d.number("weight"); number && !d.isTensor(weight))
        return {*number < 0.5 && *number > -0.5 ? start + (end - start) * *number
                                                : end - (end - start) * (1 - *number)};
    if (!d.isTensor(weight))
        return {};
    const Term near = compared("ge", applied("abs", weight), d.term(0.5));
    const Term factor = where(near, weight - 1, weight);
    return {where(near, end, start) + factor * (end - start)};
}

Parts rsub(D &d)
{
    const auto alpha = d.number("alpha");
    const Term x = d["self"], other = d["other"];
    if (alpha != 1)
        return {};
    return {d.isTensor(other) ? other - x : -x + other};
}

Parts bitwise(D &d, std::string_view function) { return {compared(function, d["self"], d["other"])}; }

template <bool isMin>
Parts clampOneSide(D &d)
{
    const Term bound = d[isMin ? "min" : "max"];
    const Term x = promoted(d, d["self"]);
    if (d.isTensor(bound))
        return {d.make(isMin ? "maximum" : "minimum", {x, bound})};
    return {isMin ? d.make("clamp", {x, bound}) : d.make("clamp", {x, {"max", bound}})};
}

Parts maskedFill(D &d)
{
    const Term x = d["self"], value = d["value"];
    const ir::DType dtype = d.dtype(x);
    return {where(d["mask"], d.isTensor(value) ? d.cast(value, dtype) : d.scalar(value, dtype), x)};
}

Parts whereNumbers(D &d)
{
    if (d.resultCount() != 1 || !d.has("self"))
        return {};
    const ir::DType dtype = d.dtype(d.resultValue());
    const auto tensorOf = [&](const Term &x) { return d.isTensor(x) ? d.cast(x, dtype) : d.scalar(x, dtype); };
    return {where(d["condition"], tensorOf(d["self"]), tensorOf(d["other"]))};
}

Parts floorDivide(D &d)
{
    const Term other = d["other"];
    return {d.make(d.isTensor(other) ? "div.Tensor_mode" : "div.Scalar_mode",
                   {d["self"], other, {"rounding_mode", d.word("floor")}})};
}

Term isFinite(const Term &x)
{
    D &d = *x.made;
    const auto known = d.tensor(x);
    if (!known || ir::isComplex(known->dtype)) {
        d.fail();
        return x;
    }
    if (!ir::isFloating(known->dtype))
        return d.full(known->shape, true, ir::DType::Bool);
    return applied("logical_not", d.make("logical_or", {applied("isinf", x), applied("isnan", x)}));
}

/// torch/_refs isclose()
Parts isClose(D &d)
{
    const Term a = d["self"], b = d["other"];
    const auto rtol = d.number("rtol"), atol = d.number("atol");
    const auto equalNan = d.flag("equal_nan");
    if (!rtol || !atol || !equalNan || !isFloat(d, a) || d.dtype(a) != d.dtype(b))
        return {};
    Term close = compared("eq", a, b);
    if (*equalNan)
        close = d.make("logical_or", {close, d.make("logical_and", {compared("ne", a, a), compared("ne", b, b)})});
    const Term allowed = applied("abs", b * *rtol) + *atol, actual = applied("abs", a - b);
    return {d.make("logical_or", {close, d.make("logical_and", {isFinite(actual), compared("le", actual, allowed)})})};
}

std::optional<double> largestOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Float16:
        return 65504;
    case ir::DType::BFloat16:
        return 0x1.FEp127;
    case ir::DType::Float32:
        return std::numeric_limits<float>::max();
    case ir::DType::Float64:
        return std::numeric_limits<double>::max();
    default:
        return std::nullopt;
    }
}

Parts nanToNum(D &d)
{
    const Term x = d["self"];
    if (!isFloat(d, x))
        return {};
    const ir::DType dtype = d.dtype(x);
    const auto largest = largestOf(dtype);
    const auto bound = [&](std::string_view name, std::optional<double> standard) {
        return d.has(name) ? d.number(name) : standard;
    };
    const auto nan = bound("nan", 0.0), top = bound("posinf", largest),
               bottom = bound("neginf", largest ? std::optional(-*largest) : std::nullopt);
    if (!nan || !top || !bottom)
        return {};
    const double infinity = std::numeric_limits<double>::infinity();
    const Term noNan = where(applied("isnan", x), d.scalar(*nan, dtype), x);
    const Term noTop = where(compared("eq", x, d.term(infinity)), d.scalar(*top, dtype), noNan);
    return {where(compared("eq", x, d.term(-infinity)), d.scalar(*bottom, dtype), noTop)};
}

/// sin(πx) / (πx), and 1 at 0.
Parts sinc(D &d)
{
    const Term x = d["self"];
    if (!isFloat(d, x))
        return {};
    const Term scaled = x * std::numbers::pi;
    return {where(compared("eq", scaled, d.term(0.0)), d.scalar(1.0, d.dtype(x)), applied("sin", scaled) / scaled)};
}

Parts xlogy(D &d)
{
    const Term x = d["self"], y = d["other"];
    if (!d.isTensor(x) || !d.isTensor(y) || !isFloat(d, x) || d.dtype(x) != d.dtype(y))
        return {};
    const ir::DType dtype = d.dtype(x);
    const Term product = where(compared("eq", x, d.term(0.0)), d.scalar(0.0, dtype), x * applied("log", y));
    return {where(applied("isnan", y), d.scalar(std::numeric_limits<double>::quiet_NaN(), dtype), product)};
}

template <bool isReal>
Parts partOfComplex(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    if (!known)
        return {};
    if (!ir::isComplex(known->dtype))
        return isReal ? Parts{x} : Parts{};
    return {d.make("select.int", {d.make("view_as_real", {x}), -1, isReal ? 0 : 1})};
}

/// max.other and min.other: those of two tensors. PyTorch leaves what is of one.
Parts ofTwo(D &d, std::string_view function)
{
    return d.isTensor(d["other"]) ? Parts{d.make(function, {d["self"], d["other"]})} : Parts{};
}

constexpr DecompositionRule arithmeticRules[] = {
    {"aten::__and__", [](D &d) { return bitwise(d, "bitwise_and"); }},
    {"aten::__or__", [](D &d) { return bitwise(d, "bitwise_or"); }},
    {"aten::__xor__", [](D &d) { return bitwise(d, "bitwise_xor"); }},
    {"aten::addcdiv", addcdiv},
    {"aten::addcmul", addcmul},
    {"aten::clamp_max", clampOneSide<false>},
    {"aten::clamp_min", clampOneSide<true>},
    {"aten::deg2rad", [](D &d) -> Parts { return {d["self"] * (std::numbers::pi / 180)}; }},
    {"aten::floor_divide", floorDivide},
    {"aten::frac", [](D &d) -> Parts { return {d["self"] - applied("trunc", d["self"])}; }},
    {"aten::imag", partOfComplex<false>},
    {"aten::isclose", isClose},
    {"aten::isfinite", [](D &d) -> Parts { return {isFinite(d["self"])}; }},
    {"aten::lerp", lerp},
    {"aten::masked_fill", maskedFill},
    {"aten::max", [](D &d) { return ofTwo(d, "maximum"); }},
    {"aten::min", [](D &d) { return ofTwo(d, "minimum"); }},
    {"aten::nan_to_num", nanToNum},
    {"aten::rad2deg", [](D &d) -> Parts { return {d["self"] * (180 / std::numbers::pi)}; }},
    {"aten::real", partOfComplex<true>},
    {"aten::rsub", rsub},
    {"aten::sinc", sinc},
    {"aten::special_i0", [](D &d) -> Parts { return {applied("i0", d["self"])}; }},
    {"aten::special_xlogy", xlogy},
    {"aten::square", [](D &d) -> Parts { return {d["self"] * d["self"]}; }},
    {"aten::where", whereNumbers},
    {"aten::xlogy", xlogy},
};

} // namespace

std::span<const DecompositionRule> arithmeticDecompositions() { return arithmeticRules; }

} // namespace cutaway::passes
