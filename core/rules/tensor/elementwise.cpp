// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <array>
#include <cmath>

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;

bool isFloatInput(const N &n)
{
    const auto x = n.tensor(0);
    return x && ir::isFloating(x->dtype);
}

/// The operator of torch with this name on the first input.
template <const char *target>
Parts unary(N &n)
{
    return {n.d.make(target, {n.input(0)})};
}

/// The operator of torch with this name on floats; torch's result for other dtypes has another dtype.
template <const char *target>
Parts unaryOfFloats(N &n)
{
    return isFloatInput(n) ? Parts{n.d.make(target, {n.input(0)})} : Parts{};
}

constexpr char reluTarget[] = "relu", sigmoidTarget[] = "sigmoid", tanhTarget[] = "tanh", expTarget[] = "exp",
               logTarget[] = "log", sqrtTarget[] = "sqrt", absTarget[] = "abs", negTarget[] = "neg",
               floorTarget[] = "floor", ceilTarget[] = "ceil", roundTarget[] = "round", erfTarget[] = "erf",
               reciprocalTarget[] = "reciprocal", signTarget[] = "sign", sinTarget[] = "sin", cosTarget[] = "cos",
               tanTarget[] = "tan", asinTarget[] = "asin", acosTarget[] = "acos", atanTarget[] = "atan",
               sinhTarget[] = "sinh", coshTarget[] = "cosh", asinhTarget[] = "asinh", acoshTarget[] = "acosh",
               atanhTarget[] = "atanh", notTarget[] = "logical_not", nanTarget[] = "isnan",
               hardswishTarget[] = "hardswish", mishTarget[] = "mish", invertTarget[] = "bitwise_not";

Parts identity(N &n) { return {n.input(0)}; }

/// In training it draws; else it hands on, and a mask of ones.
Parts dropout(N &n)
{
    const bool isOldTraining = n.opset() < 7 && n.integer("is_test", 0) == 0;
    if (isOldTraining || (n.has(2) && n.number(2) != 0.0))
        return n.refuse("it is in training, or may be");
    Parts parts{n.input(0)};
    if (const auto mask = n.result(1); n.resultCount() > 1 && mask)
        parts.push_back(
            n.d.full(mask->shape, mask->dtype == ir::DType::Bool ? ir::Operand(true) : ir::Operand(1.0), mask->dtype));
    return parts;
}

/// The second operand, so that it broadcasts. Before operator set 7 its first dimension stands at an axis of the first.
Term alignedSecond(N &n)
{
    const auto x = n.tensor(0), y = n.tensor(1);
    const auto axis = n.dimension(n.integer("axis", 0));
    if (n.opset() >= 7 || !n.hasAttribute("axis") || !x || !y || !axis || *axis + y->rank() >= x->rank())
        return n.input(1);
    ir::Shape shape = y->shape;
    shape.resize(x->rank() - *axis, ir::Dim(std::int64_t{1}));
    return n.d.reshape(n.input(1), shape);
}

/// The second input, aligned with the first; a constant without dimensions becomes a number.
Term secondOf(N &n)
{
    const auto x = n.tensor(0);
    const Term second = alignedSecond(n);
    return x && x->rank() > 0 && second.operand == n.input(1).operand ? n.numberOr(1) : second;
}

template <const char *target>
Parts binary(N &n)
{
    const Term b = secondOf(n);
    const bool isNumber = !b.operand.as<ir::ValueId>();
    return {n.d.make(std::string(target) + (isNumber ? ".Scalar" : ".Tensor"), {n.input(0), b})};
}

constexpr char addTarget[] = "add", subTarget[] = "sub", mulTarget[] = "mul", eqTarget[] = "eq", gtTarget[] = "gt",
               geTarget[] = "ge", ltTarget[] = "lt", leTarget[] = "le";

/// Integers are divided towards 0.
Parts division(N &n)
{
    if (isFloatInput(n))
        return {n.d.make("div.Tensor", {n.input(0), alignedSecond(n)})};
    return {n.d.make("div.Tensor_mode", {n.input(0), alignedSecond(n), {"rounding_mode", n.d.word("trunc")}})};
}

