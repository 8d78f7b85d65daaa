// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"

/// Functions of numbers, which the templates of rules.h apply to tensors. Floats are computed in double precision, and
/// whole numbers wrap around as those of torch do.
namespace cutaway::compute {

/// A function of each element.
struct Unary {
    double (*real)(double);
    Whole (*whole)(Whole); ///< gives whole numbers
};
extern const Unary abs, ceil, floor, neg, relu, sign, square, trunc;

// Functions whose results are floats, of whole numbers too.
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
    double (*real)(double, double); ///< nullptr: only of whole numbers
    MaybeWhole (*whole)(Whole, Whole);
};
extern const Binary add, atan2, bitAnd, bitOr, bitXor, maximum, minimum, multiply, power, subtract;
extern const Binary numberMaximum, numberMinimum; ///< what is not a number loses
extern const Binary copySign, hypotenuse, logAddExp, logAddExp2, xLogY, xLog1pY, heaviside;
extern const Binary commonDivisor, commonMultiple, shiftLeft, shiftRight; ///< of whole numbers only
extern const Binary divide, floorDivide, truncateDivide;  ///< of whole numbers rounded towards zero, if not said
extern const Binary flooredRemainder, truncatedRemainder; ///< with the sign of the divisor, of the dividend

using FloatSpan = std::span<const double>;
using WholeSpan = std::span<const Whole>;

/// What a run of elements becomes.
struct Reduction {
    double (*real)(FloatSpan);
    Whole (*whole)(WholeSpan) = nullptr; ///< nullptr: whole numbers are made floats
    bool mayBeEmpty = true;              ///< the run
    bool inResultType = false;           ///< the elements are converted to the result's dtype before
};
extern const Reduction all, any, countOfNotZero, largest, mean, positionOfLargest, positionOfSmallest, product,
    smallest, sum;
extern const Reduction logOfSum, logOfSumOfExponentials, rootOfSumOfSquares, sumOfAbsolutes, sumOfSquares;

} // namespace cutaway::compute
