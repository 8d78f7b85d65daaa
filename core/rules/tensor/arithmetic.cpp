// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/pointwise.h"
#include "core/rules/rules.h"

#include <numbers>

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

Parts bitwise(D &d, AtenName function) { return {compared(function, d["self"], d["other"])}; }

constexpr DecompositionRule arithmeticDecompositions[] = {
    {"aten::__and__", [](D &d) { return bitwise(d, "bitwise_and"); }},
    {"aten::__or__", [](D &d) { return bitwise(d, "bitwise_or"); }},
    {"aten::__xor__", [](D &d) { return bitwise(d, "bitwise_xor"); }},
    {"aten::special_i0", [](D &d) -> Parts { return {applied("i0", d["self"])}; }},
};

// ---- from ONNX

using N = OnnxNode;

/// Divides; the quotient of integers is rounded towards 0.
Parts division(N &n)
{
    if (isFloatInput(n))
        return {n.make("div.Tensor", {n[0], alignedSecond(n)})};
    return {n.make("div.Tensor_mode", {n[0], alignedSecond(n), {"rounding_mode", n.word("trunc")}})};
}

Parts power(N &n)
{
    const ir::DType dtype = n.dtype(0);
    if (!ir::isFloating(dtype))
        return n.refuse("torch's powers of whole numbers are others");
    const Term by = secondOf(n);
    const Term raised = by.operand.as<ir::ValueId>() ? n.make("pow.Tensor_Tensor", {n[0], by})
                                                     : n.make("pow.Tensor_Scalar", {n[0], by});
    return {cast(raised, dtype)};
}

/// Computes the remainder, which has the sign of the divisor, or with `fmod` that of the dividend; torch has an
/// operator for each.
Parts modulo(N &n)
{
    const AtenName target = n.integer("fmod", 0) != 0 ? AtenName("fmod.Tensor") : AtenName("remainder.Tensor");
    return {n.make(target, {n[0], n[1]})};
}

/// Computes Max or Min of any number of tensors.
template <AtenName target>
Parts folded(N &n)
{
    Term all = n[0];
    for (std::size_t i = 1; i < n.inputCount(); ++i)
        all = n.make(target, {all, n[i]});
    return {all};
}

Parts sumOfAll(N &n)
{
    Term all = n[0];
    for (std::size_t i = 1; i < n.inputCount(); ++i)
        all = all + n[i];
    return {all};
}

Parts meanOfAll(N &n)
{
    const Parts sum = sumOfAll(n);
    return {n.term(sum.front()) / static_cast<double>(n.inputCount())};
}

Parts bitShift(N &n)
{
    const bool isLeft = n.text("direction", "") == "LEFT";
    return {
        n.make(isLeft ? AtenName("bitwise_left_shift.Tensor") : AtenName("bitwise_right_shift.Tensor"), {n[0], n[1]})};
}

constexpr OnnxLowering arithmeticLowerings[] = {
    {"onnx::Add", binary<"add">}, {"onnx::BitShift", bitShift},
    {"onnx::Div", division},      {"onnx::Max", folded<"maximum">},
    {"onnx::Mean", meanOfAll},    {"onnx::Min", folded<"minimum">},
    {"onnx::Mod", modulo},        {"onnx::Mul", binary<"mul">},
    {"onnx::Pow", power},         {"onnx::Sub", binary<"sub">},
    {"onnx::Sum", sumOfAll},
};

} // namespace

} // namespace cutaway::rules::to_aten

// torch computes in the dtype of the result, to which all operands are converted first. ONNX has no such conversion,
// and ONNX Runtime no arithmetic of small integers, which are computed as int32 and wrapped.

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

/// Returns the dtype in which ONNX Runtime computes a result of this dtype.
DType computed(DType dtype)
{
    switch (dtype) {
    case DType::Bool:
    case DType::UInt8:
    case DType::Int8:
    case DType::Int16:
        return DType::Int32;
    default:
        return dtype;
    }
}

DType dtypeOfResult(L &l) { return computed(l.resultDType()); }

/// Computes a + alpha·b, or a - alpha·b.
Results addedRule(L &l, OnnxName op)
{
    const DType dtype = dtypeOfResult(l);
    const Term a = l.as(0, dtype), b = l.as(1, dtype);
    const bool isScaled = l.has("alpha") && l.number("alpha") != 1;
    return {l.make(op, {a, isScaled ? b * l.number("alpha") : b})};
}

/// Computes other - alpha·self.
Results rsubRule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    const Term a = l.as(0, dtype), b = l.as(1, dtype);
    const bool isScaled = l.has("alpha") && l.number("alpha") != 1;
    return {b - (isScaled ? a * l.number("alpha") : a)};
}

Results binaryRule(L &l, OnnxName op)
{
    const DType dtype = dtypeOfResult(l);
    return {l.make(op, {l.as(0, dtype), l.as(1, dtype)})};
}

