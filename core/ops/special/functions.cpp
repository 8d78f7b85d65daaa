// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

// Functions that the C++ library lacks, by their series and expansions.

namespace cutaway::compute {

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// B(2k) of Bernoulli, from k = 1 on.
constexpr double bernoulli[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                5.0 / 66, -691.0 / 2730, 7.0 / 6,  -3617.0 / 510};

} // namespace

/// Shifted to where its expansion for large numbers holds; reflected where it is negative.
double digamma(double x)
{
    if (x == 0)
        return std::copysign(infinite, -x);
    if (x < 0) {
        if (x == std::floor(x))
            return notANumber;
        return digamma(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * (x - std::floor(x)));
    }
    double sum = 0;
    while (x < 10) {
        sum -= 1 / x;
        x += 1;
    }
    const double square = 1 / (x * x);
    double power = square;
    for (int k = 1; const double b : bernoulli) {
        sum -= b / (2 * k++) * power;
        power *= square;
    }
    return sum + std::log(x) - 0.5 / x;
}

namespace {

double bessel(double order, double x)
{
    constexpr double largest = 713; // of more the result is no double
    return std::isnan(x) ? x : x > largest ? infinite : std::cyl_bessel_i(order, x);
}

} // namespace

double besselI0(double x) { return bessel(0, std::abs(x)); }

double besselI1(double x) { return std::copysign(bessel(1, std::abs(x)), x); }

double normalDistribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// -x·ln x
double entropy(double x) { return std::isnan(x) ? x : x > 0 ? -x * std::log(x) : x == 0 ? 0 : -infinite; }

/// By Newton's method, from an approximation in the middle and at the ends.
double inverseErrorFunction(double y)
{
    if (std::isnan(y) || std::abs(y) > 1)
        return notANumber;
    if (std::abs(y) == 1)
        return std::copysign(infinite, y);
    constexpr double a = 0.147; // Winitzki's
    const double logarithm = std::log1p(-y * y), first = 2 / (std::numbers::pi * a) + logarithm / 2;
    double x = std::copysign(std::sqrt(std::max(std::sqrt(first * first - logarithm / a) - first, 0.0)), y);
    for (int i = 0; i < 4; ++i) {
        // Near the ends the difference to 1 is what counts.
        const double excess = y > 0.5 ? (1 - y) - std::erfc(x) : y < -0.5 ? std::erfc(-x) - (1 + y) : std::erf(x) - y;
        x -= excess / (2 * std::numbers::inv_sqrtpi * std::exp(-x * x));
    }
    return x;
}

namespace {

/// Σ 1/(k + x)^s for k = 0, 1, …, by Euler and Maclaurin; x > 0, s > 1.
double hurwitzZeta(double s, double x)
{
    double sum = 0;
    constexpr int terms = 12;
    for (int k = 0; k < terms; ++k)
        sum += std::pow(x + k, -s);
    const double end = x + terms;
    sum += std::pow(end, 1 - s) / (s - 1) + 0.5 * std::pow(end, -s);
    double rising = s, factorial = 2;
    for (int k = 1; const double b : bernoulli) {
        sum += b / factorial * rising * std::pow(end, -s - 2 * k + 1);
        rising *= (s + 2 * k - 1) * (s + 2 * k);
        factorial *= (2.0 * k + 1) * (2.0 * k + 2);
        ++k;
    }
    return sum;
}

} // namespace

/// The n-th derivative of digamma; from the first on of positive numbers only.
Answer polygamma(const Call &call)
{
    const Array *x = call.array("self");
    const auto n = call.facts().integer("n");
    if (!x || !n || *n < 0 || *n > 20)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    if (*n > 0 && std::ranges::any_of(floats, [](double a) { return !(a > 0) || std::isinf(a); }))
        return std::nullopt;
    const auto order = static_cast<double>(*n);
    const double sign = *n % 2 == 0 ? -1 : 1;
    for (double &a : floats)
        a = *n == 0 ? digamma(a) : sign * std::tgamma(order + 1) * hurwitzZeta(order + 1, a);
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

} // namespace cutaway::compute