Parts power(N &n)
{
    const auto x = n.tensor(0), exponent = n.tensor(1);
    if (!x || !exponent)
        return {};
    if (!ir::isFloating(x->dtype))
        return n.refuse("torch's powers of whole numbers are others");
    const Term by = secondOf(n);
    const Term raised = by.operand.as<ir::ValueId>() ? n.d.make("pow.Tensor_Tensor", {n.input(0), by})
                                                     : n.d.make("pow.Tensor_Scalar", {n.input(0), by});
    return {n.d.cast(raised, x->dtype)};
}

/// The sign is the divisor's, with fmod the dividend's, as of torch's two operators.
Parts modulo(N &n)
{
    const std::string_view target = n.integer("fmod", 0) != 0 ? "fmod.Tensor" : "remainder.Tensor";
    return {n.d.make(target, {n.input(0), n.input(1)})};
}

template <const char *target>
Parts logical(N &n)
{
    return {n.d.make(target, {n.input(0), alignedSecond(n)})};
}

constexpr char andTarget[] = "logical_and", orTarget[] = "logical_or", xorTarget[] = "logical_xor",
               bitAndTarget[] = "bitwise_and.Tensor", bitOrTarget[] = "bitwise_or.Tensor",
               bitXorTarget[] = "bitwise_xor.Tensor", maximumTarget[] = "maximum", minimumTarget[] = "minimum";

/// Max and Min of any number of tensors.
template <const char *target>
Parts folded(N &n)
{
    Term all = n.input(0);
    for (std::size_t i = 1; i < n.inputCount(); ++i)
        all = n.d.make(target, {all, n.input(i)});
    return {all};
}

Parts sumOfAll(N &n)
{
    Term all = n.input(0);
    for (std::size_t i = 1; i < n.inputCount(); ++i)
        all = all + n.input(i);
    return {all};
}

Parts meanOfAll(N &n)
{
    const Parts sum = sumOfAll(n);
    return {n.d.term(sum.front()) / static_cast<double>(n.inputCount())};
}

Parts choice(N &n) { return {n.d.make("where.self", {n.input(0), n.input(1), n.input(2)})}; }

/// Before operator set 11 the limits were attributes.
Parts clip(N &n)
{
    if (n.opset() < 11 && !n.has(1) && !n.has(2)) {
        if (!n.hasAttribute("min") && !n.hasAttribute("max"))
            return {n.input(0)};
        const ir::Operand low = n.hasAttribute("min") ? ir::Operand(n.real("min", 0)) : ir::Operand();
        const ir::Operand high = n.hasAttribute("max") ? ir::Operand(n.real("max", 0)) : ir::Operand();
        return {n.d.make("clamp", {n.input(0), low, high})};
    }
    if (!n.has(1) && !n.has(2))
        return {n.input(0)};
    // torch takes two numbers or two tensors.
    const auto low = n.number(1), high = n.number(2);
    if (!isFloatInput(n) || (n.has(1) && !low) || (n.has(2) && !high))
        return {n.d.make("clamp.Tensor", {n.input(0), n.input(1), n.input(2)})};
    return {n.d.make("clamp",
                     {n.input(0), low ? ir::Operand(*low) : ir::Operand(), high ? ir::Operand(*high) : ir::Operand()})};
}

Parts leakyRelu(N &n) { return {n.d.make("leaky_relu", {n.input(0), ir::Operand(n.real("alpha", 0.01))})}; }

Parts elu(N &n) { return {n.d.make("elu", {n.input(0), ir::Operand(n.real("alpha", 1.0))})}; }

Parts celu(N &n) { return {n.d.make("celu", {n.input(0), ir::Operand(n.real("alpha", 1.0))})}; }

Parts hardSigmoid(N &n)
{
    const double alpha = n.real("alpha", 0.2), beta = n.real("beta", 0.5);
    constexpr double sixth = 1.0 / 6;
    if (std::abs(alpha - sixth) < 1e-6 && beta == 0.5)
        return {n.d.make("hardsigmoid", {n.input(0)})};
    return {n.d.make("clamp", {n.input(0) * alpha + beta, ir::Operand(0.0), ir::Operand(1.0)})};
}

/// torch returns x itself above a threshold, which float32 does not tell apart; else as max(x, 0) + log1p(exp(-|x|)).
Parts softplus(N &n)
{
    const auto x = n.tensor(0);
    if (x && x->dtype == ir::DType::Float32)
        return {n.d.make("softplus", {n.input(0)})};
    return {applied("relu", n.input(0)) + applied("log1p", applied("exp", -applied("abs", n.input(0))))};
}

