// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/complex.h"

#include "core/ops/compute/network/matrix_product.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <forward_list>
#include <functional>

// Three kinds of operators know complex numbers. Those that move or add elements are applied to the real and the
// imaginary parts separately. Arithmetic operators have rules of their own here. The others are operators on complex
// numbers alone, such as conjugation.

namespace cutaway::compute {

std::vector<Complex> complexOf(const Array &x)
{
    const std::vector<double> real = floatsOf(x);
    std::vector<Complex> elements(real.begin(), real.end());
    for (std::size_t i = 0; i < x.imaginary.size(); ++i)
        elements[i].imag(x.imaginary[i]);
    return elements;
}

Array complexArray(Sizes shape, const std::vector<Complex> &elements)
{
    std::vector<double> real;
    Array made{ir::DType::Complex128, std::move(shape), {}};
    for (const Complex &element : elements) {
        real.push_back(element.real());
        made.imaginary.push_back(element.imag());
    }
    made.elements = std::move(real);
    return made;
}

Array asParts(const Array &x)
{
    std::vector<double> parts;
    for (const Complex &element : complexOf(x))
        parts.insert(parts.end(), {element.real(), element.imag()});
    Sizes shape = x.shape;
    shape.push_back(2);
    return {ops::realType(x.dtype), std::move(shape), std::move(parts)};
}

namespace {

/// Returns an operand as a tensor; a number, complex or not, becomes a tensor without dimensions.
std::optional<Array> complexOperand(const Call &call, std::size_t position)
{
    if (const Array *array = call.array(position))
        return *array;
    const auto *number = call.facts()[position].as<ops::NumberFact>();
    const auto *value = number ? std::get_if<Complex>(&number->value) : nullptr;
    return value ? std::optional(complexArray({}, {*value})) : std::nullopt;
}

/// Returns complexOperand(), broadcast to the shape of the result and rounded to a dtype.
std::optional<std::vector<Complex>> operandOf(const Call &call, std::size_t position, std::optional<ir::DType> dtype)
{
    const auto array = complexOperand(call, position);
    const auto shape = call.shape();
    const auto typed =
        array && dtype && ir::isComplex(*dtype) ? converted(*array, *dtype) : std::optional<Array>(array);
    const auto whole = typed && shape ? broadcast(*typed, *shape) : std::nullopt;
    return whole ? std::optional(complexOf(*whole)) : std::nullopt;
}

/// Returns operandOf() in the dtype of the result.
std::optional<std::vector<Complex>> operandFor(const Call &call, std::size_t position)
{
    return operandOf(call, position, call.dtype());
}

// ---- parts by themselves

/// A tensor's real or imaginary parts.
Array partOf(const Array &x, bool isImaginary)
{
    return {ops::realType(x.dtype), x.shape, isImaginary ? ir::Numbers(x.imaginary) : x.elements};
}

Value partOf(const Value &value, bool isImaginary)
{
    if (const auto *array = value.as<Array>())
        return ir::isComplex(array->dtype) ? Value(partOf(*array, isImaginary)) : value;
    const auto *items = value.as<Values>();
    if (!items)
        return value;
    Values parts;
    for (const Value &item : *items)
        parts.push_back(partOf(item, isImaginary));
    return parts;
}

/// The numbers of complex tensors and of real floating tensors in a value. Indices and masks count as neither.
struct Counted {
    std::size_t complex = 0, real = 0;
};

void count(const Value &value, Counted &counted)
{
    if (const auto *array = value.as<Array>()) {
        counted.complex += ir::isComplex(array->dtype) ? 1 : 0;
        counted.real += ir::isFloat(array->dtype) ? 1 : 0;
    } else if (const auto *items = value.as<Values>()) {
        for (const Value &item : *items)
            count(item, counted);
    }
}

/// Whether the rule applies to the real and the imaginary part separately. It does not with a real operand, which
/// would count in both parts.
bool areParts(const Call &call)
{
    Counted counted;
    for (std::size_t i = 0; i < call.facts().inputCount(); ++i) {
        const Value *value = call.value(i);
        Counted own;
        if (value)
            count(*value, own);
        const bool isMixed =
            value && value->as<Values>() && own.complex > 0 && own.complex < value->as<Values>()->size();
        if (isMixed)
            return false;
        counted.complex += own.complex;
        counted.real += own.real;
    }
    const bool isFilled = call.facts().has("value") && call.facts().floating("value") != 0.0;
    return counted.complex > 0 && counted.real == 0 && !isFilled;
}

/// Returns the dtype of complex numbers with such parts. Rules compute in doubles; results get their dtype later.
ir::DType typeOfParts(ir::DType part)
{
    return part == ir::DType::Float32 ? ir::DType::Complex64
        : part == ir::DType::Float16  ? ir::DType::Complex32
                                      : ir::DType::Complex128;
}

std::optional<Value> joined(const Value &real, const Value &imaginary)
{
    const auto *a = real.as<Array>(), *b = imaginary.as<Array>();
    if (a && b) {
        if (a->shape != b->shape || a->isWhole() || b->isWhole())
            return std::nullopt;
        Array made{typeOfParts(a->dtype), a->shape, a->elements};
        made.imaginary.assign(b->as<double>().begin(), b->as<double>().end());
        return made;
    }
    const auto *items = real.as<Values>(), *others = imaginary.as<Values>();
    if (!items || !others || items->size() != others->size())
        return std::nullopt;
    Values all;
    for (std::size_t i = 0; i < items->size(); ++i) {
        auto one = joined((*items)[i], (*others)[i]);
        if (!one)
            return std::nullopt;
        all.push_back(std::move(*one));
    }
    return all;
}

/// Returns the facts of the results with the dtypes of their parts.
ops::Facts ofParts(std::span<const ops::Fact> results)
{
    ops::Facts parts(results.begin(), results.end());
    for (ops::Fact &fact : parts)
        ops::forEachTensor(fact, [](ops::TensorFact &tensor) {
            if (tensor.dtype)
                tensor.dtype = ops::realType(*tensor.dtype);
        });
    return parts;
}

Answer byParts(ops::ComputeRule rule, const Call &call, std::span<const ops::Fact> results)
{
    bool areComplex = true;
    for (const ops::Fact &fact : results)
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) {
            areComplex = areComplex && tensor.dtype && ir::isComplex(*tensor.dtype);
        });
    if (!areComplex || !areParts(call))
        return std::nullopt;
    const ops::Facts facts = ofParts(results);
    std::forward_list<Value> made;
    const auto partsOf = [&](bool isImaginary) {
        return rule(call.with(
            [&](const Value *value) { return value ? &made.emplace_front(partOf(*value, isImaginary)) : nullptr; },
            facts));
    };
    const Answer real = partsOf(false), imaginary = partsOf(true);
    if (!real || !imaginary || real->size() != imaginary->size())
        return std::nullopt;
    const auto all = joined(Value(*real), Value(*imaginary));
    return all ? Answer(*all->as<Values>()) : std::nullopt;
}

