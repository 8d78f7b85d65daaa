// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <QString>
#include <optional>
#include <variant>

namespace cutaway::views {

/// An amount with its unit: a number, a formula over symbols without a value, or unknown.
struct Quantity {
    enum class Unit { Count, Flop, Byte, Second, Share, Ratio };
    Unit unit = Unit::Count;
    std::variant<ir::UnknownDim, std::int64_t, symbolic::Expr, double> amount;
    bool isAtLeast = false;        ///< the amount is a lower bound of what is not known
    std::int64_t missing = 0;      ///< so many parts of a sum are not known
    std::optional<double> example; ///< the number that a formula has at the model's example sizes

    Quantity() = default;
    Quantity(Unit is, const ir::Dim &dim);
    Quantity(Unit is, std::optional<double> number);
    /// The lower bound where the amount is not known; a bound of 0 says nothing.
    Quantity(Unit is, const ir::Dim &dim, const ir::Dim &atLeast);

    std::optional<double> number() const;
    /// The number, or that at the example sizes.
    std::optional<double> numberOrExample() const;
    bool isFormula() const { return std::holds_alternative<symbolic::Expr>(amount); }
    /// "8.18 GFLOP", "97.5 MiB", "1.2 ms", "12.5 %", "1.8 ×"; "~40.2 GFLOP" at the example sizes, and without any a
    /// formula as "2.51 GFLOP × batch" or "f(s0, s1)"; "?" if it is unknown, "≥ 4.1 GFLOP + 3 unknown" if only a lower
    /// bound is known.
    QString text() const;
    /// "8,178,368,512 FLOP"; "40000*s0 FLOP"; "unknown".
    QString exactText() const;
};

/// A number in a unit with an SI prefix, bytes in binary units: "8.18 GFLOP".
QString numberText(Quantity::Unit unit, double number);
/// The number of a formula at the model's example sizes: "~8.18 GFLOP"; "< 1 ns" as it is.
QString exampleText(Quantity::Unit unit, double number);
/// "1.25 ms", "-40 µs"
QString secondsText(double seconds);

} // namespace cutaway::views
