// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/rules.h"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

// Functions that the C++ library lacks.

namespace cutaway::compute {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Outside of its domain a function returns NaN, as in PyTorch.
using Policy =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

double bessel(double order, double x)
{
    constexpr double largest = 713; // the result of a larger number overflows
    return std::isnan(x) ? x : x > largest ? infinite : std::cyl_bessel_i(order, x);
}

} // namespace

double digamma(double x) { return x == 0 ? std::copysign(infinite, -x) : boost::math::digamma(x, Policy()); }

double besselI0(double x) { return bessel(0, std::abs(x)); }

double besselI1(double x) { return std::copysign(bessel(1, std::abs(x)), x); }

double normalDistribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// Returns -x·ln x, and its limits at 0 and for negative numbers.
double entropy(double x) { return std::isnan(x) ? x : x > 0 ? -x * std::log(x) : x == 0 ? 0 : -infinite; }

double inverseErrorFunction(double y) { return boost::math::erf_inv(y, Policy()); }

/// Computes the n-th derivative of digamma; for n of at least 1 only of positive numbers.
Answer polygamma(const Call &call)
{
    const Array *x = call.array("self");
    const auto n = call.facts().integer("n");
    if (!x || !n || *n < 0 || *n > 20)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    if (*n > 0 && std::ranges::any_of(floats, [](double a) { return !(a > 0) || std::isinf(a); }))
        return std::nullopt;
    for (double &a : floats)
        a = *n == 0 ? digamma(a) : boost::math::polygamma(static_cast<int>(*n), a, Policy());
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

} // namespace cutaway::compute
