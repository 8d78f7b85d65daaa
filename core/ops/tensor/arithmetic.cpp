// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/arithmetic.h"

#include "core/ops/compute/rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/elementwise.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/facts/size_algebra.h"
#include "core/ops/facts/texts.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cutaway::ops {

namespace {

using enum ResultType;

// Lists and texts: Python's + and *.

/// Returns a list of this length; each item has one of these facts.
Fact anyOf(ir::List::Kind kind, std::span<const Fact> items, ir::Dim length)
{
    Fact any = items.empty() ? Fact() : items.front();
    for (const Fact &item : items)
        any = join(any, item);
    return SequenceFact{kind, SequenceFact::Alike{{std::move(any)}, std::move(length)}};
}

Fact concatenated(const SequenceFact &a, const SequenceFact &b)
{
    const std::span<const Fact> front = a.each(), back = b.each();
    SequenceFact::Items items(front.begin(), front.end());
    items.insert(items.end(), back.begin(), back.end());
    if (a.items() && b.items() && items.size() <= maxTrackedElements)
        return SequenceFact{a.kind, std::move(items)};
    return anyOf(a.kind, items, plus(a.length(), b.length()));
}

Fact repeatedList(const SequenceFact &list, const ir::Dim &times)
{
    const auto count = number(times);
    const ir::Dim length = ops::times(list.length(), atLeastZero(times));
    const auto total = number(length);
    const SequenceFact::Items *items = list.items();
    if (!items || !count || !total || std::cmp_greater(*total, maxTrackedElements))
        return anyOf(list.kind, list.each(), length);
    SequenceFact::Items all;
    for (std::int64_t i = 0; i < *count; ++i)
        all.insert(all.end(), items->begin(), items->end());
    return SequenceFact{list.kind, std::move(all)};
}

/// Computes self + alpha * other, or with - instead of +, or with the operands exchanged.
Answer weightedSum(const Call &call, Arithmetic op, bool isReversed)
{
    const Operands operands = operandsOf(call, 2);
    const ir::Dim alpha = call.has("alpha") ? call.size("alpha").value_or(ir::UnknownDim{}) : std::int64_t{1};
    if (operands.size() < 2 || (isOne(alpha) && !isReversed))
        return binaryOf(call, op, Promoted);
    return elementwise(call, operands, dtypeOf(call, operands, Promoted), [&](std::span<const ir::Dim> row) {
        const auto &[first, second] = isReversed ? std::pair(row[1], row[0]) : std::pair(row[0], row[1]);
        return compute(op, first, compute(Arithmetic::Multiply, second, alpha));
    });
}

Answer addition(const Call &call)
{
    const auto *a = call[0u].as<SequenceFact>(), *b = call[1u].as<SequenceFact>();
    if (a && b)
        return {concatenated(*a, *b)};
    const auto *text = call[0u].as<TextFact>(), *more = call[1u].as<TextFact>();
    if (text && more && text->text.size() + more->text.size() <= maxTextLength)
        return {TextFact{text->text + more->text}};
    return weightedSum(call, Arithmetic::Add, false);
}

Answer subtraction(const Call &call) { return weightedSum(call, Arithmetic::Subtract, false); }

Answer reversedSubtraction(const Call &call) { return weightedSum(call, Arithmetic::Subtract, true); }

Answer multiplication(const Call &call)
{
    for (const std::size_t i : {0u, 1u})
        if (const auto *list = call[i].as<SequenceFact>())
            return {repeatedList(*list, call.size(1 - i).value_or(ir::UnknownDim{}))};
    return binaryOf(call, Arithmetic::Multiply, Promoted);
}

Answer division(const Call &call)
{
    if (call.isOnnx()) {
        const auto dtype = call.dtypeOf(0u);
        return binaryOf(call, dtype && isInteger(*dtype) ? Arithmetic::TruncateDivide : Arithmetic::TrueDivide,
                        Promoted);
    }
    const std::string_view mode = call.text("rounding_mode");
    if (mode == "floor")
        return binaryOf(call, Arithmetic::FloorDivide, Promoted);
    if (mode == "trunc")
        return binaryOf(call, Arithmetic::TruncateDivide, Promoted);
    if (call.has("rounding_mode"))
        return unknown("rounding mode unknown");
    return binaryOf(call, Arithmetic::TrueDivide, Float);
}

/// math.fmod and aten::fmod of ints return floats; fmod of tensors of integers does not.
Answer cRemainder(const Call &call)
{
    return binaryOf(call, Arithmetic::Remainder, call.tensor(0u) || call.tensor(1u) ? Promoted : Float);
}

Answer onnxModulo(const Call &call)
{
    return binaryOf(call, call.integer("fmod") == 1 ? Arithmetic::Remainder : Arithmetic::Modulo, Promoted);
}

Answer power(const Call &call)
{
    if (call.isOnnx())
        return binaryOf(call, Arithmetic::Power, First);
    const bool isOfTensors = call.tensor(0u) || call.tensor(1u);
    const bool staysWhole = isOfTensors || call.dialect() != "aten" || call.overload() == "int_to_int";
    return binaryOf(call, Arithmetic::Power, staysWhole ? Promoted : Float);
}

Answer floatPower(const Call &call)
{
    const Operands operands = operandsOf(call, 2);
    const auto dtype = dtypeOf(call, operands, Promoted);
    if (!dtype)
        return elementwise(call, operands, std::nullopt);
    return elementwise(call, operands, isComplex(*dtype) ? ir::DType::Complex128 : ir::DType::Float64);
}

/// A missing bound limits nothing; unknown ones, and the attributes of ONNX before opset 11, make the elements unknown.
Answer clamp(const Call &call)
{
    const Fact &lower = call.isOnnx() ? call[1u] : call["min"];
    const Fact &upper = call.isOnnx() ? call[2u] : call["max"];
    Operands operands{&call[0u]};
    const auto index = [&](const Fact &bound) -> std::size_t {
        if (bound.as<NoneFact>())
            return 0;
        operands.push_back(&bound);
        return operands.size() - 1;
    };
    const std::size_t low = index(lower), high = index(upper);
    const bool hasFloatBounds = call.isOnnx() && (call.has("min") || call.has("max"));
    Answer answer = elementwise(call, operands, dtypeOf(call, operands, Promoted), [&](std::span<const ir::Dim> row) {
        ir::Dim value = hasFloatBounds ? ir::Dim(ir::UnknownDim{}) : row[0];
        value = low > 0 ? compute(Arithmetic::Maximum, value, row[low]) : value;
        return high > 0 ? compute(Arithmetic::Minimum, value, row[high]) : value;
    });
    const TensorFact *input = call.isOnnx() ? call.tensor(0u) : nullptr;
    const TensorFact *made = answer.facts.empty() ? nullptr : asTensor(answer.facts[0]);
    if (input && made && made->shape != input->shape) // bounds of ONNX are scalars
        answer.facts[0] = tensorFact(input->dtype, input->shape);
    return answer;
}

/// Rounds; for a number Python's math.floor and the like return an int.
template <Function function>
Answer rounding(const Call &call)
{
    const NumberFact *number = asNumber(call[0u]);
    if (!number || number->kind == NumberFact::Kind::Number)
        return unaryOf(call, function, First);
    return {compute(function, *number, NumberFact::Kind::Int)};
}

/// Python's round() returns an int, aten::round of a float returns a float.
Answer roundToEven(const Call &call)
{
    const NumberFact *number = asNumber(call[0u]);
    if (number && call.dialect() == "aten")
        return {compute(Function::Round, *number, NumberFact::Kind::Float)};
    return rounding<Function::Round>(call);
}

// Operators of complex numbers, and of their real and imaginary parts.

/// Returns a result that has the dtype of the parts if the operand is complex.
Answer realPart(const Call &call, Function function, bool isFloat)
{
    if (const NumberFact *number = asNumber(call[0u]); number && number->kind == NumberFact::Kind::Complex)
        return {floatFact()};
    Answer answer = unaryOf(call, function, isFloat ? Float : First);
    if (auto *tensor = answer.facts.empty() ? nullptr : std::get_if<TensorFact>(&answer.facts[0].v);
        tensor && tensor->dtype && !isInPlace(call))
        tensor->dtype = realType(*tensor->dtype);
    return answer;
}

Answer absolute(const Call &call) { return realPart(call, Function::Absolute, false); }
Answer partOfComplex(const Call &call) { return realPart(call, Function::Nothing, false); }
Answer angle(const Call &call) { return realPart(call, Function::Nothing, true); }

/// Computes the second power. Booleans become integers, like the 2.
Answer square(const Call &call)
{
    const Fact two = intFact(std::int64_t{2});
    const std::array<const Fact *, 2> base{&call[0u], &two};
    return elementwise(call, std::span(base).first(1), resultType(base));
}

std::optional<ir::DType> complexOfParts(std::optional<ir::DType> real)
{
    using enum ir::DType;
    return real == Float32 ? std::optional(Complex64)
        : real == Float64  ? std::optional(Complex128)
        : real == Float16  ? std::optional(Complex32)
                           : std::nullopt;
}

/// Makes complex numbers of real and imaginary parts, or of absolute values and angles.
Answer complexOfTwo(const Call &call)
{
    const Operands operands = operandsOf(call, 2);
    if (std::ranges::none_of(operands, [](const Fact *operand) { return asTensor(*operand); }))
        return {NumberFact{NumberFact::Kind::Complex, {}}};
    return elementwise(call, operands, complexOfParts(dtypeOf(call, operands, Promoted)));
}

// Operators with several results.

Answer mantissaAndExponent(const Call &call)
{
    if (asNumber(call[0u]))
        return {floatFact(), intFact()};
    Answer answer = likeFirst(call);
    const TensorFact *mantissa = asTensor(answer.facts[0]);
    answer.facts.push_back(tensorFact(ir::DType::Int32, mantissa->shape));
    return answer;
}

Answer quotientAndRemainder(const Call &call)
{
    Answer answer = binaryOf(call, Arithmetic::FloorDivide, Promoted);
    const Answer remainder = binaryOf(call, Arithmetic::Modulo, Promoted);
    answer.facts.insert(answer.facts.end(), remainder.facts.begin(), remainder.facts.end());
    return answer;
}

Answer twoFloats(const Call &) { return {floatFact(), floatFact()}; }

// Numbers that Python's loops and sums need.

Answer rangeLength(const Call &call)
{
    const auto low = call.size(0u), high = call.size(1u);
    const auto step = call.integer(2u);
    if (!low || !high || !step || *step == 0)
        return {intFact()};
    const ir::Dim distance = *step > 0 ? minus(*high, *low) : minus(*low, *high);
    const ir::Dim steps = ceilDivide(distance, *step > 0 ? *step : -*step);
    return {intFact(atLeastZero(steps))};
}

Answer derivedIndex(const Call &call)
{
    const ir::Dim unknown = ir::UnknownDim{};
    return {intFact(plus(call.size(1u).value_or(unknown),
                         times(call.size(0u).value_or(unknown), call.size(2u).value_or(unknown))))};
}

Answer sumOfSizes(const Call &call)
{
    const auto sizes = call.sizes(0u);
    if (!sizes)
        return {intFact()};
    ir::Dim sum = std::int64_t{0};
    for (const ir::Dim &size : *sizes)
        sum = plus(sum, size);
    return {intFact(std::move(sum))};
}

/// onnx::Sum and the like: adds any number of tensors, which all have the same dtype.
Answer onnxSum(const Call &call)
{
    const Operands operands = operandsOf(call, 0);
    return elementwise(call, operands, dtypeOf(call, operands, Promoted), [](std::span<const ir::Dim> row) {
        ir::Dim sum = std::int64_t{0};
        for (const ir::Dim &element : row)
            sum = compute(Arithmetic::Add, sum, element);
        return sum;
    });
}

Cost onePerAddend(const Call &call, std::span<const Fact> results)
{
    Cost cost = onePerResult(call, results);
    cost.otherFlops =
        times(cost.otherFlops, static_cast<std::int64_t>(std::max<std::size_t>(call.inputCount(), 2) - 1));
    return cost;
}

/// The result has the dtype of polygamma's second argument, the tensor.
Answer ofSelf(const Call &call)
{
    const Operands operands{&call["self"]};
    return elementwise(call, operands, dtypeOf(call, operands, Float));
}

using enum Arithmetic;

/// Whether a complex tensor is a lazy conjugate is not followed: it is assumed to be one, which is copied.
Place placeOfResolved(const Call &call, const TensorFact &result, std::size_t index)
{
    return result.dtype && isComplex(*result.dtype) ? placeOfCopy(call, result, index)
                                                    : placeOfItself(call, result, index);
}

/// Returns a row of a function of real numbers, such as std::sin.
constexpr Operator floatFunction(std::string_view names, ComputeRule compute, CastTo cudaAutocast = CastTo::Nothing,
                                 DomainRule domains = nullptr)
{
    return {names,
            Category::Elementwise,
            Pattern::Pointwise,
            unary<Function::Nothing, Float>,
            onePerResult,
            {.compute = compute, .domains = domains, .cudaAutocast = cudaAutocast}};
}

constexpr Operator arithmeticRows[] = {
    // Operators with two operands.
    Operator("aten::add onnx::Add _operator::add _operator::iadd prims::add", Category::Elementwise, Pattern::Pointwise,
             addition, onePerResult,
             {.kind = kind::add, .compute = compute::addScaled, .commutes = true, .roundsOnce = true}),
    Operator("aten::sub=subtract onnx::Sub _operator::sub prims::sub", Category::Elementwise, Pattern::Pointwise,
             subtraction, onePerResult, {.kind = kind::sub, .compute = compute::subtractScaled, .roundsOnce = true}),
    Operator("aten::rsub", Category::Elementwise, Pattern::Pointwise, reversedSubtraction, onePerResult,
             {.kind = kind::rsub,
              .compute = compute::subtractScaledReversed,
              .formula = "other - self * alpha if isTensor(other) else -self * alpha + other",
              .roundsOnce = true}),
    Operator("aten::mul=multiply onnx::Mul _operator::mul prims::mul", Category::Elementwise, Pattern::Pointwise,
             multiplication, onePerResult,
             {.kind = kind::mul, .compute = compute::binary<compute::multiply>, .commutes = true, .roundsOnce = true}),
    Operator("aten::div=divide=true_divide onnx::Div _operator::truediv", Category::Elementwise, Pattern::Pointwise,
             division, onePerResult,
             {.kind = kind::div, .compute = compute::divideAsAsked, .domains = positiveDivisor, .roundsOnce = true}),
    Operator("aten::_add_relu", Category::Elementwise, Pattern::Pointwise, pointwise<2, Promoted>, perElement<2>,
             {.formula = "relu(add(self, other, alpha=alpha))"}),
    Operator("aten::floor_divide", Category::Elementwise, Pattern::Pointwise, binary<FloorDivide>, onePerResult,
             {.compute = compute::binary<compute::floorDivide>,
              .formula = "div(self, other, rounding_mode='floor')",
              .domains = positiveDivisor}),
    Operator("aten::floordiv _operator::floordiv", Category::Elementwise, Pattern::Pointwise, binary<FloorDivide>,
             onePerResult, {.compute = compute::binary<compute::floorDivide>, .domains = positiveDivisor}),
    Operator("aten::__round_to_zero_floordiv", Category::Elementwise, Pattern::Pointwise, binary<TruncateDivide>,
             onePerResult),
    Operator("aten::remainder _operator::mod prims::remainder", Category::Elementwise, Pattern::Pointwise,
             binary<Modulo>, onePerResult,
             {.compute = compute::binary<compute::flooredRemainder>, .domains = positiveDivisor}),
    Operator("aten::fmod prims::fmod math::fmod", Category::Elementwise, Pattern::Pointwise, cRemainder, onePerResult,
             {.compute = compute::binary<compute::truncatedRemainder>, .domains = positiveDivisor}),
    Operator("aten::mathremainder", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing, Float>,
             onePerResult),
    Operator("onnx::Mod", Category::Elementwise, Pattern::Pointwise, onnxModulo, onePerResult,
             {.compute = compute::onnxModulo, .demand = demand::modulo, .domains = positiveDivisor}),
    Operator("aten::pow onnx::Pow _operator::pow prims::pow math::pow", Category::Elementwise, Pattern::Pointwise,
             power, onePerResult, {.compute = compute::binary<compute::power>, .cudaAutocast = CastTo::Float32}),
    Operator("aten::float_power", Category::Elementwise, Pattern::Pointwise, floatPower, onePerResult,
             {.compute = compute::binary<compute::power>}),
    Operator("aten::bitwise_and onnx::BitwiseAnd prims::bitwise_and", Category::Elementwise, Pattern::Pointwise,
             binary<BitAnd>, onePerResult, {.compute = compute::binary<compute::bitAnd>, .commutes = true}),
    Operator("aten::__and__ aten::__iand__ _operator::and_", Category::Elementwise, Pattern::Pointwise, binary<BitAnd>,
             onePerResult, {.compute = compute::binary<compute::bitAnd>}),
    Operator("aten::bitwise_or onnx::BitwiseOr prims::bitwise_or", Category::Elementwise, Pattern::Pointwise,
             binary<BitOr>, onePerResult, {.compute = compute::binary<compute::bitOr>, .commutes = true}),
    Operator("aten::__or__ aten::__ior__ _operator::or_", Category::Elementwise, Pattern::Pointwise, binary<BitOr>,
             onePerResult, {.compute = compute::binary<compute::bitOr>}),
    Operator("aten::bitwise_xor onnx::BitwiseXor prims::bitwise_xor", Category::Elementwise, Pattern::Pointwise,
             binary<BitXor>, onePerResult, {.compute = compute::binary<compute::bitXor>, .commutes = true}),
    Operator("aten::__xor__ aten::__ixor__ _operator::xor", Category::Elementwise, Pattern::Pointwise, binary<BitXor>,
             onePerResult, {.compute = compute::binary<compute::bitXor>}),
    Operator("aten::bitwise_left_shift aten::__lshift__ aten::__ilshift__ _operator::lshift prims::shift_left",
             Category::Elementwise, Pattern::Pointwise, binary<ShiftLeft>, onePerResult,
             {.compute = compute::binary<compute::shiftLeft>}),
    Operator(
        "aten::bitwise_right_shift aten::__rshift__ aten::__irshift__ _operator::rshift prims::shift_right_arithmetic",
        Category::Elementwise, Pattern::Pointwise, binary<ShiftRight>, onePerResult,
        {.compute = compute::binary<compute::shiftRight>}),
    Operator("onnx::BitShift", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing>, onePerResult,
             {.compute = compute::bitShift}),
    Operator("aten::gcd prims::gcd", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing>,
             onePerResult, {.compute = compute::binary<compute::commonDivisor>}),
    Operator("aten::lcm", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing>, onePerResult,
             {.compute = compute::binary<compute::commonMultiple>}),
    Operator("aten::hypot prims::hypot", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing>,
             onePerResult, {.compute = compute::binary<compute::hypotenuse>, .commutes = true}),
    Operator("aten::heaviside", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing>, onePerResult,
             {.compute = compute::binary<compute::heaviside>,
              .formula = "where(self == 0, values, cast(self > 0, dtype(self)))"}),
    Operator("aten::nextafter prims::nextafter prims::igamma prims::igammac prims::zeta", Category::Elementwise,
             Pattern::Pointwise, binary<Arithmetic::Nothing>, onePerResult),
    Operator("prims::div", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing>, onePerResult,
             {.kind = kind::div, .compute = compute::divideAsAsked, .roundsOnce = true}),
    Operator("aten::atan2=arctan2 prims::atan2", Category::Elementwise, Pattern::Pointwise,
             binary<Arithmetic::Nothing, Float>, onePerResult,
             {.compute = compute::binary<compute::atan2>, .cudaAutocast = CastTo::Widest}),
    Operator("aten::copysign", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing, Float>,
             onePerResult, {.compute = compute::binary<compute::copySign>}),
    Operator("aten::xlogy=special_xlogy", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing, Float>,
             onePerResult,
             {.compute = compute::binary<compute::xLogY>,
              .formula = "where(isnan(other), nan, where(self == 0, 0, self * log(other))) if isTensor(self) and "
                         "isTensor(other) and isFloating(self) and dtype(self) == dtype(other)"}),
    Operator("aten::special_xlog1py", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing, Float>,
             onePerResult,
             {.compute = compute::binary<compute::xLog1pY>,
              .formula = "where(logical_and(self == 0, logical_not(isnan(other))), 0, self * log1p(other))"}),
    Operator(
        "aten::logaddexp", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing, Float>, onePerResult,
        {.compute = compute::binary<compute::logAddExp>,
         .formula =
             "where(self == other, self + 0.6931471805599453, maximum(self, other) + log1p(exp(-abs(self - other))))",
         .commutes = true}),
    Operator("aten::logaddexp2", Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing, Float>,
             onePerResult,
             {.compute = compute::binary<compute::logAddExp2>,
              .formula = "where(self == other, self + 1, maximum(self, other) + log2(exp2(-abs(self - other)) + 1))",
              .commutes = true}),
    Operator("aten::special_zeta aten::ldexp aten::igamma aten::igammac aten::special_gammainc aten::special_gammaincc",
             Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing, Float>, onePerResult),
    Operator(
        "aten::special_chebyshev_polynomial_t aten::special_chebyshev_polynomial_u "
        "aten::special_chebyshev_polynomial_v "
        "aten::special_chebyshev_polynomial_w aten::special_hermite_polynomial_h aten::special_hermite_polynomial_he "
        "aten::special_laguerre_polynomial_l aten::special_legendre_polynomial_p "
        "aten::special_shifted_chebyshev_polynomial_t aten::special_shifted_chebyshev_polynomial_u "
        "aten::special_shifted_chebyshev_polynomial_v aten::special_shifted_chebyshev_polynomial_w",
        Category::Elementwise, Pattern::Pointwise, binary<Arithmetic::Nothing, Float>, onePerResult),
    Operator("com.microsoft::ComplexMul com.microsoft::ComplexMulConj", Category::Elementwise, Pattern::Pointwise,
             binary<Arithmetic::Nothing>, perElement<3>),

    // Operators with three operands and more.
    Operator("aten::clamp=clip onnx::Clip", Category::Elementwise, Pattern::Pointwise, clamp, perElement<2>,
             {.kind = kind::clamp,
              .compute = compute::clamp,
              .demand = demand::scalarBounds,
              .onQuantized = OnQuantized::RoundsAgain,
              .roundsOnce = true}),
    Operator("aten::clamp_min", Category::Elementwise, Pattern::Pointwise, binary<Maximum>, onePerResult,
             {.compute = compute::binary<compute::maximum>,
              .formula = "maximum(self, min) if isTensor(min) else clamp(cast(self, dtype(result)), min)",
              .roundsOnce = true}),
    Operator("aten::clamp_max", Category::Elementwise, Pattern::Pointwise, binary<Minimum>, onePerResult,
             {.compute = compute::binary<compute::minimum>,
              .formula = "minimum(self, max) if isTensor(max) else clamp(cast(self, dtype(result)), max=max)",
              .roundsOnce = true}),
    Operator("aten::lerp", Category::Elementwise, Pattern::Pointwise, pointwise<3, Promoted>, perElement<3>,
             {.compute = compute::lerp,
              .formula = "isNear = abs(weight) >= 0.5; where(isNear, end, self) + where(isNear, weight - 1, weight) * "
                         "(end - self) if isTensor(weight) else self + (end - self) * weight if weight < 0.5 and "
                         "weight > -0.5 else end - (end - self) * (1 - weight)"}),
    Operator(
        "aten::addcmul", Category::Elementwise, Pattern::Pointwise, pointwise<3, Promoted>, perElement<3>,
        {.compute = compute::addcmul, .formula = "self + tensor1 * tensor2 * value", .cudaAutocast = CastTo::Widest}),
    Operator("aten::addcdiv", Category::Elementwise, Pattern::Pointwise, pointwise<3, Promoted>, perElement<3>,
             {.compute = compute::addcdiv,
              .formula = "self + tensor1 / tensor2 * value if isFloating(self)",
              .cudaAutocast = CastTo::Widest}),
    Operator("prims::fma", Category::Elementwise, Pattern::Pointwise, pointwise<3, Promoted>, perElement<2>),
    Operator("onnx::Sum", Category::Elementwise, Pattern::Pointwise, onnxSum, onePerAddend,
             {.kind = kind::sumOfAll, .compute = compute::accumulated<compute::add>, .commutes = true}),
    Operator("onnx::Mean", Category::Elementwise, Pattern::Pointwise, onnxSum, onePerAddend,
             {.kind = kind::meanOfAll, .compute = compute::averageOfAll}),

    // Operators with one operand.
    Operator("aten::neg=negative onnx::Neg _operator::neg prims::neg", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Negate>, onePerResult,
             {.kind = kind::neg, .compute = compute::unary<compute::neg>, .roundsOnce = true}),
    Operator("aten::abs=absolute prim::abs onnx::Abs _operator::abs builtins::abs prims::abs", Category::Elementwise,
             Pattern::Pointwise, absolute, onePerResult,
             {.kind = kind::abs, .compute = compute::unary<compute::abs>, .roundsOnce = true}),
    Operator("aten::sign onnx::Sign prims::sign", Category::Elementwise, Pattern::Pointwise, unary<Function::Sign>,
             onePerResult, {.compute = compute::unary<compute::sign>, .roundsOnce = true}),
    Operator("aten::positive", Category::Elementwise, Pattern::Pointwise, unary<Function::Copy>, nullptr,
             {.compute = compute::sameElements, .place = placeOfItself, .keepsElements = true}),
    Operator("_operator::pos", Category::Elementwise, Pattern::Pointwise, unary<Function::Copy>, nullptr,
             {.place = placeOfItself}),
    Operator("aten::bitwise_not onnx::BitwiseNot prims::bitwise_not", Category::Elementwise, Pattern::Pointwise,
             unary<Function::BitNot>, onePerResult, {.compute = compute::bitNot}),
    Operator("_operator::invert", Category::Elementwise, Pattern::Pointwise, unary<Function::BitNot>, onePerResult,
             {.compute = compute::bitNot}),
    Operator("aten::floor onnx::Floor math::floor prims::floor", Category::Elementwise, Pattern::Pointwise,
             rounding<Function::Floor>, onePerResult, {.compute = compute::unary<compute::floor>, .roundsOnce = true}),
    Operator("aten::ceil onnx::Ceil math::ceil prims::ceil", Category::Elementwise, Pattern::Pointwise,
             rounding<Function::Ceiling>, onePerResult, {.compute = compute::unary<compute::ceil>, .roundsOnce = true}),
    Operator("aten::trunc=fix math::trunc prims::trunc", Category::Elementwise, Pattern::Pointwise,
             rounding<Function::Truncate>, onePerResult,
             {.compute = compute::unary<compute::trunc>, .roundsOnce = true}),
    Operator("aten::round=special_round onnx::Round builtins::round prims::round", Category::Elementwise,
             Pattern::Pointwise, roundToEven, onePerResult, {.compute = compute::roundToEven, .roundsOnce = true}),
    Operator("aten::sqrt onnx::Sqrt math::sqrt prims::sqrt", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Root, Float>, onePerResult,
             {.compute = compute::unary<std::sqrt>, .domains = positiveFirst, .roundsOnce = true}),
    Operator("torch::_sym_sqrt torch::sym_sqrt", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Root, Float>, onePerResult),
    Operator("aten::square", Category::Elementwise, Pattern::Pointwise, square, onePerResult,
             {.compute = compute::unary<compute::square>, .formula = "self * self"}),
    Operator("aten::frac", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::fraction>, .formula = "self - trunc(self)"}),
    Operator("aten::nan_to_num", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::nanToNumber,
              .formula = "noNan = where(isnan(self), 0 if nan is None else nan, self); "
                         "noTop = where(self == inf, largest(self) if posinf is None else posinf, noNan); "
                         "where(self == -inf, -largest(self) if neginf is None else neginf, noTop) "
                         "if isFloating(self) else refused('it is of no floats')"}),
    Operator("aten::sgn", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::sign>}),
    Operator("aten::reciprocal onnx::Reciprocal prims::reciprocal", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Nothing, Float>, onePerResult,
             {.compute = compute::unary<compute::reciprocal>, .cudaAutocast = CastTo::Float32, .roundsOnce = true}),
    floatFunction("aten::rsqrt prims::rsqrt", compute::unary<compute::rsqrt>, CastTo::Float32, positiveFirst),
    floatFunction("aten::exp onnx::Exp math::exp prims::exp", compute::unary<std::exp>, CastTo::Float32),
    floatFunction("aten::exp2=special_exp2 prims::exp2", compute::unary<std::exp2>),
    floatFunction("aten::expm1=special_expm1 math::expm1 prims::expm1", compute::unary<std::expm1>, CastTo::Float32),
    floatFunction("aten::log onnx::Log math::log prims::log", compute::unary<std::log>, CastTo::Float32, positiveFirst),
    floatFunction("aten::log2 math::log2 prims::log2", compute::unary<std::log2>, CastTo::Float32, positiveFirst),
    floatFunction("aten::log10 math::log10 prims::log10", compute::unary<std::log10>, CastTo::Float32, positiveFirst),
    floatFunction("aten::log1p=special_log1p math::log1p prims::log1p", compute::unary<std::log1p>, CastTo::Float32,
                  positiveFirst),
    floatFunction("aten::sin onnx::Sin math::sin prims::sin", compute::unary<std::sin>),
    floatFunction("aten::cos onnx::Cos math::cos prims::cos", compute::unary<std::cos>),
    floatFunction("aten::tan onnx::Tan math::tan prims::tan", compute::unary<std::tan>, CastTo::Float32),
    floatFunction("aten::asin=arcsin onnx::Asin math::asin prims::asin", compute::unary<std::asin>, CastTo::Float32),
    floatFunction("aten::acos=arccos onnx::Acos math::acos prims::acos", compute::unary<std::acos>, CastTo::Float32),
    floatFunction("aten::atan=arctan onnx::Atan math::atan prims::atan", compute::unary<std::atan>),
    floatFunction("aten::sinh onnx::Sinh math::sinh prims::sinh", compute::unary<std::sinh>, CastTo::Float32),
    floatFunction("aten::cosh onnx::Cosh math::cosh prims::cosh", compute::unary<std::cosh>, CastTo::Float32),
    floatFunction("math::tanh", compute::unary<std::tanh>),
    floatFunction("aten::erf=special_erf onnx::Erf prims::erf", compute::unary<std::erf>),
    floatFunction("aten::erfc=special_erfc prims::erfc", compute::unary<std::erfc>),
    floatFunction("aten::asinh=arcsinh onnx::Asinh prims::asinh", compute::unary<std::asinh>),
    floatFunction("aten::acosh=arccosh onnx::Acosh prims::acosh", compute::unary<std::acosh>, CastTo::Nothing,
                  aboveOneFirst),
    floatFunction("aten::atanh=arctanh onnx::Atanh prims::atanh", compute::unary<std::atanh>),
    Operator("aten::sinc=special_sinc", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>,
             onePerResult,
             {.compute = compute::unary<compute::sinc>,
              .formula = "scaled = self * pi; where(scaled == 0, 1, sin(scaled) / scaled) if isFloating(self)"}),
    Operator("aten::deg2rad", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>, onePerResult,
             {.compute = compute::unary<compute::radians>, .formula = "self * 0.017453292519943295"}),
    Operator("aten::rad2deg", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>, onePerResult,
             {.compute = compute::unary<compute::degrees>, .formula = "self * 57.29577951308232"}),
    Operator("aten::degrees aten::radians", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>,
             onePerResult),
    Operator("torch::_sym_sin torch::_sym_cos torch::_sym_tan torch::_sym_asin torch::_sym_acos torch::_sym_atan "
             "torch::_sym_sinh torch::_sym_cosh torch::_sym_tanh torch::_sym_log2",
             Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>),
    Operator("prims::erfcx prims::ndtri prims::bessel_i0e prims::bessel_i1e prims::spherical_bessel_j0",
             Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult),
    Operator("prims::erf_inv", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::inverseErrorFunction>}),
    Operator("prims::lgamma", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<std::lgamma>}),
    Operator("prims::digamma", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::digamma>}),
    Operator("prims::cbrt", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::cubeRoot>}),
    Operator("prims::bessel_i0", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::besselI0>}),
    Operator("prims::bessel_i1", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::unary<compute::besselI1>}),
    Operator("aten::lgamma=special_gammaln", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>,
             onePerResult, {.compute = compute::unary<std::lgamma>}),
    Operator("aten::special_erfcx aten::gamma aten::mvlgamma aten::special_multigammaln aten::fabs",
             Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>, onePerResult),
    Operator("aten::digamma=special_psi aten::special_digamma", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Nothing, Float>, onePerResult, {.compute = compute::unary<compute::digamma>}),
    Operator("aten::erfinv=special_erfinv", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>,
             onePerResult, {.compute = compute::unary<compute::inverseErrorFunction>, .cudaAutocast = CastTo::Float32}),
    Operator("aten::i0=special_i0 aten::special_modified_bessel_i0", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Nothing, Float>, onePerResult, {.compute = compute::unary<compute::besselI0>}),
    Operator("aten::special_i1 aten::special_modified_bessel_i1", Category::Elementwise, Pattern::Pointwise,
             unary<Function::Nothing, Float>, onePerResult, {.compute = compute::unary<compute::besselI1>}),
    Operator("aten::special_ndtr", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>,
             onePerResult,
             {.compute = compute::unary<compute::normalDistribution>,
              .formula = "(erf(self * 0.7071067811865476) + 1) * 0.5"}),
    Operator("aten::special_entr", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>,
             onePerResult,
             {.compute = compute::unary<compute::entropy>,
              .formula = "where(isnan(self), self, where(self < 0, -inf, where(self == 0, 0, -(self * log(self)))))"}),
    Operator("aten::special_i0e aten::special_i1e aten::special_ndtri aten::special_log_ndtr aten::special_airy_ai "
             "aten::special_bessel_j0 aten::special_bessel_j1 aten::special_bessel_y0 aten::special_bessel_y1 "
             "aten::special_modified_bessel_k0 aten::special_modified_bessel_k1 "
             "aten::special_scaled_modified_bessel_k0 aten::special_scaled_modified_bessel_k1 "
             "aten::special_spherical_bessel_j0 prims::bessel_j0 prims::bessel_j1",
             Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing, Float>, onePerResult),
    Operator("aten::polygamma=special_polygamma", Category::Elementwise, Pattern::Pointwise, ofSelf, onePerResult,
             {.compute = compute::polygamma}),
    Operator("aten::frexp prims::frexp", Category::Elementwise, Pattern::Pointwise, mantissaAndExponent, onePerResult),
    Operator("onnx::Affine onnx::Scale onnx::ImageScaler ai.onnx.ml::Imputer", Category::Elementwise,
             Pattern::Pointwise, likeFirst, onePerResult),
    Operator("ai.onnx.ml::Binarizer", Category::Elementwise, Pattern::Pointwise, likeFirst, onePerResult,
             {.compute = compute::binarize}),

    // Complex numbers.
    Operator("aten::real prims::real", Category::Elementwise, Pattern::Pointwise, partOfComplex, nullptr,
             {.compute = compute::realParts,
              .formula = "select(view_as_real(self), -1, 0) if isComplex(self) else self",
              .place = placeOfSomeView}),
    Operator("aten::imag prims::imag", Category::Elementwise, Pattern::Pointwise, partOfComplex, nullptr,
             {.compute = compute::realParts,
              .formula = "select(view_as_real(self), -1, 1) if isComplex(self)",
              .place = placeOfSomeView}),
    Operator("aten::angle", Category::Elementwise, Pattern::Pointwise, angle, onePerResult,
             {.compute = compute::angle,
              .formula = "where(isnan(self), self, cast(self < 0, dtype(result)) * pi) if not isComplex(self)"}),
    Operator("aten::complex aten::Complex", Category::Elementwise, Pattern::Pointwise, complexOfTwo, onePerResult,
             {.compute = compute::complexOfParts}),
    Operator("aten::polar", Category::Elementwise, Pattern::Pointwise, complexOfTwo, onePerResult,
             {.compute = compute::complexOfPolar, .cpuAutocast = CastTo::Float32}),
    Operator("aten::conj aten::_conj aten::_neg_view prims::conj", Category::Elementwise, Pattern::Pointwise, likeFirst,
             nullptr, {.compute = compute::conjugate, .place = placeOfItself}),
    Operator("aten::resolve_conj aten::resolve_neg", Category::Elementwise, Pattern::Pointwise, likeFirst, nullptr,
             {.compute = compute::conjugate, .formula = "self", .place = placeOfResolved}),
    Operator("aten::conj_physical", Category::Elementwise, Pattern::Pointwise, likeFirst, nullptr,
             {.compute = compute::conjugate, .place = placeOfResolved}),
    Operator("aten::_conj_physical prims::conj_physical", Category::Elementwise, Pattern::Pointwise, likeFirst, nullptr,
             {.compute = compute::conjugate}),

    // Operators on numbers only.
    Operator("aten::__range_length", Category::Elementwise, Pattern::Pointwise, rangeLength),
    Operator("aten::__derive_index", Category::Elementwise, Pattern::Pointwise, derivedIndex),
    Operator("aten::divmod", Category::Elementwise, Pattern::Pointwise, quotientAndRemainder),
    Operator("aten::modf", Category::Elementwise, Pattern::Pointwise, twoFloats),
    Operator("aten::factorial", Category::Elementwise, Pattern::Pointwise, unary<Function::Nothing>),
    Operator("torch::sym_sum", Category::Elementwise, Pattern::Pointwise, sumOfSizes),
};

} // namespace

std::span<const Operator> arithmeticOperators() { return arithmeticRows; }

} // namespace cutaway::ops
