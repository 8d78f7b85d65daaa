// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
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

/// Two operands of one dtype and shape.
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

/// An operand as the operator sees it: of the dtype it computes in, repeated to the shape of the result.
std::optional<Array> operand(const Call &call, std::size_t position, ir::DType dtype)
{
    const Array *array = call.array(position);
    const auto shape = call.shape();
    auto typed = array && shape ? converted(*array, dtype) : std::nullopt;
    return typed ? broadcast(*typed, *shape) : std::nullopt;
}

Answer apply(const Call &call, const Binary &function, ir::DType dtype)
{
    const auto a = operand(call, 0, dtype);
    const auto b = operand(call, 1, dtype);
    return a && b ? together(function, *a, *b, dtype) : std::nullopt;
}

/// `function` of the operand at `first` and alpha times the one at `second`.
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

Answer addScaled(const Call &call) { return scaled(call, add); }

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

/// Between bounds either of which may be missing: the lower one first.
Answer clamp(const Call &call)
{
    const auto dtype = call.dtype();
    auto result = dtype ? operand(call, 0, *dtype) : std::nullopt;
    for (const std::size_t position : {1U, 2U}) {
        if (!result || !call.facts().has(position))
            continue;
        const auto bound = operand(call, position, *dtype);
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

} // namespace cutaway::compute
