// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/figures.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/text_table.h"

#include <cmath>

namespace cutaway::print {

namespace {

using Text = std::string (*)(const ir::Dim &);

std::string boundText(Text text, const ir::Dim &figure, const ir::Dim &atLeast)
{
    const bool isBound = !ops::isKnown(figure) && ops::isKnown(atLeast) && ops::number(atLeast) != 0;
    return isBound ? "≥ " + text(atLeast) : text(figure);
}

std::string formula(const ir::Dim &dim)
{
    return ops::isKnown(dim) ? withoutBackquotes(sanitized(ir::print(dim))) : "?";
}

} // namespace

std::string flopText(const ir::Dim &flops)
{
    const auto n = ops::number(flops);
    return n ? withUnit(static_cast<double>(*n), "FLOP") : formula(flops);
}

std::string bytesText(const ir::Dim &bytes)
{
    const auto n = ops::number(bytes);
    return n ? byteCount(static_cast<double>(*n)) : formula(bytes);
}

std::string exactText(const ir::Dim &figure)
{
    const auto n = ops::number(figure);
    return n ? grouped(*n) : formula(figure);
}

std::string flopText(const ir::Dim &flops, const ir::Dim &atLeast) { return boundText(flopText, flops, atLeast); }

std::string bytesText(const ir::Dim &bytes, const ir::Dim &atLeast) { return boundText(bytesText, bytes, atLeast); }

std::string exactText(const ir::Dim &figure, const ir::Dim &atLeast) { return boundText(exactText, figure, atLeast); }

std::string percentText(double part) { return formatted("{:.1f} %", 100 * part); }

} // namespace cutaway::print
