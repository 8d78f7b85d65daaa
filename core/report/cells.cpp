// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/cells.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/print/figures.h"

namespace cutaway::report {

namespace {

constexpr std::size_t maxFormulaLength = 40;
/// The limit of characters of an exact formula in a cell: thousands of longer ones would make a page slow. The summary,
/// JSON and CSV have formulas in full.
constexpr std::size_t maxExactLength = 400;

Cell costCell(const std::string &text, const ir::Dim &dim, const ir::Dim &atLeast, const request::ExampleSizes &example)
{
    const std::string shown = shortened(text, maxFormulaLength);
    std::string exact = shortened(print::exactText(dim, atLeast), maxExactLength);
    const bool isBound = !ops::isKnown(dim) && ops::number(atLeast) != 0;
    return {shown, exact == shown ? "" : std::move(exact), example.of(isBound ? atLeast : dim)};
}

Cell withUnknown(Cell cell, std::int64_t count)
{
    if (count == 0)
        return cell;
    const std::string unknown = grouped(count) + " unknown";
    return cell.order == 0.0 ? Cell{unknown} : Cell{cell.text + " + " + unknown, cell.exact, cell.order};
}

} // namespace

std::string joinedPair(std::string_view a, std::string_view b, std::string_view between)
{
    return sanitized(std::string(a) + std::string(a.empty() || b.empty() ? "" : between) + std::string(b));
}

std::string shortened(const std::string &text, std::size_t most)
{
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
        if (begins && ++characters == most && text.size() > i + 1)
            return text.substr(0, i) + "…";
    }
    return text;
}

Cell flopCell(const ir::Dim &flops, const request::ExampleSizes &example, const ir::Dim &atLeast)
{
    return costCell(print::flopText(flops, atLeast), flops, atLeast, example);
}

Cell bytesCell(const ir::Dim &bytes, const request::ExampleSizes &example, const ir::Dim &atLeast)
{
    return costCell(print::bytesText(bytes, atLeast), bytes, atLeast, example);
}

Cell secondsCell(std::optional<double> seconds)
{
    return seconds ? Cell{print::secondsText(*seconds), formatted("{:g} s", *seconds), seconds} : Cell{"?"};
}

Cell countCell(std::int64_t n) { return {grouped(n), "", static_cast<double>(n)}; }

Cell largeCountCell(std::int64_t n)
{
    return n == 0 ? Cell{"", "", 0.0} : Cell{siCount(static_cast<double>(n)), grouped(n), static_cast<double>(n)};
}

ir::Dim bytesMoved(const ops::Cost &cost) { return ops::plus(cost.bytesRead, cost.bytesWritten); }

Cell flopCell(const CostSum &sum, const request::ExampleSizes &example)
{
    return withUnknown(flopCell(sum.cost.flops, example), sum.uncounted);
}

Cell otherFlopCell(const CostSum &sum, const request::ExampleSizes &example)
{
    return withUnknown(flopCell(sum.cost.otherFlops, example), sum.uncounted);
}

Cell bytesCell(const CostSum &sum, const request::ExampleSizes &example)
{
    return withUnknown(bytesCell(bytesMoved(sum.cost), example), sum.unmoved);
}

Cell secondsCell(const CostSum &sum) { return withUnknown(secondsCell(sum.seconds), sum.untimed); }

} // namespace cutaway::report
