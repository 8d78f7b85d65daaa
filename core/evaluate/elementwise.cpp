// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/rules.h"
#include "core/ops/facts/promotion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace cutaway::evaluate {

namespace {

using MaybeWhole = std::optional<Whole>;

// ---- one operand

struct Unary {
    std::string_view kind;
    double (*real)(double);
    Whole (*whole)(Whole) = nullptr; ///< nullptr: whole numbers are made floats, as the result is
};

Whole negated(Whole x) { return static_cast<Whole>(0 - static_cast<std::uint64_t>(x)); }
Whole same(Whole x) { return x; }
double signOf(double x) { return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0)); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double limited(double x, double low, double high) { return std::isnan(x) ? x : std::clamp(x, low, high); }

constexpr auto unaries = std::to_array<Unary>({
    {"neg", [](double x) { return -x; }, negated},
    {"abs", [](double x) { return std::abs(x); }, [](Whole x) { return x < 0 ? negated(x) : x; }},
    {"sign", signOf, [](Whole x) { return static_cast<Whole>((x > 0) - (x < 0)); }},
    {"floor", [](double x) { return std::floor(x); }, same},
    {"ceil", [](double x) { return std::ceil(x); }, same},
    {"trunc", [](double x) { return std::trunc(x); }, same},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"reciprocal", [](double x) { return 1 / x; }},
    {"square", [](double x) { return x * x; },
     [](Whole x) { return static_cast<Whole>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(x)); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"erfc", [](double x) { return std::erfc(x); }},
    {"sigmoid", sigmoid},
    {"logsigmoid", [](double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }},
    {"relu", [](double x) { return x < 0 ? 0 : x; }, [](Whole x) { return std::max(x, Whole{0}); }},
    {"relu6", [](double x) { return limited(x, 0, 6); }},
    {"silu", [](double x) { return x * sigmoid(x); }},
    {"mish", [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {"hardswish", [](double x) { return x * limited(x + 3, 0, 6) / 6; }},
    {"softsign", [](double x) { return x / (1 + std::abs(x)); }},
    {"frac", [](double x) { return x - std::trunc(x); }},
});

constexpr auto predicates = std::to_array<Unary>({
    {"logicalnot", [](double x) { return x == 0 ? 1.0 : 0.0; }},
    {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
    {"isfinite", [](double x) { return std::isfinite(x) ? 1.0 : 0.0; }},
});

template <class T, class U>
std::vector<U> mappedElements(std::span<const T> elements, U (*function)(T))
{
    std::vector<U> result(elements.size());
    std::ranges::transform(elements, result.begin(), function);
    return result;
}

Answer unary(const Call &call)
{
    const auto function = std::ranges::find(unaries, call.kind(), &Unary::kind);
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    if (!x || !dtype)
        return std::nullopt;
    if (!ir::isFloat(*dtype))
        return x->isWhole() && function->whole
            ? answer(Array{*dtype, x->shape, mappedElements(x->as<Whole>(), function->whole)})
            : std::nullopt;
    const auto floats = converted(*x, *dtype);
    return answer(Array{*dtype, x->shape, mappedElements(floats->as<double>(), function->real)});
}

Answer predicate(const Call &call)
{
    const Array *x = call.array(0);
    if (!x)
        return std::nullopt;
    const auto function = std::ranges::find(predicates, call.kind(), &Unary::kind);
    const std::vector<double> floats = floatsOf(*x);
    return answer(Array{ir::DType::Float64, x->shape, mappedElements(std::span(floats), function->real)});
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

struct Binary {
    std::string_view kind;
    double (*real)(double, double); ///< nullptr: only of whole numbers
    MaybeWhole (*whole)(Whole, Whole);
};

double flooredRemainder(double a, double b)
{
    const double r = std::fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/// Of whole numbers that can be divided without a fault.
bool divides(Whole a, Whole b) { return b != 0 && !(b == -1 && a == std::numeric_limits<Whole>::min()); }
MaybeWhole truncatedQuotient(Whole a, Whole b) { return divides(a, b) ? MaybeWhole(a / b) : std::nullopt; }
MaybeWhole flooredQuotient(Whole a, Whole b)
{
    return divides(a, b) ? MaybeWhole(a / b - (a % b != 0 && (a < 0) != (b < 0))) : std::nullopt;
}
MaybeWhole truncatedRemainder(Whole a, Whole b) { return divides(a, b) ? MaybeWhole(a % b) : std::nullopt; }
MaybeWhole flooredRemainder(Whole a, Whole b)
{
    const auto r = truncatedRemainder(a, b);
    return r && *r != 0 && (*r < 0) != (b < 0) ? *r + b : r;
}

MaybeWhole power(Whole base, Whole exponent)
{
    if (exponent < 0)
        return std::nullopt;
    std::uint64_t result = 1;
    std::uint64_t factor = bits(base);
    for (; exponent > 0; exponent >>= 1, factor *= factor)
        if ((exponent & 1) != 0)
            result *= factor;
    return static_cast<Whole>(result);
}

double larger(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : std::max(a, b); }
double smaller(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : std::min(a, b); }

constexpr auto binaries = std::to_array<Binary>({
    {"mul", [](double a, double b) { return a * b; },
     [](Whole a, Whole b) -> MaybeWhole { return static_cast<Whole>(bits(a) * bits(b)); }},
    {"floordivide", [](double a, double b) { return std::floor(a / b); }, flooredQuotient},
    {"floordiv", [](double a, double b) { return std::floor(a / b); }, flooredQuotient},
    {"remainder", flooredRemainder, flooredRemainder},
    {"fmod", [](double a, double b) { return std::fmod(a, b); }, truncatedRemainder},
    {"pow", [](double a, double b) { return std::pow(a, b); }, power},
    {"atan2", [](double a, double b) { return std::atan2(a, b); }, nullptr},
    {"maximum", larger, [](Whole a, Whole b) -> MaybeWhole { return std::max(a, b); }},
    {"minimum", smaller, [](Whole a, Whole b) -> MaybeWhole { return std::min(a, b); }},
    {"clampmin", larger, [](Whole a, Whole b) -> MaybeWhole { return std::max(a, b); }},
    {"clampmax", smaller, [](Whole a, Whole b) -> MaybeWhole { return std::min(a, b); }},
    {"bitwiseand", nullptr, [](Whole a, Whole b) -> MaybeWhole { return a & b; }},
    {"bitwiseor", nullptr, [](Whole a, Whole b) -> MaybeWhole { return a | b; }},
    {"bitwisexor", nullptr, [](Whole a, Whole b) -> MaybeWhole { return a ^ b; }},
});

constexpr auto comparisons = std::to_array<Binary>({
    {"eq", [](double a, double b) { return a == b ? 1.0 : 0.0; },
     [](Whole a, Whole b) -> MaybeWhole { return a == b; }},
    {"ne", [](double a, double b) { return a != b ? 1.0 : 0.0; },
     [](Whole a, Whole b) -> MaybeWhole { return a != b; }},
    {"lt", [](double a, double b) { return a < b ? 1.0 : 0.0; }, [](Whole a, Whole b) -> MaybeWhole { return a < b; }},
    {"le", [](double a, double b) { return a <= b ? 1.0 : 0.0; },
     [](Whole a, Whole b) -> MaybeWhole { return a <= b; }},
    {"gt", [](double a, double b) { return a > b ? 1.0 : 0.0; }, [](Whole a, Whole b) -> MaybeWhole { return a > b; }},
    {"ge", [](double a, double b) { return a >= b ? 1.0 : 0.0; },
     [](Whole a, Whole b) -> MaybeWhole { return a >= b; }},
    {"logicaland", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; },
     [](Whole a, Whole b) -> MaybeWhole { return a != 0 && b != 0; }},
    {"logicalor", [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; },
     [](Whole a, Whole b) -> MaybeWhole { return a != 0 || b != 0; }},
    {"logicalxor", [](double a, double b) { return (a != 0) != (b != 0) ? 1.0 : 0.0; },
     [](Whole a, Whole b) -> MaybeWhole { return (a != 0) != (b != 0); }},
});

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

Answer binary(const Call &call)
{
    const auto dtype = call.dtype();
    const Array *exponent = call.array(1);
    if (!dtype || !exponent)
        return std::nullopt;
    // onnx::Pow has its base's dtype, whatever the exponent is.
    const bool isMixed = !ir::isFloat(*dtype) && !exponent->isWhole();
    return apply(call, *std::ranges::find(binaries, call.kind(), &Binary::kind), isMixed ? ir::DType::Float64 : *dtype);
}

Answer comparison(const Call &call)
{
    const std::array<const ops::Fact *, 2> operands{&call.facts()[0], &call.facts()[1]};
    const auto dtype = ops::resultType(operands);
    return dtype && isComputable(*dtype)
        ? apply(call, *std::ranges::find(comparisons, call.kind(), &Binary::kind), *dtype)
        : std::nullopt;
}

constexpr Binary plus{"add", [](double x, double y) { return x + y; },
                      [](Whole x, Whole y) -> MaybeWhole { return static_cast<Whole>(bits(x) + bits(y)); }};
constexpr Binary minus{"sub", [](double x, double y) { return x - y; },
                       [](Whole x, Whole y) -> MaybeWhole { return static_cast<Whole>(bits(x) - bits(y)); }};

/// a + alpha·b
Answer sum(const Call &call)
{
    const auto dtype = call.dtype();
    const Array *given = call.isOnnx() ? nullptr : call.array("alpha");
    const auto alpha = given && dtype ? converted(*given, *dtype) : std::nullopt;
    auto b = dtype ? operand(call, 1, *dtype) : std::nullopt;
    const auto a = dtype ? operand(call, 0, *dtype) : std::nullopt;
    if (!a || !b || (given && !alpha))
        return std::nullopt;
    if (alpha) {
        static const Binary &product = *std::ranges::find(binaries, "mul", &Binary::kind);
        auto scaled = together(product, *b, *broadcast(*alpha, b->shape), *dtype);
        b = std::get<Array>(scaled->front().v);
    }
    const bool isReversed = call.kind() == "rsub";
    return together(call.kind() == "add" ? plus : minus, isReversed ? *b : *a, isReversed ? *a : *b, *dtype);
}

Answer quotient(const Call &call)
{
    static constexpr Binary exact{"div", [](double a, double b) { return a / b; }, truncatedQuotient};
    static constexpr Binary floored{"div", [](double a, double b) { return std::floor(a / b); }, flooredQuotient};
    static constexpr Binary cut{"div", [](double a, double b) { return std::trunc(a / b); }, truncatedQuotient};
    const std::string_view mode = call.isOnnx() ? "" : call.facts().text("rounding_mode");
    const auto dtype = call.dtype();
    return dtype ? apply(call, mode == "floor" ? floored : mode == "trunc" ? cut : exact, *dtype) : std::nullopt;
}

Answer onnxModulo(const Call &call)
{
    const auto isTruncated = call.integer("", "fmod", 0);
    const auto dtype = call.dtype();
    const auto function = std::ranges::find(binaries, isTruncated == 0 ? "remainder" : "fmod", &Binary::kind);
    return dtype && isTruncated ? apply(call, *function, *dtype) : std::nullopt;
}

/// All inputs, one after the other.
Answer accumulated(const Call &call, const Binary &function)
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

/// onnx::Max and onnx::Min of any number, aten::maximum of two.
Answer extreme(const Call &call)
{
    return call.isOnnx() ? accumulated(call, *std::ranges::find(binaries, call.kind(), &Binary::kind)) : binary(call);
}

Answer sumOfAll(const Call &call) { return accumulated(call, plus); }

// ---- three operands

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
        const std::string_view kind = position == 1 ? "maximum" : "minimum";
        const Binary &function = *std::ranges::find(binaries, kind, &Binary::kind);
        auto limitedOnce = bound ? together(function, *result, *bound, *dtype) : std::nullopt;
        result = limitedOnce ? std::optional(std::get<Array>(limitedOnce->front().v)) : std::nullopt;
    }
    return answer(result);
}

/// self + value·a·b, or self + value·a/b
Answer addScaled(const Call &call)
{
    const auto dtype = call.dtype();
    const auto value = call.number("value", "", 1);
    if (!dtype || !ir::isFloat(*dtype) || !value)
        return std::nullopt;
    const auto self = operand(call, 0, *dtype), a = operand(call, 1, *dtype), b = operand(call, 2, *dtype);
    if (!self || !a || !b)
        return std::nullopt;
    std::vector<double> result(self->count());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double x = a->as<double>()[i], y = b->as<double>()[i];
        result[i] = self->as<double>()[i] + *value * (call.kind() == "addcdiv" ? x / y : x * y);
    }
    return answer(Array{*dtype, self->shape, std::move(result)});
}

constexpr auto elementwiseRows = std::to_array<RuleRow>({
    {"neg abs sign floor ceil trunc sqrt rsqrt reciprocal square exp exp2 expm1 log log2 log10 log1p sin cos tan asin "
     "acos atan sinh cosh tanh erf erfc sigmoid logsigmoid relu relu6 silu mish hardswish softsign frac",
     unary},
    {"logicalnot isnan isfinite", predicate},
    {"round", roundToEven},
    {"bitwisenot", bitNot},
    {"mul floordivide floordiv remainder fmod pow atan2 clampmin clampmax bitwiseand bitwiseor bitwisexor", binary},
    {"eq ne lt le gt ge logicaland logicalor logicalxor", comparison},
    {"add sub rsub", sum},
    {"div", quotient},
    {"mod", onnxModulo},
    {"maximum minimum", extreme},
    {"sumofall", sumOfAll},
    {"where", where},
    {"maskedfill", maskedFill},
    {"clamp", clamp},
    {"addcmul addcdiv", addScaled},
});

} // namespace

std::span<const RuleRow> elementwiseRules() { return elementwiseRows; }

} // namespace cutaway::evaluate
