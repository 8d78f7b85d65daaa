// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/small_float.h"
#include "core/ops/compute/memory.h"
#include "core/ops/compute/rules.h"
#include "core/ops/facts/promotion.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::compute {

// ---- one operand

namespace {

template <class T, class U>
std::vector<U> mappedElements(std::span<const T> elements, U (*function)(T))
{
    std::vector<U> result(elements.size());
    std::ranges::transform(elements, result.begin(), function);
    return result;
}

} // namespace

Answer unaryOf(const Call &call, const Unary &function)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    if (!x || !dtype)
        return std::nullopt;
    if (!ir::isFloat(*dtype))
        return x->isWhole() && function.whole
            ? answer(Array{*dtype, x->shape, mappedElements(x->as<Whole>(), function.whole)})
            : std::nullopt;
    const auto floats = converted(*x, *dtype);
    return answer(Array{*dtype, x->shape, mappedElements(floats->as<double>(), function.real)});
}

Answer predicateOf(const Call &call, bool (*holds)(double))
{
    const Array *x = call.array(0);
    if (!x)
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*x);
    std::vector<Whole> results(floats.size());
    std::ranges::transform(floats, results.begin(), holds);
    return answer(Array{ir::DType::Bool, x->shape, std::move(results)});
}

Answer roundToEven(const Call &call)
{
    const Array *x = call.array(0);
    if (!x || call.integer("decimals", "", 0) != 0)
        return std::nullopt;
    if (x->isWhole())
        return answer(*x);
    return answer(Array{x->dtype, x->shape,
                        mappedElements<double, double>(x->as<double>(), [](double a) { return std::nearbyint(a); })});
}

Answer bitNot(const Call &call)
{
    const Array *x = call.array(0);
    if (!x || !x->isWhole())
        return std::nullopt;
    const bool isBool = x->dtype == ir::DType::Bool;
    std::vector<Whole> bits(x->as<Whole>().begin(), x->as<Whole>().end());
    std::ranges::transform(bits, bits.begin(), [&](Whole b) { return isBool ? Whole{b == 0} : ~b; });
    return answer(Array{x->dtype, x->shape, std::move(bits)});
}

// ---- two operands

namespace {

/// Computes a function of two operands of one dtype and shape.
Answer together(const Binary &function, const Array &a, const Array &b, ir::DType dtype)
{
    if (!a.isWhole()) {
        std::vector<double> result(a.count());
        if (!function.real)
            return std::nullopt;
        std::ranges::transform(a.as<double>(), b.as<double>(), result.begin(), function.real);
        return answer(Array{ir::DType::Float64, a.shape, std::move(result)});
    }
    std::vector<Whole> result;
    for (std::size_t i = 0; i < a.count() && function.whole; ++i) {
        const MaybeWhole x = function.whole(a.as<Whole>()[i], b.as<Whole>()[i]);
        if (!x)
            return std::nullopt;
        result.push_back(*x);
    }
    return function.whole ? answer(Array{dtype, a.shape, std::move(result)}) : std::nullopt;
}

/// Returns the second operand. If ONNX's attribute `axis` is given (before operator set 7), dimensions of size 1 are
/// added at the operand's end, so that its first dimension lies at that axis of the `rank` dimensions of the first one.
Array alignedSecond(const Call &call, Array second, std::size_t rank)
{
    const auto axis = call.isOnnx() && call.facts().opset() < 7 && call.facts().has("axis")
        ? call.axis("", "axis", 0, rank)
        : std::nullopt;
    if (axis && *axis + second.shape.size() < rank)
        second.shape.resize(rank - *axis, 1);
    return second;
}

/// Returns an operand, converted to the dtype that the operator computes in and repeated to the shape of the result.
std::optional<Array> operand(const Call &call, std::size_t position, ir::DType dtype)
{
    const Array *array = call.array(position);
    const auto shape = call.shape();
    auto typed = array && shape ? converted(*array, dtype) : std::nullopt;
    if (typed && position == 1)
        typed = alignedSecond(call, std::move(*typed), shape->size());
    return typed ? broadcast(*typed, *shape) : std::nullopt;
}

Answer apply(const Call &call, const Binary &function, ir::DType dtype)
{
    const auto a = operand(call, 0, dtype);
    const auto b = operand(call, 1, dtype);
    return a && b ? together(function, *a, *b, dtype) : std::nullopt;
}

/// Computes `function` of the operand at `first` and alpha times the operand at `second`.
Answer scaled(const Call &call, const Binary &function, std::size_t first = 0, std::size_t second = 1)
{
    const auto dtype = call.dtype();
    const Array *given = call.isOnnx() ? nullptr : call.array("alpha");
    const auto alpha = given && dtype ? converted(*given, *dtype) : std::nullopt;
    auto b = dtype ? operand(call, second, *dtype) : std::nullopt;
    const auto a = dtype ? operand(call, first, *dtype) : std::nullopt;
    if (!a || !b || (given && !alpha))
        return std::nullopt;
    if (alpha) {
        auto product = together(multiply, *b, *broadcast(*alpha, b->shape), *dtype);
        b = std::get<Array>(product->front().v);
    }
    return together(function, *a, *b, *dtype);
}

} // namespace