bool isOfParts(ops::ComputeRule rule)
{
    static constexpr ops::ComputeRule all[] = {sameElements,
                                               same,
                                               reshape,
                                               expand,
                                               flip,
                                               narrow,
                                               permute,
                                               repeat,
                                               select,
                                               slice,
                                               split,
                                               chunk,
                                               transpose,
                                               transposeLast,
                                               reversedDimensions,
                                               unbind,
                                               dropout,
                                               concatenate,
                                               stack,
                                               gather,
                                               indexSelect,
                                               index,
                                               roll,
                                               diagonal,
                                               movedAxes,
                                               rotated,
                                               unfold,
                                               take,
                                               takeAlongDimension,
                                               maskedSelect,
                                               lowerTriangle,
                                               upperTriangle,
                                               pad,
                                               horizontalStack,
                                               verticalStack,
                                               repeatEach,
                                               cumulativeSum,
                                               shiftedToMiddle,
                                               unary<neg>,
                                               reduction<sum>,
                                               reduction<mean>};
    return std::ranges::contains(all, rule);
}

// ---- arithmetic

template <Complex (*function)(const Complex &)>
Answer unaryOfComplex(const Call &call)
{
    auto x = operandFor(call, 0);
    if (!x)
        return std::nullopt;
    std::ranges::transform(*x, x->begin(), function);
    return answer(complexArray(*call.shape(), *x));
}

template <double (*function)(const Complex &)>
Answer realOfComplex(const Call &call)
{
    const Array *x = call.array(0);
    if (!x)
        return std::nullopt;
    std::vector<double> result;
    for (const Complex &element : complexOf(*x))
        result.push_back(function(element));
    return answer(Array{ir::DType::Float64, x->shape, std::move(result)});
}

template <class Function>
Answer binaryOfComplex(const Call &call, const Function &function, std::size_t first = 0, std::size_t second = 1)
{
    const auto a = operandFor(call, first), b = operandFor(call, second);
    if (!a || !b)
        return std::nullopt;
    std::vector<Complex> result;
    for (std::size_t i = 0; i < a->size(); ++i)
        result.push_back(function((*a)[i], (*b)[i]));
    return answer(complexArray(*call.shape(), result));
}

