// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/card.h"

#include "core/layout/metrics.h"

#include <algorithm>
#include <cmath>

namespace cutaway::layout {

namespace {

bool sharesRow(const std::vector<Line> &lines, std::size_t i)
{
    return i == 1 && lines[0].style == Line::Style::Title && lines[1].style == Line::Style::Muted;
}

double rowHeight(const Line &line) { return line.style == Line::Style::Title ? metrics::titleRow : metrics::smallRow; }

/// Returns the distance from a row's upper edge to the baseline, with the text centred in the row.
double ascent(const Line &line)
{
    const double font = line.style == Line::Style::Title ? metrics::titleFont : metrics::smallFont;
    return rowHeight(line) / 2 + font * 0.36;
}

/// Returns the left margin of the text in a box. It is wider in a pill, whose sides are round.
double inset(Box::Kind kind)
{
    const bool round = kind == Box::Kind::Input || kind == Box::Kind::Output;
    return round ? metrics::paddingX + 2 : metrics::paddingX;
}

std::size_t continuationStart(std::string_view text, std::size_t at)
{
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
        ++at;
    return at;
}

} // namespace

Size cardSize(const std::vector<Line> &lines, Box::Kind kind, const TextMeasure &measure)
{
    double width = 0;
    double height = 2 * metrics::paddingY;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        double rowWidth = measure(lines[i].text, lines[i].style);
        if (sharesRow(lines, i))
            rowWidth += measure(lines[0].text, lines[0].style) + metrics::titleGap;
        else
            height += rowHeight(lines[i]);
        width = std::max(width, rowWidth);
    }
    return {std::max(metrics::minCardWidth, std::ceil(width + 2 * inset(kind))), height};
}

double headerWidth(const std::vector<Line> &lines, const TextMeasure &measure)
{
    if (lines.empty())
        return 0;
    double width = measure(lines[0].text, lines[0].style) + 2 * metrics::paddingX;
    if (lines.size() > 1 && sharesRow(lines, 1))
        width += measure(lines[1].text, lines[1].style) + metrics::titleGap;
    return std::ceil(width);
}

std::vector<PlacedLine> placeLines(const Box &box, const TextMeasure &measure)
{
    std::vector<PlacedLine> placed;
    const double left = box.rect.x + inset(box.kind);
    double top = box.rect.y + (box.open ? metrics::titleInset : metrics::paddingY);
    double baseline = top;
    for (std::size_t i = 0; i < box.lines.size(); ++i) {
        const Line &line = box.lines[i];
        if (sharesRow(box.lines, i)) {
            const double x = left + measure(box.lines[0].text, box.lines[0].style) + metrics::titleGap;
            placed.push_back({i, {x, baseline}});
            continue;
        }
        if (box.open && i > 0)
            break;
        baseline = top + ascent(line);
        placed.push_back({i, {left, baseline}});
        top += rowHeight(line);
    }
    return placed;
}

std::string shortened(std::string_view text, std::size_t limit)
{
    const auto isStart = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    if (static_cast<std::size_t>(std::ranges::count_if(text, isStart)) <= limit)
        return std::string(text);
    const std::size_t half = limit / 2;
    std::size_t head = 0;
    for (std::size_t n = 0; n < half; ++n)
        head = continuationStart(text, head + 1);
    std::size_t tail = text.size();
    for (std::size_t n = 0; n < half && tail > head; ++n)
        do
            --tail;
        while (tail > head && !isStart(text[tail]));
    return std::string(text.substr(0, head)) + "…" + std::string(text.substr(tail));
}

} // namespace cutaway::layout