Parts softsign(N &n) { return {n.input(0) / (applied("abs", n.input(0)) + 1.0)}; }

Parts gelu(N &n)
{
    const std::string_view kind = n.text("approximate", "none");
    return {kind == "none" ? n.d.make("gelu", {n.input(0)})
                           : n.d.make("gelu", {n.input(0), {"approximate", n.d.word(kind)}})};
}

/// torch has the factors that ONNX has by default; its elu takes others.
Parts selu(N &n)
{
    if (!n.hasAttribute("alpha") && !n.hasAttribute("gamma") && n.opset() >= 6)
        return {n.d.make("selu", {n.input(0)})};
    const bool isOld = n.opset() < 6; // with fewer digits
    return {n.d.make("elu",
                     {n.input(0), ir::Operand(n.real("alpha", isOld ? 1.6732 : 1.67326319217681884765625)),
                      ir::Operand(n.real("gamma", isOld ? 1.0507 : 1.05070102214813232421875))})};
}

/// Before operator set 7 a slope for each channel stands in its place without dimensions after it.
Parts prelu(N &n)
{
    const Term x = n.input(0);
    const auto data = n.tensor(0), given = n.tensor(1);
    Term slope = n.input(1);
    if (n.opset() < 7 && data && given && given->rank() == 1 && data->rank() > 2) {
        ir::Shape shape(data->rank() - 1, ir::Dim(std::int64_t{1}));
        shape[0] = given->shape[0];
        slope = n.d.reshape(slope, shape);
    }
    return {where(compared("ge", x, n.d.term(std::int64_t{0})), x, x * slope)};
}

/// x, moved towards 0 by a bias, where it is farther from 0 than a limit, else 0.
Parts shrink(N &n)
{
    const auto x = n.tensor(0);
    if (!x || !ir::isFloating(x->dtype))
        return {};
    const double limit = n.real("lambd", 0.5), bias = n.real("bias", 0);
    const Term zero = n.d.scalar(0.0, x->dtype);
    const Term above = compared("gt", n.input(0), n.d.term(limit)),
               below = compared("lt", n.input(0), n.d.term(-limit));
    return {where(above, n.input(0) - bias, where(below, n.input(0) + bias, zero))};
}

Parts thresholdedRelu(N &n)
{
    return {n.d.make("threshold", {n.input(0), ir::Operand(n.real("alpha", 1.0)), ir::Operand(0.0)})};
}

Parts swish(N &n)
{
    const double alpha = n.real("alpha", 1.0);
    return {n.input(0) * applied("sigmoid", alpha == 1 ? n.input(0) : n.input(0) * alpha)};
}

Parts bitShift(N &n)
{
    const bool isLeft = n.text("direction", "") == "LEFT";
    return {n.d.make(isLeft ? "bitwise_left_shift.Tensor" : "bitwise_right_shift.Tensor", {n.input(0), n.input(1)})};
}

Parts isInfinite(N &n)
{
    const bool negative = n.integer("detect_negative", 1) != 0, positive = n.integer("detect_positive", 1) != 0;
    const auto y = n.result();
    if (!negative && !positive)
        return y ? Parts{n.d.full(y->shape, ir::Operand(false), y->dtype)} : Parts{};
    return {n.d.make(negative && positive ? "isinf" : negative ? "isneginf" : "isposinf", {n.input(0)})};
}

std::optional<ir::DType> castTo(const N &n)
{
    const auto result = n.result();
    const bool isPlain =
        result && (ir::isFloating(result->dtype) || ir::isInteger(result->dtype) || result->dtype == ir::DType::Bool);
    return isPlain ? std::optional(result->dtype) : std::nullopt;
}

Parts cast(N &n)
{
    const auto dtype = castTo(n);
    const auto x = n.tensor(0);
    // Small floats hold the largest number where ONNX saturates, and torch makes what is no number of larger ones.
    const bool isSmall = dtype && ir::isFloating(*dtype) && *ir::bitWidth(*dtype) <= 8;
    if (!dtype || !x || isSmall)
        return n.refuse("torch converts to such a dtype in another way, or has none");
    return {n.d.cast(n.input(0), *dtype)};
}

