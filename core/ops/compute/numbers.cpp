// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

namespace cutaway::compute {

// ---- one operand

namespace {

Whole negated(Whole x) { return static_cast<Whole>(0 - bits(x)); }
Whole same(Whole x) { return x; }
double signOf(double x) { return static_cast<double>((x > 0) - (x < 0)); } // the sign of NaN is 0
double limited(double x, double low, double high) { return std::isnan(x) ? x : std::clamp(x, low, high); }

} // namespace

const Unary abs{[](double x) { return std::abs(x); }, [](Whole x) { return x < 0 ? negated(x) : x; }};
const Unary ceil{[](double x) { return std::ceil(x); }, same};
const Unary floor{[](double x) { return std::floor(x); }, same};
const Unary neg{[](double x) { return -x; }, negated};
const Unary relu{[](double x) { return x < 0 ? 0 : x; }, [](Whole x) { return std::max(x, Whole{0}); }};
const Unary sign{signOf, [](Whole x) { return static_cast<Whole>((x > 0) - (x < 0)); }};
const Unary square{[](double x) { return x * x; }, [](Whole x) { return static_cast<Whole>(bits(x) * bits(x)); }};
const Unary trunc{[](double x) { return std::trunc(x); }, same};

double fraction(double x) { return x - std::trunc(x); }
double hardSwish(double x) { return x * limited(x + 3, 0, 6) / 6; }
double logSigmoid(double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }
double mish(double x) { return x * std::tanh(std::log1p(std::exp(x))); }
double reciprocal(double x) { return 1 / x; }
double relu6(double x) { return limited(x, 0, 6); }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double silu(double x) { return x * sigmoid(x); }
double softSign(double x) { return x / (1 + std::abs(x)); }

double cubeRoot(double x) { return std::cbrt(x); }
double degrees(double x) { return x * (180 / std::numbers::pi); }
double radians(double x) { return x * (std::numbers::pi / 180); }
double sinc(double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }

bool isZero(double x) { return x == 0; }
bool isNotANumber(double x) { return std::isnan(x); }
bool isInfinite(double x) { return std::isinf(x); }
bool isPositiveInfinity(double x) { return std::isinf(x) && x > 0; }
bool isNegativeInfinity(double x) { return std::isinf(x) && x < 0; }
bool isFinite(double x) { return std::isfinite(x); }
bool hasSignBit(double x) { return std::signbit(x); }

// ---- two operands

namespace {

/// Whether integer division gives a result: neither a division by zero nor an overflow.
bool divides(Whole a, Whole b) { return b != 0 && !(b == -1 && a == std::numeric_limits<Whole>::min()); }

MaybeWhole wholeTruncatedQuotient(Whole a, Whole b) { return divides(a, b) ? MaybeWhole(a / b) : std::nullopt; }

MaybeWhole wholeFlooredQuotient(Whole a, Whole b)
{
    return divides(a, b) ? MaybeWhole(a / b - (a % b != 0 && (a < 0) != (b < 0))) : std::nullopt;
}

MaybeWhole wholeTruncatedRemainder(Whole a, Whole b) { return divides(a, b) ? MaybeWhole(a % b) : std::nullopt; }

MaybeWhole wholeFlooredRemainder(Whole a, Whole b)
{
    const auto r = wholeTruncatedRemainder(a, b);
    return r && *r != 0 && (*r < 0) != (b < 0) ? *r + b : r;
}

double realFlooredRemainder(double a, double b)
{
    const double r = std::fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/// Subtracts the remainder first, like Python: 1 // 0.1 is 9, since 0.1 is a little more than a tenth.
double realFlooredQuotient(double a, double b)
{
    if (b == 0)
        return a / b;
    const double rest = std::fmod(a, b), exact = (a - rest) / b;
    const double quotient = rest != 0 && (rest < 0) != (b < 0) ? exact - 1 : exact;
    if (quotient == 0)
        return std::copysign(0, a / b);
    const double floored = std::floor(quotient);
    return quotient - floored > 0.5 ? floored + 1 : floored;
}

MaybeWhole wholePower(Whole base, Whole exponent)
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

double sumOfExponentials(double a, double b)
{
    if (std::isnan(a) || std::isnan(b))
        return std::numeric_limits<double>::quiet_NaN();
    const double top = std::max(a, b);
    return std::isinf(top) ? top : top + std::log1p(std::exp(std::min(a, b) - top));
}

/// Returns the absolute value, also of the smallest integer, whose absolute value int64 does not hold.
std::uint64_t sizeOf(Whole x) { return x < 0 ? 0 - bits(x) : bits(x); }

std::uint64_t greatestDivisor(Whole a, Whole b) { return std::gcd(sizeOf(a), sizeOf(b)); }

double larger(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : std::max(a, b); }
double smaller(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : std::min(a, b); }

} // namespace

const Binary add{[](double a, double b) { return a + b; },
                 [](Whole a, Whole b) -> MaybeWhole { return static_cast<Whole>(bits(a) + bits(b)); }};
const Binary subtract{[](double a, double b) { return a - b; },
                      [](Whole a, Whole b) -> MaybeWhole { return static_cast<Whole>(bits(a) - bits(b)); }};
const Binary multiply{[](double a, double b) { return a * b; },
                      [](Whole a, Whole b) -> MaybeWhole { return static_cast<Whole>(bits(a) * bits(b)); }};
const Binary divide{[](double a, double b) { return a / b; }, wholeTruncatedQuotient};
const Binary floorDivide{realFlooredQuotient, wholeFlooredQuotient};
const Binary truncateDivide{[](double a, double b) { return std::trunc(a / b); }, wholeTruncatedQuotient};
const Binary flooredRemainder{realFlooredRemainder, wholeFlooredRemainder};
const Binary truncatedRemainder{[](double a, double b) { return std::fmod(a, b); }, wholeTruncatedRemainder};
const Binary power{[](double a, double b) { return std::pow(a, b); }, wholePower};
const Binary atan2{[](double a, double b) { return std::atan2(a, b); }, nullptr};
const Binary maximum{larger, [](Whole a, Whole b) -> MaybeWhole { return std::max(a, b); }};
const Binary minimum{smaller, [](Whole a, Whole b) -> MaybeWhole { return std::min(a, b); }};
const Binary numberMaximum{[](double a, double b) { return std::isnan(a) ? b
                                                        : std::isnan(b)  ? a
                                                                         : std::max(a, b); },
                           [](Whole a, Whole b) -> MaybeWhole { return std::max(a, b); }};
const Binary numberMinimum{[](double a, double b) { return std::isnan(a) ? b
                                                        : std::isnan(b)  ? a
                                                                         : std::min(a, b); },
                           [](Whole a, Whole b) -> MaybeWhole { return std::min(a, b); }};
const Binary copySign{[](double a, double b) { return std::copysign(a, b); }, nullptr};
const Binary hypotenuse{[](double a, double b) { return std::hypot(a, b); }, nullptr};
const Binary logAddExp{sumOfExponentials, nullptr};
const Binary logAddExp2{[](double a, double b) {
                            return sumOfExponentials(a * std::numbers::ln2, b * std::numbers::ln2) / std::numbers::ln2;
                        },
                        nullptr};
const Binary xLogY{[](double a, double b) { return std::isnan(b) ? b : a == 0 ? 0 : a * std::log(b); }, nullptr};
const Binary xLog1pY{[](double a, double b) { return std::isnan(b) ? b : a == 0 ? 0 : a * std::log1p(b); }, nullptr};
const Binary heaviside{[](double a, double b) {
                           return a == 0 ? b : a > 0 ? 1.0 : 0.0; // a NaN also becomes 0
                       },
                       [](Whole a, Whole b) -> MaybeWhole { return a == 0 ? b : Whole{a > 0}; }};
const Binary commonDivisor{nullptr,
                           [](Whole a, Whole b) -> MaybeWhole { return static_cast<Whole>(greatestDivisor(a, b)); }};
const Binary commonMultiple{nullptr, [](Whole a, Whole b) -> MaybeWhole {
                                const std::uint64_t divisor = greatestDivisor(a, b);
                                return divisor == 0 ? 0 : static_cast<Whole>(sizeOf(a) / divisor * sizeOf(b));
                            }};
const Binary shiftLeft{nullptr, [](Whole a, Whole b) -> MaybeWhole {
                           return b >= 0 && b < 64 ? MaybeWhole(static_cast<Whole>(bits(a) << b)) : std::nullopt;
                       }};
const Binary shiftRight{
    nullptr, [](Whole a, Whole b) -> MaybeWhole { return b >= 0 && b < 64 ? MaybeWhole(a >> b) : std::nullopt; }};
const Binary bitAnd{nullptr, [](Whole a, Whole b) -> MaybeWhole { return a & b; }};
const Binary bitOr{nullptr, [](Whole a, Whole b) -> MaybeWhole { return a | b; }};
const Binary bitXor{nullptr, [](Whole a, Whole b) -> MaybeWhole { return a ^ b; }};

// ---- runs of elements

namespace {

double total(FloatSpan x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double totalOfSquares(FloatSpan x) { return std::inner_product(x.begin(), x.end(), x.begin(), 0.0); }

double totalOfAbsolutes(FloatSpan x)
{
    return std::accumulate(x.begin(), x.end(), 0.0, [](double sum, double a) { return sum + std::abs(a); });
}

template <bool isLargest>
std::size_t positionOfExtreme(FloatSpan x)
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < x.size() && !std::isnan(x[best]); ++i)
        if (std::isnan(x[i]) || (isLargest ? x[i] > x[best] : x[i] < x[best]))
            best = i;
    return best;
}

template <bool isLargest>
double extremeOf(FloatSpan x)
{
    return x[positionOfExtreme<isLargest>(x)];
}

template <bool isLargest>
double positionAsFloat(FloatSpan x)
{
    return static_cast<double>(positionOfExtreme<isLargest>(x));
}

double logOfExponentials(FloatSpan x)
{
    const double top = extremeOf<true>(x);
    if (std::isinf(top))
        return top;
    return top + std::log(std::accumulate(x.begin(), x.end(), 0.0, [&](double sum, double a) {
               return sum + std::exp(a - top);
           }));
}

Whole wholeTotal(WholeSpan x)
{
    return static_cast<Whole>(std::accumulate(x.begin(), x.end(), std::uint64_t{0},
                                              [](std::uint64_t sum, Whole a) { return sum + bits(a); }));
}

Whole wholeProduct(WholeSpan x)
{
    return static_cast<Whole>(std::accumulate(x.begin(), x.end(), std::uint64_t{1},
                                              [](std::uint64_t product, Whole a) { return product * bits(a); }));
}

bool isNotZero(double x) { return x != 0; }

} // namespace

const Reduction sum{.real = total, .whole = wholeTotal, .inResultType = true};
const Reduction product{.real = [](FloatSpan x) { return std::accumulate(x.begin(), x.end(), 1.0, std::multiplies()); },
                        .whole = wholeProduct,
                        .inResultType = true};
const Reduction mean{.real = [](FloatSpan x) { return total(x) / static_cast<double>(x.size()); }};
const Reduction any{.real = [](FloatSpan x) { return std::ranges::any_of(x, isNotZero) ? 1.0 : 0.0; }};
const Reduction all{.real = [](FloatSpan x) { return std::ranges::all_of(x, isNotZero) ? 1.0 : 0.0; }};
const Reduction countOfNotZero{
    .real = [](FloatSpan x) { return static_cast<double>(std::ranges::count_if(x, isNotZero)); },
    .whole = [](WholeSpan x) { return static_cast<Whole>(x.size()) - std::ranges::count(x, 0); }};
const Reduction sumOfAbsolutes{.real = totalOfAbsolutes};
const Reduction sumOfSquares{.real = totalOfSquares};
const Reduction rootOfSumOfSquares{.real = [](FloatSpan x) { return std::sqrt(totalOfSquares(x)); }};
const Reduction logOfSum{.real = [](FloatSpan x) { return std::log(total(x)); }};
const Reduction logOfSumOfExponentials{.real = logOfExponentials, .mayBeEmpty = false};
const Reduction largest{
    .real = extremeOf<true>, .whole = [](WholeSpan x) { return std::ranges::max(x); }, .mayBeEmpty = false};
const Reduction smallest{
    .real = extremeOf<false>, .whole = [](WholeSpan x) { return std::ranges::min(x); }, .mayBeEmpty = false};
const Reduction positionOfLargest{.real = positionAsFloat<true>, .mayBeEmpty = false};
const Reduction positionOfSmallest{.real = positionAsFloat<false>, .mayBeEmpty = false};

} // namespace cutaway::compute
