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
    Whole (*whole)(Whole); ///< gives integers
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

using MaybeWhole = std::optional<Whole>; ///< nothing where there is no result, as of a division by zero

/// A function of two operands.
struct Binary {
    double (*real)(double, double); ///< nullptr: only for integers
    MaybeWhole (*whole)(Whole, Whole);
};
extern const Binary add, atan2, bitAnd, bitOr, bitXor, maximum, minimum, multiply, power, subtract;
extern const Binary numberMaximum, numberMinimum; ///< NaN loses against a number
extern const Binary copySign, hypotenuse, logAddExp, logAddExp2, xLogY, xLog1pY, heaviside;
extern const Binary commonDivisor, commonMultiple, shiftLeft, shiftRight; ///< only for integers
extern const Binary divide, floorDivide, truncateDivide;  ///< for integers rounded towards zero, unless the name says
                                                          ///< otherwise
extern const Binary flooredRemainder, truncatedRemainder; ///< with the sign of the divisor, of the dividend

using FloatSpan = std::span<const double>;
using WholeSpan = std::span<const Whole>;

/// A function of a run of elements.
struct Reduction {
    double (*real)(FloatSpan);
    Whole (*whole)(WholeSpan) = nullptr; ///< nullptr: integers are made floats
    bool mayBeEmpty = true;              ///< whether the run may have no elements
    bool inResultType = false;           ///< the elements are converted to the result's dtype before
};
extern const Reduction all, any, countOfNotZero, largest, mean, positionOfLargest, positionOfSmallest, product,
    smallest, sum;
extern const Reduction logOfSum, logOfSumOfExponentials, rootOfSumOfSquares, sumOfAbsolutes, sumOfSquares;

} // namespace cutaway::compute