Answer binaryOf(const Call &call, const Binary &function)
{
    const auto dtype = call.dtype();
    const Array *exponent = call.array(1);
    if (!dtype || !exponent)
        return std::nullopt;
    // onnx::Pow has its base's dtype, whatever the exponent is.
    const bool isMixed = !ir::isFloat(*dtype) && !exponent->isWhole();
    return apply(call, function, isMixed ? ir::DType::Float64 : *dtype);
}

Answer accumulatedOf(const Call &call, const Binary &function)
{
    const auto dtype = call.dtype();
    auto result = dtype ? operand(call, 0, *dtype) : std::nullopt;
    for (std::size_t i = 1; i < call.facts().inputCount() && result; ++i) {
        const auto next = operand(call, i, *dtype);
        auto both = next ? together(function, *result, *next, *dtype) : std::nullopt;
        result = both ? std::optional(std::get<Array>(both->front().v)) : std::nullopt;
    }
    return answer(result);
}

Answer comparisonOf(const Call &call, const Binary &function)
{
    const std::array<const ops::Fact *, 2> operands{&call.facts()[0], &call.facts()[1]};
    const auto dtype = ops::resultType(operands);
    return dtype && isComputable(*dtype) ? apply(call, function, *dtype) : std::nullopt;
}

/// Returns a + alpha·b; for lists, the items of both.
Answer addScaled(const Call &call) { return call.facts().overload() == "t" ? extend(call) : scaled(call, add); }

Answer subtractScaled(const Call &call) { return scaled(call, subtract); }

Answer subtractScaledReversed(const Call &call) { return scaled(call, subtract, 1, 0); }

Answer divideAsAsked(const Call &call)
{
    const std::string_view mode = call.isOnnx() ? "" : call.facts().text("rounding_mode");
    const auto dtype = call.dtype();
    return dtype ? apply(call,
                         mode == "floor"       ? floorDivide
                             : mode == "trunc" ? truncateDivide
                                               : divide,
                         *dtype)
                 : std::nullopt;
}

Answer onnxModulo(const Call &call)
{
    const auto isTruncated = call.integer("", "fmod", 0);
    const auto dtype = call.dtype();
    return dtype && isTruncated ? apply(call, *isTruncated == 0 ? flooredRemainder : truncatedRemainder, *dtype)
                                : std::nullopt;
}

// ---- three operands

namespace {

template <class T>
std::vector<T> chosen(const Array &condition, const Array &yes, const Array &no)
{
    std::vector<T> result(condition.count());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = condition.as<Whole>()[i] != 0 ? yes.as<T>()[i] : no.as<T>()[i];
    return result;
}

Answer choose(const std::optional<Array> &condition, const std::optional<Array> &yes, const std::optional<Array> &no)
{
    if (!condition || !yes || !no)
        return std::nullopt;
    ir::Numbers elements = yes->isWhole() ? ir::Numbers(chosen<Whole>(*condition, *yes, *no))
                                          : ir::Numbers(chosen<double>(*condition, *yes, *no));
    return answer(Array{yes->dtype, yes->shape, std::move(elements)});
}

} // namespace

Answer where(const Call &call)
{
    const auto dtype = call.dtype();
    return dtype ? choose(operand(call, 0, ir::DType::Bool), operand(call, 1, *dtype), operand(call, 2, *dtype))
                 : std::nullopt;
}

Answer maskedFill(const Call &call)
{
    const auto dtype = call.dtype();
    return dtype ? choose(operand(call, 1, ir::DType::Bool), operand(call, 2, *dtype), operand(call, 0, *dtype))
                 : std::nullopt;
}

namespace {

/// A bound, by its position or, before version 11 of ONNX's Clip, by its name; nothing if it is not known.
std::optional<Array> boundOf(const Call &call, std::size_t position, std::string_view name, ir::DType dtype)
{
    if (!call.isOnnx() || call.facts().has(position))
        return operand(call, position, dtype);
    const auto given = call.facts().floating(name);
    const auto shape = call.shape();
    return given && shape ? converted(filled(ir::DType::Float64, *shape, *given), dtype) : std::nullopt;
}

} // namespace

/// Limits the operand by two bounds, either of which may be missing: first by the lower one.
Answer clamp(const Call &call)
{
    const auto dtype = call.dtype();
    auto result = dtype ? operand(call, 0, *dtype) : std::nullopt;
    for (const std::size_t position : {1U, 2U}) {
        const std::string_view name = position == 1 ? "min" : "max";
        if (!result || !(call.facts().has(position) || (call.isOnnx() && call.facts().has(name))))
            continue;
        const auto bound = boundOf(call, position, name, *dtype);
        auto limitedOnce = bound ? together(position == 1 ? maximum : minimum, *result, *bound, *dtype) : std::nullopt;
        result = limitedOnce ? std::optional(std::get<Array>(limitedOnce->front().v)) : std::nullopt;
    }
    return answer(result);
}