/// The number that the second operand is multiplied with before it is added.
std::optional<Complex> alphaOf(const Call &call)
{
    if (!call.facts().has("alpha"))
        return Complex(1);
    const auto *number = call.facts()["alpha"].as<ops::NumberFact>();
    const auto *value = number ? std::get_if<Complex>(&number->value) : nullptr;
    const auto real = call.facts().floating("alpha");
    const auto whole = call.facts().integer("alpha");
    return value ? std::optional(*value)
        : real   ? std::optional(Complex(*real))
        : whole  ? std::optional(Complex(static_cast<double>(*whole)))
                 : std::nullopt;
}

template <int sign, std::size_t first = 0, std::size_t second = 1>
Answer scaledSumOfComplex(const Call &call)
{
    const auto alpha = alphaOf(call);
    return alpha
        ? binaryOfComplex(
              call, [&](const Complex &a, const Complex &b) { return a + static_cast<double>(sign) * *alpha * b; },
              first, second)
        : std::nullopt;
}

Answer productOfComplex(const Call &call)
{
    return binaryOfComplex(call, [](const Complex &a, const Complex &b) { return a * b; });
}

/// Quotients by zero are not computed: libraries differ in which of their parts are infinite and which are NaN.
Answer quotientOfComplex(const Call &call)
{
    const auto divisors = operandFor(call, 1);
    if (call.facts().has("rounding_mode") || !divisors || std::ranges::contains(*divisors, Complex(0)))
        return std::nullopt;
    return binaryOfComplex(call, [](const Complex &a, const Complex &b) { return a / b; });
}

template <bool wanted>
Answer equalityOfComplex(const Call &call)
{
    const std::array<const ops::Fact *, 2> operands{&call.facts()[0], &call.facts()[1]};
    const auto dtype = ops::resultType(operands);
    const auto a = operandOf(call, 0, dtype), b = operandOf(call, 1, dtype);
    if (!dtype || !a || !b)
        return std::nullopt;
    std::vector<Whole> result;
    for (std::size_t i = 0; i < a->size(); ++i)
        result.push_back(((*a)[i] == (*b)[i]) == wanted);
    return answer(Array{ir::DType::Bool, *call.shape(), std::move(result)});
}

/// Computes (a + ib)(c + id) for whole matrices.
Answer matrixProductOfComplex(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    if (!a || !b)
        return std::nullopt;
    const auto typedA = converted(*a, ir::DType::Complex128), typedB = converted(*b, ir::DType::Complex128);
    const auto productOf = [&](bool isImaginaryA, bool isImaginaryB) {
        return matrixProduct(partOf(*typedA, isImaginaryA), partOf(*typedB, isImaginaryB));
    };
    auto real = productOf(false, false);
    const auto taken = productOf(true, true), cross = productOf(false, true), other = productOf(true, false);
    if (!real || !taken || !cross || !other)
        return std::nullopt;
    std::vector<Complex> elements;
    for (std::size_t i = 0; i < real->count(); ++i)
        elements.emplace_back(real->as<double>()[i] - taken->as<double>()[i],
                              cross->as<double>()[i] + other->as<double>()[i]);
    return answer(complexArray(real->shape, elements));
}

Complex reciprocalOf(const Complex &x) { return 1.0 / x; }
Complex squareOf(const Complex &x) { return x * x; }
Complex sigmoidOf(const Complex &x) { return 1.0 / (1.0 + std::exp(-x)); }
double sizeOf(const Complex &x) { return std::abs(x); }

/// Returns the rule for complex numbers of the arithmetic operator that has this rule for real numbers.
ops::ComputeRule counterpartOf(ops::ComputeRule rule)
{
    struct Pair {
        ops::ComputeRule real, complex;
    };
    static constexpr Pair all[] = {
        {addScaled, scaledSumOfComplex<1>},
        {subtractScaled, scaledSumOfComplex<-1>},
        {subtractScaledReversed, scaledSumOfComplex<-1, 1, 0>},
        {binary<multiply>, productOfComplex},
        {divideAsAsked, quotientOfComplex},
        {binary<divide>, quotientOfComplex},
        {comparison<std::equal_to{}>, equalityOfComplex<true>},
        {comparison<std::not_equal_to{}>, equalityOfComplex<false>},
        {matmul, matrixProductOfComplex},
        {unary<abs>, realOfComplex<sizeOf>},
        {unary<square>, unaryOfComplex<squareOf>},
        {unary<reciprocal>, unaryOfComplex<reciprocalOf>},
        {unary<sigmoid>, unaryOfComplex<sigmoidOf>},
        {unary<std::exp>, unaryOfComplex<std::exp>},
        {unary<std::log>, unaryOfComplex<std::log>},
        {unary<std::sqrt>, unaryOfComplex<std::sqrt>},
        {unary<std::sin>, unaryOfComplex<std::sin>},
        {unary<std::cos>, unaryOfComplex<std::cos>},
        {unary<std::sinh>, unaryOfComplex<std::sinh>},
        {unary<std::cosh>, unaryOfComplex<std::cosh>},
        {unary<std::tanh>, unaryOfComplex<std::tanh>},
    };
    const auto found = std::ranges::find(all, rule, &Pair::real);
    return found == std::end(all) ? nullptr : found->complex;
}