Results mulRule(L &l)
{
    if (l.declaredDType() == DType::Bool)
        return {l.make("And", {l.as(0, DType::Bool), l.as(1, DType::Bool)})};
    return binaryRule(l, "Mul");
}

/// Computes the largest integer that is not above a / b.
Term floorDivided(L &l, const Term &a, const Term &b)
{
    return ir::isFloating(a.dtype) ? applied("Floor", a / b) : (a - l.make("Mod", {a, b})) / b;
}

Term truncated(const Term &x)
{
    const Term magnitude = applied("Floor", applied("Abs", x));
    return applied("Sign", x) * magnitude;
}

Results divRule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    const Term a = l.as(0, dtype), b = l.as(1, dtype);
    const std::string_view mode = l.has("rounding_mode") ? l.text("rounding_mode") : "";
    if (mode == "floor")
        return {floorDivided(l, a, b)};
    if (mode == "trunc")
        return {ir::isFloating(dtype) ? truncated(a / b) : a / b};
    return {a / b};
}

Results floorDivideRule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    const Term b = l.as(1, dtype);
    const Term a = l.as(0, dtype);
    return {floorDivided(l, a, b)};
}

/// Computes the remainder with the divisor's sign. For floats ONNX's Mod computes the remainder as in C, which is
/// exact; the rounded quotient a / b may be off by one.
Results remainderRule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    const Term a = l.as(0, dtype), b = l.as(1, dtype);
    if (!ir::isFloating(dtype))
        return {l.make("Mod", {a, b})};
    const Term rest = l.make("Mod", {a, b}, {{"fmod", std::int64_t{1}}});
    const Term zero = l.scalar(0.0, dtype);
    const Term signOfB = applied("Sign", b);
    const Term signOfRest = applied("Sign", rest);
    const Term isOtherSign = compared("Less", signOfRest * signOfB, zero);
    return {where(isOtherSign, rest + b, rest)};
}

Results fmodRule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    return {l.make("Mod", {l.as(0, dtype), l.as(1, dtype)}, {{"fmod", std::int64_t{1}}})};
}

Results powRule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    const auto known = l.call().floating(1u);
    const Term x = l.as(0, dtype);
    if (known == 2)
        return {x * x};
    if (known == 0.5 && ir::isFloating(dtype))
        return {applied("Sqrt", x)};
    return {l.make("Pow", {x, l.as(1, dtype)})};
}

Results unaryRule(L &l, OnnxName op)
{
    const Term x = cast(l[0], dtypeOfResult(l));
    return {applied(op, x)};
}

/// Rounds floats; integers stay as they are.
Results roundingRule(L &l, OnnxName op)
{
    const Term x = l[0];
    if (l.has("decimals") && l.integer("decimals") != 0)
        return l.refuse("rounding to decimals");
    return {applied(ir::isFloating(x.dtype) ? op : "Identity", x)};
}

Results truncRule(L &l)
{
    const Term x = l[0];
    return {ir::isFloating(x.dtype) ? truncated(x) : applied("Identity", x)};
}

Term floatOperand(L &l) { return cast(l[0], dtypeOfResult(l)); }

Results rsqrtRule(L &l) { return {applied("Reciprocal", applied("Sqrt", floatOperand(l)))}; }

Results log2Rule(L &l) { return {applied("Log", floatOperand(l)) / std::numbers::ln2}; }
Results log10Rule(L &l) { return {applied("Log", floatOperand(l)) / std::numbers::ln10}; }
Results erfcRule(L &l) { return {1.0 - applied("Erf", floatOperand(l))}; }
Results exp2Rule(L &l)
{
    const Term x = floatOperand(l);
    return {l.make("Pow", {l.scalar(2, x.dtype), x})};
}

/// Computes exp(x) - 1 as 2·tanh(x/2) / (1 - tanh(x/2)), which is exact where x is small.
Results expm1Rule(L &l)
{
    const Term x = floatOperand(l);
    const Term aHalf = l.scalar(0.5, x.dtype);
    const Term isSmall = compared("Less", applied("Abs", x), aHalf);
    const Term half = applied("Tanh", x * 0.5);
    const Term ofLarge = applied("Exp", x) - 1;
    const Term rest = 1.0 - half;
    const Term ofSmall = half * 2 / rest;
    return {where(isSmall, ofSmall, ofLarge)};
}

/// Computes log(1 + x) as x·log(u) / (u - 1), where u is 1 + x as it is rounded; where u is 1, the result is x.
Results log1pRule(L &l)
{
    const Term x = floatOperand(l);
    const Term sum = x + 1;
    const Term isOne = compared("Equal", sum, l.scalar(1, x.dtype));
    const Term share = x / (sum - 1);
    return {where(isOne, x, applied("Log", sum) * share)};
}

