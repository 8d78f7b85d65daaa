// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/number_arithmetic.h"

#include "core/ops/facts/size_algebra.h"
#include "core/symbolic/evaluate.h"
#include "core/symbolic/fold.h"
#include "core/symbolic/tree.h"

#include <algorithm>
#include <cmath>

namespace cutaway::ops {

namespace {

using ir::Dim;
using symbolic::Expr;
using symbolic::Kind;

Expr toExpr(const Dim &dim)
{
    const auto *n = std::get_if<std::int64_t>(&dim);
    return n ? Expr::integer(*n) : std::get<Expr>(dim);
}

std::optional<Expr> knownExpr(const Dim &dim) { return isKnown(dim) ? std::optional(toExpr(dim)) : std::nullopt; }

std::optional<Expr> toExpr(const NumberFact &number)
{
    if (const auto *dim = std::get_if<Dim>(&number.value))
        return knownExpr(*dim);
    if (const auto *x = std::get_if<double>(&number.value))
        return Expr::floating(*x);
    if (const auto *boolean = std::get_if<bool>(&number.value))
        return Expr::integer(*boolean ? 1 : 0);
    return std::nullopt;
}

std::optional<Expr> makeExpr(Kind kind, std::vector<Expr> operands)
{
    if (std::ranges::all_of(operands, &Expr::isConstant)) {
        auto value = symbolic::fold(kind, operands);
        return value ? std::optional(std::move(*value)) : std::nullopt;
    }
    Expr made = Expr::make(kind, std::move(operands));
    return made.depth() <= maxFormulaDepth ? std::optional(std::move(made)) : std::nullopt;
}

/// Negates each term of a sum, so that equal terms meet.
std::optional<Expr> negativeExpr(const Expr &e)
{
    if (e.kind() != Kind::Add)
        return makeExpr(Kind::Multiply, {Expr::integer(-1), e});
    std::vector<Expr> terms;
    for (const Expr &term : e.operands())
        terms.push_back(Expr::make(Kind::Multiply, {Expr::integer(-1), term}));
    return makeExpr(Kind::Add, std::move(terms));
}

std::optional<Expr> differenceExpr(const Expr &a, const Expr &b)
{
    const auto minusB = negativeExpr(b);
    return minusB ? makeExpr(Kind::Add, {a, *minusB}) : std::nullopt;
}

bool isNotNegative(const Expr &e) { return isNonNegative(e.kind() == Kind::Integer ? Dim(e.integerValue()) : Dim(e)); }

/// Computes a quotient or remainder that rounds towards zero, which is rounding down where nothing is negative.
std::optional<Expr> truncated(Arithmetic op, const Expr &a, const Expr &b)
{
    const bool isDivision = op == Arithmetic::TruncateDivide;
    if (isNotNegative(a) && isNotNegative(b))
        return makeExpr(isDivision ? Kind::FloorDivide : Kind::Modulo, {a, b});
    if (a.kind() == Kind::Integer && b.kind() == Kind::Integer && b.integerValue() != 0 && b.integerValue() != -1)
        return Expr::integer(isDivision ? a.integerValue() / b.integerValue() : a.integerValue() % b.integerValue());
    if (!a.isConstant() || !b.isConstant())
        return std::nullopt;
    const auto value = [](const Expr &e) {
        return e.kind() == Kind::Float ? e.floatValue() : static_cast<double>(e.integerValue());
    };
    if (value(b) == 0)
        return std::nullopt;
    return Expr::floating(isDivision ? std::trunc(value(a) / value(b)) : std::fmod(value(a), value(b)));
}

/// Whether all symbols are sizes. A symbol without a range is taken to be a size.
bool isOfSizes(const Expr &e)
{
    return e.kind() == Kind::Symbol ? !e.hasRange() || e.range().min >= 0
                                    : std::ranges::all_of(e.operands(), isOfSizes);
}

/// Whether a formula is never below `least`.
bool isAtLeast(const std::optional<Expr> &e, std::int64_t least)
{
    const auto rest = e ? makeExpr(Kind::Add, {*e, Expr::integer(-least)}) : std::nullopt;
    return rest && (rest->range().min >= 0 || (isNotNegative(*rest) && isOfSizes(*rest)));
}

/// Compares formulas, also if their difference is a number, or has a certain sign because sizes are not negative.
std::optional<Expr> comparison(Kind kind, const Expr &a, const Expr &b)
{
    if (a.isConstant() && b.isConstant())
        return makeExpr(kind, {a, b});
    if (kind == Kind::Greater || kind == Kind::LessEqual)
        return comparison(kind == Kind::Greater ? Kind::Less : Kind::GreaterEqual, b, a);
    const auto gap = differenceExpr(a, b);
    if (!gap || gap->isConstant())
        return gap ? makeExpr(kind, {*gap, Expr::integer(0)}) : std::nullopt;
    if (isAtLeast(gap, kind == Kind::Less || kind == Kind::GreaterEqual ? 0 : 1))
        return makeExpr(kind, {Expr::integer(1), Expr::integer(0)});
    return isAtLeast(negativeExpr(*gap), 1) ? makeExpr(kind, {Expr::integer(-1), Expr::integer(0)}) : std::nullopt;
}

/// Returns the larger or smaller formula, without min() and max() if it is known which it is: max(s0, 0) is s0.
std::optional<Expr> extremeExpr(Kind kind, const Expr &a, const Expr &b)
{
    if (const auto isFirstGreater = comparison(Kind::GreaterEqual, a, b))
        return (isFirstGreater->integerValue() != 0) == (kind == Kind::Maximum) ? a : b;
    return makeExpr(kind, {a, b});
}

std::optional<Expr> bitwise(Arithmetic op, const Expr &a, const Expr &b)
{
    if (a.kind() != Kind::Integer || b.kind() != Kind::Integer)
        return std::nullopt;
    const std::int64_t x = a.integerValue(), y = b.integerValue();
    switch (op) {
    case Arithmetic::BitAnd:
        return Expr::integer(x & y);
    case Arithmetic::BitOr:
        return Expr::integer(x | y);
    case Arithmetic::BitXor:
        return Expr::integer(x ^ y);
    default:
        break;
    }
    if (y < 0 || y > 62)
        return std::nullopt;
    return op == Arithmetic::ShiftRight ? Expr::integer(x >> y)
                                        : makeExpr(Kind::Multiply, {a, Expr::integer(std::int64_t{1} << y)});
}

bool isLogic(Arithmetic op) { return op >= Arithmetic::LogicalAnd; }

/// Computes a logical operator, which one operand may decide alone.
std::optional<Expr> logic(Arithmetic op, const std::optional<Expr> &a, const std::optional<Expr> &b)
{
    const auto asBoolean = [](const std::optional<Expr> &e) -> std::optional<bool> {
        if (!e || !e->isConstant())
            return std::nullopt;
        return e->kind() == Kind::Float ? e->floatValue() != 0 : e->integerValue() != 0;
    };
    const auto x = asBoolean(a), y = asBoolean(b);
    const bool decisive = op == Arithmetic::LogicalOr;
    if (op != Arithmetic::LogicalXor && (x == decisive || y == decisive))
        return Expr::integer(decisive ? 1 : 0);
    if (!x || !y)
        return std::nullopt;
    return Expr::integer((op == Arithmetic::LogicalXor ? *x != *y : !decisive) ? 1 : 0);
}

std::optional<Expr> compute(Arithmetic op, const Expr &a, const Expr &b)
{
    switch (op) {
    case Arithmetic::Nothing:
        return std::nullopt;
    case Arithmetic::Add:
        return makeExpr(Kind::Add, {a, b});
    case Arithmetic::Subtract:
        return differenceExpr(a, b);
    case Arithmetic::Multiply:
        return makeExpr(Kind::Multiply, {a, b});
    case Arithmetic::TrueDivide:
        return makeExpr(Kind::TrueDivide, {a, b});
    case Arithmetic::FloorDivide:
        return makeExpr(Kind::FloorDivide, {a, b});
    case Arithmetic::TruncateDivide:
    case Arithmetic::Remainder:
        return truncated(op, a, b);
    case Arithmetic::Modulo:
        return makeExpr(Kind::Modulo, {a, b});
    case Arithmetic::Power:
        return makeExpr(Kind::Power, {a, b});
    case Arithmetic::Minimum:
        return extremeExpr(Kind::Minimum, a, b);
    case Arithmetic::Maximum:
        return extremeExpr(Kind::Maximum, a, b);
    case Arithmetic::BitAnd:
    case Arithmetic::BitOr:
    case Arithmetic::BitXor:
    case Arithmetic::ShiftLeft:
    case Arithmetic::ShiftRight:
        return bitwise(op, a, b);
    case Arithmetic::Equal:
        return comparison(Kind::Equal, a, b);
    case Arithmetic::NotEqual:
        return comparison(Kind::NotEqual, a, b);
    case Arithmetic::Less:
        return comparison(Kind::Less, a, b);
    case Arithmetic::LessEqual:
        return comparison(Kind::LessEqual, a, b);
    case Arithmetic::Greater:
        return comparison(Kind::Greater, a, b);
    case Arithmetic::GreaterEqual:
        return comparison(Kind::GreaterEqual, a, b);
    case Arithmetic::LogicalAnd:
    case Arithmetic::LogicalOr:
    case Arithmetic::LogicalXor:
        return logic(op, a, b);
    }
    return std::nullopt;
}

std::optional<Expr> compute(Function function, const Expr &a)
{
    switch (function) {
    case Function::Nothing:
        return std::nullopt;
    case Function::Copy:
        return a;
    case Function::Negate:
        return negativeExpr(a);
    case Function::Absolute:
        return isNotNegative(a) ? std::optional(a) : makeExpr(Kind::Absolute, {a});
    case Function::Sign:
        return a.kind() == Kind::Integer ? std::optional(Expr::integer((a.integerValue() > 0) - (a.integerValue() < 0)))
                                         : std::nullopt;
    case Function::Floor:
        return makeExpr(Kind::Floor, {a});
    case Function::Ceiling:
        return makeExpr(Kind::Ceiling, {a});
    case Function::Round:
        return makeExpr(Kind::Round, {a});
    case Function::Truncate:
        return makeExpr(Kind::Truncate, {a});
    case Function::Root:
        return makeExpr(Kind::Power, {a, Expr::floating(0.5)});
    case Function::BitNot:
        return a.kind() == Kind::Integer ? std::optional(Expr::integer(~a.integerValue())) : std::nullopt;
    case Function::LogicalNot:
        return comparison(Kind::Equal, a, Expr::integer(0));
    }
    return std::nullopt;
}

Dim wholeOr(double x)
{
    if (!std::isfinite(x))
        return ir::UnknownDim{};
    if (std::trunc(x) == x && std::fabs(x) < 0x1p53)
        return static_cast<std::int64_t>(x);
    return Expr::floating(x);
}

Dim toDim(const std::optional<Expr> &value)
{
    if (!value || value->depth() > maxFormulaDepth)
        return ir::UnknownDim{};
    if (value->kind() == Kind::Float)
        return wholeOr(value->floatValue());
    if (value->isConstant())
        return value->integerValue();
    return *value;
}

NumberFact toFact(NumberFact::Kind kind, const std::optional<Expr> &value)
{
    if (!value || value->depth() > maxFormulaDepth)
        return {kind, {}};
    const bool isConstant = value->isConstant();
    const bool isFloat = value->kind() == Kind::Float;
    switch (kind) {
    case NumberFact::Kind::Int:
        return intFact(toDim(value));
    case NumberFact::Kind::Bool:
        return boolFact(isConstant && !isFloat ? std::optional(value->integerValue() != 0) : std::nullopt);
    case NumberFact::Kind::Float:
        if (!isConstant)
            return {kind, Dim(*value)};
        return floatFact(isFloat ? value->floatValue() : static_cast<double>(value->integerValue()));
    default:
        return {kind, {}};
    }
}

bool isFloat(const Dim &dim)
{
    const auto *expr = std::get_if<Expr>(&dim);
    return expr && !expr->isIntegral();
}

/// Whether single precision computes the expression exactly where sizes are not huge: products with short fractions,
/// and quotients of integers, which never round up to the next integer.
bool isExactInSingle(const Expr &e)
{
    if (e.kind() == Kind::Float)
        return std::trunc(e.floatValue() * 1024) == e.floatValue() * 1024;
    if (e.kind() == Kind::TrueDivide)
        return std::ranges::all_of(e.operands(), &Expr::isIntegral);
    return std::ranges::all_of(e.operands(), isExactInSingle);
}

} // namespace

Dim compute(Arithmetic op, const Dim &a, const Dim &b)
{
    const bool areWhole = !isFloat(a) && !isFloat(b);
    // Integers are by far the most frequent, and need no formulas of floats.
    switch (areWhole ? op : Arithmetic::Nothing) {
    case Arithmetic::Add:
        return plus(a, b);
    case Arithmetic::Subtract:
        return minus(a, b);
    case Arithmetic::Multiply:
        return times(a, b);
    default:
        break;
    }
    if (isLogic(op))
        return toDim(logic(op, knownExpr(a), knownExpr(b)));
    if (!isKnown(a) || !isKnown(b))
        return ir::UnknownDim{};
    return toDim(compute(op, toExpr(a), toExpr(b)));
}

Dim compute(Function function, const Dim &a) { return isKnown(a) ? toDim(compute(function, toExpr(a))) : a; }

NumberFact compute(Arithmetic op, const NumberFact &a, const NumberFact &b, NumberFact::Kind result)
{
    const auto x = toExpr(a), y = toExpr(b);
    if (isLogic(op))
        return toFact(result, logic(op, x, y));
    return toFact(result, x && y ? compute(op, *x, *y) : std::nullopt);
}

NumberFact compute(Function function, const NumberFact &a, NumberFact::Kind result)
{
    const auto x = toExpr(a);
    return toFact(result, x ? compute(function, *x) : std::nullopt);
}

NumberFact convert(const NumberFact &number, NumberFact::Kind kind)
{
    const auto value = toExpr(number);
    if (number.kind == kind || !value)
        return {kind, number.kind == kind ? number.value : decltype(number.value)()};
    if (kind == NumberFact::Kind::Int)
        return toFact(kind, makeExpr(Kind::Truncate, {*value}));
    if (kind == NumberFact::Kind::Float)
        return toFact(kind, makeExpr(Kind::ToFloat, {*value}));
    return toFact(kind, comparison(Kind::NotEqual, *value, Expr::integer(0)));
}

Dim elementOf(const NumberFact &number) { return toDim(toExpr(number)); }

NumberFact numberOf(const Dim &element, NumberFact::Kind kind) { return toFact(kind, knownExpr(element)); }

Dim inSinglePrecision(const Dim &element)
{
    const auto *expr = std::get_if<Expr>(&element);
    if (const auto *whole = std::get_if<std::int64_t>(&element))
        return wholeOr(static_cast<float>(*whole));
    if (!expr)
        return element;
    if (expr->kind() == Kind::Float)
        return wholeOr(static_cast<float>(expr->floatValue()));
    return isExactInSingle(*expr) ? element : Dim(ir::UnknownDim{});
}

NumberFact::Kind commonKind(NumberFact::Kind a, NumberFact::Kind b)
{
    using enum NumberFact::Kind;
    for (const NumberFact::Kind kind : {Number, Complex, Float})
        if (a == kind || b == kind)
            return kind;
    return Int;
}

const NumberFact *asNumber(const Fact &fact)
{
    const auto *maybe = fact.as<MaybeFact>();
    return (maybe ? maybe->value.front() : fact).as<NumberFact>();
}

} // namespace cutaway::ops