/// Whether the rule is of an operator on complex numbers: it handles them itself.
bool isAboutComplex(ops::ComputeRule rule)
{
    static constexpr ops::ComputeRule all[] = {complexOfParts,    complexOfPolar, conjugate, partsAsReal,
                                               partsAsComplex,    realParts,      angle,     torchFourier,
                                               shortTimeSpectrum, shortTimeSignal};
    return std::ranges::contains(all, rule);
}

} // namespace

Answer computedOfComplex(ops::ComputeRule rule, const Call &call, std::span<const ops::Fact> results)
{
    const std::string_view name = call.facts().name();
    if (name == "adjoint" || name == "vdot") // these operators also conjugate
        return std::nullopt;
    if (isAboutComplex(rule))
        return rule(call);
    if (const ops::ComputeRule own = counterpartOf(rule))
        return own(call);
    return isOfParts(rule) ? byParts(rule, call, results) : std::nullopt;
}

// ---- about complex numbers

namespace {

/// Applies `function` to two real tensors, element by element.
Answer complexOfTwo(const Call &call, Complex (*function)(double, double))
{
    const Array *a = call.array(0), *b = call.array(1);
    const auto shape = call.shape();
    const auto first = a && shape ? broadcast(*a, *shape) : std::nullopt;
    const auto second = b && shape ? broadcast(*b, *shape) : std::nullopt;
    if (!first || !second || ir::isComplex(a->dtype) || ir::isComplex(b->dtype))
        return std::nullopt;
    const std::vector<double> x = floatsOf(*first), y = floatsOf(*second);
    std::vector<Complex> elements;
    for (std::size_t i = 0; i < x.size(); ++i)
        elements.push_back(function(x[i], y[i]));
    return answer(complexArray(*shape, elements));
}

} // namespace

Answer complexOfParts(const Call &call)
{
    return complexOfTwo(call, [](double real, double imaginary) { return Complex(real, imaginary); });
}

Answer complexOfPolar(const Call &call)
{
    return complexOfTwo(
        call, [](double size, double angle) { return Complex(size * std::cos(angle), size * std::sin(angle)); });
}

/// Conjugates the elements; a real tensor is its own conjugate. The lazy negation _neg_view is not supported.
Answer conjugate(const Call &call)
{
    const Array *x = call.array(0);
    const std::string_view name = call.facts().name();
    if (!x || name == "_neg_view")
        return std::nullopt;
    Array made = *x;
    if (!name.starts_with("resolve"))
        std::ranges::transform(made.imaginary, made.imaginary.begin(), std::negate());
    return answer(std::move(made));
}

Answer realParts(const Call &call)
{
    const Array *x = call.array(0);
    const bool isImaginary = call.facts().name() == "imag";
    if (!x || (isImaginary && !ir::isComplex(x->dtype)))
        return std::nullopt;
    return answer(ir::isComplex(x->dtype) ? partOf(*x, isImaginary) : *x);
}

/// Returns the angles of the elements. In a real tensor the angle of a negative number is pi, that of -0 is 0.
Answer angle(const Call &call)
{
    const Array *x = call.array(0);
    if (!x)
        return std::nullopt;
    const bool isReal = !ir::isComplex(x->dtype);
    std::vector<double> angles;
    for (const Complex &element : complexOf(*x))
        angles.push_back(std::isnan(element.real())     ? element.real()
                             : isReal && element == 0.0 ? 0
                                                        : std::arg(element));
    return answer(Array{ir::DType::Float64, x->shape, std::move(angles)});
}

Answer partsAsReal(const Call &call)
{
    const Array *x = call.array(0);
    return x && ir::isComplex(x->dtype) ? answer(asParts(*x)) : std::nullopt;
}

Answer partsAsComplex(const Call &call)
{
    const Array *x = call.array(0);
    if (!x || x->isWhole() || ir::isComplex(x->dtype) || x->shape.empty() || x->shape.back() != 2)
        return std::nullopt;
    const auto parts = x->as<double>();
    std::vector<Complex> elements;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
        elements.emplace_back(parts[i], parts[i + 1]);
    return answer(complexArray({x->shape.begin(), x->shape.end() - 1}, elements));
}

} // namespace cutaway::compute
