// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"

/// Functions of numbers, which the templates of rules.h apply to tensors. Floats are computed in double precision, and
/// integers wrap around as those of torch do.
namespace cutaway::compute {

/// A function of each element.
struct Unary {
    double (*real)(double);
    Whole (*whole)(Whole); ///< for integers, which stay integers
};
extern const Unary abs, ceil, floor, neg, relu, sign, square, trunc;

// Functions whose results are floats, for integers too.
double cubeRoot(double x);
double degrees(double x);
double fraction(double x);
double hardSwish(double x);
double logSigmoid(double x);
double mish(double x);
double radians(double x);
double reciprocal(double x);
double relu6(double x);
double rsqrt(double x);
double sigmoid(double x);
double silu(double x);
double sinc(double x);
double softSign(double x);

bool isZero(double x);
bool isNotANumber(double x);
bool isInfinite(double x);
bool isPositiveInfinity(double x);
bool isNegativeInfinity(double x);
bool isFinite(double x);
bool hasSignBit(double x);

using MaybeWhole = std::optional<Whole>; ///< nothing: the operation has no result, as for a division by zero

/// A function of two operands.
struct Binary {
    double (*real)(double, double); ///< nullptr: only for integers
    MaybeWhole (*whole)(Whole, Whole);
};
extern const Binary add, atan2, bitAnd, bitOr, bitXor, maximum, minimum, multiply, power, subtract;
extern const Binary numberMaximum, numberMinimum; ///< the result is the number if the other operand is NaN
extern const Binary copySign, hypotenuse, logAddExp, logAddExp2, xLogY, xLog1pY, heaviside;
extern const Binary commonDivisor, commonMultiple, shiftLeft, shiftRight; ///< only for integers
/// Quotients of integers are rounded towards zero, unless the name states otherwise.
extern const Binary divide, floorDivide, truncateDivide;
/// The sign is that of the divisor (floored) or of the dividend (truncated).
extern const Binary flooredRemainder, truncatedRemainder;

using FloatSpan = std::span<const double>;
using WholeSpan = std::span<const Whole>;

/// A function that reduces a run of elements to one.
struct Reduction {
    double (*real)(FloatSpan);
    Whole (*whole)(WholeSpan) = nullptr; ///< nullptr: integers are converted to floats
    bool mayBeEmpty = true;              ///< whether a run without elements has a result
    bool inResultType = false;           ///< whether the elements are converted to the result's dtype first
};
extern const Reduction all, any, countOfNotZero, largest, mean, positionOfLargest, positionOfSmallest, product,
    smallest, sum;
extern const Reduction logOfSum, logOfSumOfExponentials, rootOfSumOfSquares, sumOfAbsolutes, sumOfSquares;

} // namespace cutaway::compute