Results logitRule(L &l)
{
    Term x = floatOperand(l);
    if (l.has("eps")) {
        const double eps = l.number("eps");
        x = l.make("Clip", {x, l.scalar(eps, x.dtype), l.scalar(1 - eps, x.dtype)});
    }
    return {applied("Log", x / (1.0 - x))};
}

Results lerpRule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    const Term a = l.as("self", dtype), b = l.as("end", dtype);
    return {a + l.as("weight", dtype) * (b - a)};
}

Results atan2Rule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    const Term y = l.as(0, dtype), x = l.as(1, dtype), zero = l.scalar(0, dtype);
    const Term slope = applied("Atan", y / x);
    const double pi = std::numbers::pi;
    const Term isBelow = compared("Less", y, zero), isAbove = compared("Less", zero, y);
    const Term ofBelow = slope - pi, ofAbove = slope + pi;
    const Term ofLeft = where(isBelow, ofBelow, ofAbove);
    const Term down = l.scalar(-pi / 2, dtype), up = l.scalar(pi / 2, dtype);
    const Term ofMiddle = where(isBelow, down, where(isAbove, up, zero));
    const Term isLeft = compared("Less", x, zero), isRight = compared("Less", zero, x);
    return {where(isLeft, ofLeft, where(isRight, slope, ofMiddle))};
}

Results hypotRule(L &l)
{
    const DType dtype = dtypeOfResult(l);
    const Term a = l.as(0, dtype), b = l.as(1, dtype);
    return {applied("Sqrt", a * a + b * b)};
}

enum class Shift { Left, Right };

/// Multiplies or divides by powers of two.
Results shiftRule(L &l, Shift shift)
{
    const DType dtype = dtypeOfResult(l);
    const Term a = l.as(0, dtype), factor = l.make("Pow", {l.scalar(2, dtype), l.as(1, dtype)});
    return {shift == Shift::Left ? a * factor : floorDivided(l, a, factor)};
}

/// Computes the distances of all rows of one tensor to all rows of another.
Results distancesRule(L &l)
{
    const double p = l.number("p");
    if (p != 1 && p != 2)
        return l.refuse("of an order other than 1 or 2");
    const DType dtype = dtypeOfResult(l);
    const Term rows = unsqueeze(l.as(0, dtype), {-2}), others = unsqueeze(l.as(1, dtype), {-3});
    const Term difference = rows - others;
    return {reduce(p == 2 ? OnnxName("ReduceL2") : OnnxName("ReduceL1"), difference, {-1}, false)};
}

constexpr LoweringRule arithmeticRules[] = {
    {"aten::add _operator::add", with<addedRule, OnnxName("Add")>},
    {"aten::sub aten::subtract _operator::sub", with<addedRule, OnnxName("Sub")>},
    {"aten::rsub", rsubRule},
    {"aten::mul aten::multiply _operator::mul", mulRule},
    {"aten::div aten::divide aten::true_divide _operator::truediv", divRule},
    {"aten::floor_divide aten::floordiv _operator::floordiv", floorDivideRule},
    {"aten::remainder _operator::mod", remainderRule},
    {"aten::fmod", fmodRule},
    {"aten::pow", powRule},
    {"aten::maximum prim::max torch::sym_max", with<binaryRule, OnnxName("Max")>},
    {"aten::minimum prim::min torch::sym_min", with<binaryRule, OnnxName("Min")>},
    {"aten::__lshift__ aten::bitwise_left_shift", with<shiftRule, Shift::Left>},
    {"aten::__rshift__ aten::bitwise_right_shift", with<shiftRule, Shift::Right>},
    {"aten::cdist aten::_cdist_forward", distancesRule},
    {"aten::neg aten::negative _operator::neg", with<unaryRule, OnnxName("Neg")>},
    {"aten::abs aten::absolute", with<unaryRule, OnnxName("Abs")>},
    {"aten::sign aten::sgn", with<unaryRule, OnnxName("Sign")>},
    {"aten::reciprocal", with<unaryRule, OnnxName("Reciprocal")>},
    {"aten::floor", with<roundingRule, OnnxName("Floor")>},
    {"aten::ceil", with<roundingRule, OnnxName("Ceil")>},
    {"aten::round", with<roundingRule, OnnxName("Round")>},
    {"aten::trunc aten::fix", truncRule},
    {"aten::rsqrt", rsqrtRule},
    {"aten::log2", log2Rule},
    {"aten::log10", log10Rule},
    {"aten::log1p", log1pRule},
    {"aten::exp2", exp2Rule},
    {"aten::expm1", expm1Rule},
    {"aten::erfc", erfcRule},
    {"aten::logit aten::special_logit", logitRule},
    {"aten::lerp", lerpRule},
    {"aten::atan2 aten::arctan2", atan2Rule},
    {"aten::hypot", hypotRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family arithmetic()
{
    return {.decompositions = to_aten::arithmeticDecompositions,
            .fromOnnx = to_aten::arithmeticLowerings,
            .toOnnx = to_onnx::arithmeticRules};
}

} // namespace cutaway::rules
