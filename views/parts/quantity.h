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
    bool isAtLeast = false;        ///< whether the amount is a lower bound of an unknown amount
    std::int64_t missing = 0;      ///< the number of unknown parts of a sum
    std::optional<double> example; ///< the number that a formula has at the model's example sizes

    Quantity() = default;
    Quantity(Unit is, const ir::Dim &dim);
    Quantity(Unit is, std::optional<double> number);
    /// Makes the quantity `dim` or, if unknown, its lower bound `atLeast`. A bound of 0 says nothing: it stays unknown.
    Quantity(Unit is, const ir::Dim &dim, const ir::Dim &atLeast);

    std::optional<double> number() const;
    /// Returns the number, or that of a formula at the example sizes; nothing if it is unknown.
    std::optional<double> numberOrExample() const;
    bool isFormula() const { return std::holds_alternative<symbolic::Expr>(amount); }
    /// Returns the text with its unit: "8.18 GFLOP", "97.5 MiB", "1.2 ms", "12.5 %", "1.8 ×". A formula is "~40.2
    /// GFLOP" at the example sizes, or without any "2.51 GFLOP × batch" or "f(s0, s1)". An unknown quantity is "?", or
    /// "≥ 4.1 GFLOP + 3 unknown" with a lower bound.
    QString text() const;
    /// Returns the unrounded text: "8,178,368,512 FLOP"; "40000*s0 FLOP"; "unknown".
    QString exactText() const;
};

/// Returns a number in a unit with an SI prefix, or for bytes a binary one: "8.18 GFLOP".
QString numberText(Quantity::Unit unit, double number);
/// Returns the number of a formula at the model's example sizes: "~8.18 GFLOP"; "< 1 ns" gets no "~".
QString exampleText(Quantity::Unit unit, double number);
/// Returns a time: "1.25 ms", "-40 µs".
QString secondsText(double seconds);

} // namespace cutaway::views
