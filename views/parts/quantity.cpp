// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/quantity.h"

#include "core/base/text.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"
#include "core/symbolic/evaluate.h"
#include "views/parts/text.h"

#include <QStringList>
#include <cmath>
#include <vector>

namespace cutaway::views {
namespace {

QString nameOf(Quantity::Unit unit)
{
    switch (unit) {
    case Quantity::Unit::Flop:
        return QStringLiteral("FLOP");
    case Quantity::Unit::Byte:
        return QStringLiteral("bytes");
    case Quantity::Unit::Second:
        return QStringLiteral("s");
    case Quantity::Unit::Ratio:
        return QStringLiteral("×");
    case Quantity::Unit::Share:
    case Quantity::Unit::Count:
        break;
    }
    return {};
}

/// Returns "2.51 GFLOP × batch" for a number times a short factor, else the symbols of the formula: "f(s0, s1)".
QString formulaText(const symbolic::Expr &formula, Quantity::Unit unit)
{
    constexpr qsizetype longest = 16;
    const bool hasNumber =
        formula.kind() == symbolic::Kind::Multiply && formula.operands()[0].kind() == symbolic::Kind::Integer;
    if (hasNumber) {
        std::vector<symbolic::Expr> rest(formula.operands().begin() + 1, formula.operands().end());
        const auto factor =
            rest.size() == 1 ? rest[0] : symbolic::Expr::make(symbolic::Kind::Multiply, std::move(rest));
        if (const QString text = shown(symbolic::print(factor)); text.size() <= longest)
            return numberText(unit, static_cast<double>(formula.operands()[0].integerValue())) + " × " + text;
    }
    QStringList names;
    for (const std::string &name : symbolic::symbolsOf(formula))
        names << shown(name);
    if (names.size() > 3)
        names = names.first(3) << QStringLiteral("…");
    return QStringLiteral("f(%1)").arg(names.join(QStringLiteral(", ")));
}

QString withUnit(const QString &number, Quantity::Unit unit)
{
    const QString name = nameOf(unit);
    return name.isEmpty() ? number : number + ' ' + name;
}

} // namespace

Quantity::Quantity(Unit is, const ir::Dim &dim) : unit(is)
{
    std::visit([this](const auto &known) { amount = known; }, dim);
}

Quantity::Quantity(Unit is, std::optional<double> number) : unit(is)
{
    if (number)
        amount = *number;
}

Quantity::Quantity(Unit is, const ir::Dim &dim, const ir::Dim &atLeast) : Quantity(is, dim)
{
    if (ops::isKnown(dim) || !ops::isKnown(atLeast) || ops::number(atLeast) == 0)
        return;
    *this = Quantity(is, atLeast);
    isAtLeast = true;
}

std::optional<double> Quantity::number() const
{
    if (const auto *whole = std::get_if<std::int64_t>(&amount))
        return static_cast<double>(*whole);
    const auto *real = std::get_if<double>(&amount);
    return real ? std::optional(*real) : std::nullopt;
}

std::optional<double> Quantity::numberOrExample() const
{
    const auto known = number();
    return known ? known : example;
}

QString Quantity::text() const
{
    const QString missed = missing > 0 ? QStringLiteral("%1 unknown").arg(shown(grouped(missing))) : QString();
    const auto *formula = std::get_if<symbolic::Expr>(&amount);
    QString known;
    // Below this number of seconds, a lower bound would read "at least less than 1 ns", which says nothing.
    constexpr double leastShown = 1e-9;
    const bool saysNothing = isAtLeast && unit == Unit::Second && number().value_or(leastShown) < leastShown;
    if (const auto exact = number(); exact && !saysNothing)
        known = numberText(unit, *exact);
    else if (example)
        known = exampleText(unit, *example);
    else if (formula)
        known = formulaText(*formula, unit);
    else
        return missed.isEmpty() ? QStringLiteral("?") : missed;
    if (isAtLeast)
        known.prepend(QStringLiteral("≥ "));
    return missed.isEmpty() ? known : known + " + " + missed;
}

QString Quantity::exactText() const
{
    const QString bound = isAtLeast ? QStringLiteral("≥ ") : QString();
    if (const auto *whole = std::get_if<std::int64_t>(&amount))
        return bound + withUnit(shown(grouped(*whole)), unit);
    if (const auto *real = std::get_if<double>(&amount))
        return bound + withUnit(QString::number(*real, 'g', 6), unit);
    if (const auto *formula = std::get_if<symbolic::Expr>(&amount))
        return bound + withUnit(shown(symbolic::print(*formula)), unit);
    return example ? bound + '~' + withUnit(QString::number(*example, 'g', 6), unit) : QStringLiteral("unknown");
}

QString secondsText(double seconds) { return shown(cutaway::secondsText(seconds)); }

QString exampleText(Quantity::Unit unit, double number)
{
    const QString text = numberText(unit, number);
    return text.startsWith('<') ? text : '~' + text;
}

QString numberText(Quantity::Unit unit, double number)
{
    switch (unit) {
    case Quantity::Unit::Flop:
        return shown(print::withUnit(number, "FLOP"));
    case Quantity::Unit::Byte:
        return shown(byteCount(number));
    case Quantity::Unit::Second:
        return secondsText(number);
    case Quantity::Unit::Share:
        return shown(print::percentText(number));
    case Quantity::Unit::Ratio:
        return shown(siCount(number)) + QStringLiteral(" ×");
    case Quantity::Unit::Count:
        break;
    }
    return shown(siCount(number));
}

} // namespace cutaway::views