constexpr OnnxLowering elementwiseLowerings[] = {
    {"onnx::Abs", unary<absTarget>},
    {"onnx::Acos", unaryOfFloats<acosTarget>},
    {"onnx::Acosh", unaryOfFloats<acoshTarget>},
    {"onnx::Add", binary<addTarget>},
    {"onnx::And", logical<andTarget>},
    {"onnx::Asin", unaryOfFloats<asinTarget>},
    {"onnx::Asinh", unaryOfFloats<asinhTarget>},
    {"onnx::Atan", unaryOfFloats<atanTarget>},
    {"onnx::Atanh", unaryOfFloats<atanhTarget>},
    {"onnx::BitShift", bitShift},
    {"onnx::BitwiseAnd", logical<bitAndTarget>},
    {"onnx::BitwiseNot", unary<invertTarget>},
    {"onnx::BitwiseOr", logical<bitOrTarget>},
    {"onnx::BitwiseXor", logical<bitXorTarget>},
    {"onnx::Cast", cast},
    {"onnx::CastLike", cast},
    {"onnx::Ceil", unary<ceilTarget>},
    {"onnx::Celu", celu},
    {"onnx::Clip", clip},
    {"onnx::Cos", unaryOfFloats<cosTarget>},
    {"onnx::Cosh", unaryOfFloats<coshTarget>},
    {"onnx::Div", division},
    {"onnx::Dropout", dropout},
    {"onnx::Elu", elu},
    {"onnx::Equal", binary<eqTarget>},
    {"onnx::Erf", unaryOfFloats<erfTarget>},
    {"onnx::Exp", unaryOfFloats<expTarget>},
    {"onnx::Floor", unary<floorTarget>},
    {"onnx::Gelu", gelu},
    {"onnx::Greater", binary<gtTarget>},
    {"onnx::GreaterOrEqual", binary<geTarget>},
    {"onnx::HardSigmoid", hardSigmoid},
    {"onnx::HardSwish", unary<hardswishTarget>},
    {"onnx::Identity", identity},
    {"onnx::IsInf", isInfinite},
    {"onnx::IsNaN", unary<nanTarget>},
    {"onnx::LeakyRelu", leakyRelu},
    {"onnx::Less", binary<ltTarget>},
    {"onnx::LessOrEqual", binary<leTarget>},
    {"onnx::Log", unaryOfFloats<logTarget>},
    {"onnx::Max", folded<maximumTarget>},
    {"onnx::Mean", meanOfAll},
    {"onnx::Min", folded<minimumTarget>},
    {"onnx::Mish", unary<mishTarget>},
    {"onnx::Mod", modulo},
    {"onnx::Mul", binary<mulTarget>},
    {"onnx::Neg", unary<negTarget>},
    {"onnx::Not", unary<notTarget>},
    {"onnx::Or", logical<orTarget>},
    {"onnx::PRelu", prelu},
    {"onnx::Pow", power},
    {"onnx::Reciprocal", unaryOfFloats<reciprocalTarget>},
    {"onnx::Relu", unary<reluTarget>},
    {"onnx::Round", unary<roundTarget>},
    {"onnx::Selu", selu},
    {"onnx::Shrink", shrink},
    {"onnx::Sigmoid", unaryOfFloats<sigmoidTarget>},
    {"onnx::Sign", unary<signTarget>},
    {"onnx::Sin", unaryOfFloats<sinTarget>},
    {"onnx::Sinh", unaryOfFloats<sinhTarget>},
    {"onnx::Softplus", softplus},
    {"onnx::Softsign", softsign},
    {"onnx::Sqrt", unaryOfFloats<sqrtTarget>},
    {"onnx::Sub", binary<subTarget>},
    {"onnx::Sum", sumOfAll},
    {"onnx::Swish", swish},
    {"onnx::Tan", unaryOfFloats<tanTarget>},
    {"onnx::Tanh", unaryOfFloats<tanhTarget>},
    {"onnx::ThresholdedRelu", thresholdedRelu},
    {"onnx::Where", choice},
    {"onnx::Xor", logical<xorTarget>},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules {

Family elementwise() { return {.fromOnnx = to_aten::elementwiseLowerings}; }

} // namespace cutaway::rules