namespace {

/// self + value·function(a, b)
Answer addValueTimes(const Call &call, const Binary &function)
{
    const auto dtype = call.dtype();
    const auto value = call.number("value", "", 1);
    if (!dtype || !ir::isFloat(*dtype) || !value)
        return std::nullopt;
    const auto self = operand(call, 0, *dtype), a = operand(call, 1, *dtype), b = operand(call, 2, *dtype);
    if (!self || !a || !b)
        return std::nullopt;
    std::vector<double> result(self->count());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = self->as<double>()[i] + *value * function.real(a->as<double>()[i], b->as<double>()[i]);
    return answer(Array{*dtype, self->shape, std::move(result)});
}

} // namespace

Answer addcmul(const Call &call) { return addValueTimes(call, multiply); }

Answer addcdiv(const Call &call) { return addValueTimes(call, divide); }

/// Interpolates between start and end. From the middle on it computes from the end, as PyTorch does.
Answer lerp(const Call &call)
{
    const auto dtype = call.dtype();
    if (!dtype || !ir::isFloat(*dtype))
        return std::nullopt;
    const auto start = operand(call, 0, *dtype), end = operand(call, 1, *dtype), weight = operand(call, 2, *dtype);
    if (!start || !end || !weight)
        return std::nullopt;
    std::vector<double> result(start->count());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double a = start->as<double>()[i], b = end->as<double>()[i], w = weight->as<double>()[i];
        result[i] = std::abs(w) < 0.5 ? a + w * (b - a) : b - (b - a) * (1 - w);
    }
    return answer(Array{*dtype, start->shape, std::move(result)});
}

Answer averageOfAll(const Call &call)
{
    const auto sums = accumulatedOf(call, add);
    const auto *sum = sums ? sums->front().as<Array>() : nullptr;
    if (!sum || sum->isWhole())
        return std::nullopt;
    std::vector<double> floats = floatsOf(*sum);
    for (double &x : floats)
        x /= static_cast<double>(call.facts().inputCount());
    return answer(Array{ir::DType::Float64, sum->shape, std::move(floats)});
}

/// Bits that are shifted out are lost; the dtype is unsigned.
Answer bitShift(const Call &call)
{
    const auto dtype = call.dtype();
    const bool isLeft = call.facts().text("direction") == "LEFT";
    return dtype && !ir::isSigned(*dtype) ? apply(call, isLeft ? shiftLeft : shiftRight, *dtype) : std::nullopt;
}

Answer isInfiniteAsAsked(const Call &call)
{
    const auto negative = call.integer("", "detect_negative", 1), positive = call.integer("", "detect_positive", 1);
    if (!negative || !positive)
        return std::nullopt;
    if (*negative == 0 && *positive == 0)
        return predicateOf(call, [](double) { return false; });
    return predicateOf(call, *negative == 0 ? isPositiveInfinity : *positive == 0 ? isNegativeInfinity : isInfinite);
}

Answer isClose(const Call &call)
{
    const auto relative = call.number("rtol", "", 1e-5), absolute = call.number("atol", "", 1e-8);
    const auto equalNan = call.flag("equal_nan", false);
    const auto a = operand(call, 0, ir::DType::Float64), b = operand(call, 1, ir::DType::Float64);
    if (!relative || !absolute || !equalNan || !a || !b)
        return std::nullopt;
    std::vector<Whole> result;
    for (std::size_t i = 0; i < a->count(); ++i) {
        const double x = a->as<double>()[i], y = b->as<double>()[i];
        const bool isSame = x == y || (*equalNan && std::isnan(x) && std::isnan(y));
        result.push_back(isSame || (std::isfinite(y) && std::abs(x - y) <= *absolute + *relative * std::abs(y)));
    }
    return answer(Array{ir::DType::Bool, a->shape, std::move(result)});
}

Answer nanToNumber(const Call &call)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    if (!x || !dtype)
        return std::nullopt;
    if (x->isWhole())
        return answer(*x);
    const auto limits = ir::floatLimits(*dtype);
    const double top = limits ? limits->largest : 0;
    const auto nan = call.number("nan", "", 0), high = call.number("posinf", "", top),
               low = call.number("neginf", "", -top);
    if (!nan || !high || !low || !limits)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    for (double &a : floats)
        a = std::isnan(a) ? *nan : std::isinf(a) ? (a > 0 ? *high : *low) : a;
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

Answer overwrite(const Call &call)
{
    const auto dtype = call.dtype();
    return dtype ? answer(operand(call, 1, *dtype)) : std::nullopt;
}

} // namespace cutaway::compute
