// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/weights/rounding.h"

#include <algorithm>
#include <cmath>

namespace cutaway::diff {

namespace {

/// The number of binary digits of a dtype, and the exponent of its least normal number.
struct Digits {
    int count, least;
};

Digits digitsOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Float64:
        return {53, -1022};
    case ir::DType::Float16:
        return {11, -14};
    case ir::DType::BFloat16:
        return {8, -126};
    case ir::DType::Float8E4M3FN:
        return {4, -6};
    case ir::DType::Float8E5M2:
        return {3, -14};
    default:
        return {24, -126};
    }
}

} // namespace

double leastNormal(ir::DType dtype) { return std::ldexp(1.0, digitsOf(dtype).least); }

Extent extentOf(const Rounding &rounding)
{
    const int digits = std::min(digitsOf(rounding.before).count, digitsOf(rounding.after).count);
    return rounding.largestError <= std::ldexp(1.0, 1 - digits) ? Extent::Precision : Extent::Elements;
}

void addRounding(std::vector<Rounding> &sums, const Rounding &one)
{
    if (extentOf(one) != Extent::Precision)
        return;
    const auto known = std::ranges::find_if(
        sums, [&](const Rounding &each) { return each.before == one.before && each.after == one.after; });
    if (known == sums.end()) {
        sums.push_back(one);
        return;
    }
    ++known->weights;
    known->largestError = std::max(known->largestError, one.largestError);
}

double roundingOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Float64:
        return 1e-9;
    case ir::DType::Float16:
        return 1e-2;
    case ir::DType::BFloat16:
        return 5e-2;
    default:
        return 2e-5;
    }
}

} // namespace cutaway::diff
