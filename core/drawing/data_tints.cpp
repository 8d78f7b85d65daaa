// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/data_tints.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/drawing/colour_scale.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cutaway::drawing {

namespace {

/// The cells of the nodes of a part.
struct Contents {
    std::optional<double> number;
    std::size_t numbers = 0;
    std::optional<std::string> text;
    bool hasSeveralTexts = false;

    void add(const Contents &other, Sum sum)
    {
        if (other.number)
            number = number ? joined(*number, *other.number, sum) : other.number;
        numbers += other.numbers;
        hasSeveralTexts |= other.hasSeveralTexts || (text && other.text && *text != *other.text);
        if (!text)
            text = other.text;
    }

    static double joined(double a, double b, Sum sum)
    {
        if (sum == Sum::Total)
            return a + b;
        return std::isnan(a) ? a : std::isnan(b) ? b : std::max(a, b); // what is no number stands out
    }
};

/// A column is one of numbers only if it has no texts.
Contents contentsOf(const node_data::Cell &cell, bool isOfNumbers)
{
    if (std::holds_alternative<std::monostate>(cell))
        return {};
    if (!isOfNumbers)
        return {.number = {}, .text = node_data::print(cell)};
    return {.number = std::get<double>(cell), .numbers = 1, .text = {}};
}

class Tints {
public:
    Tints(const layout::Outline &outline, const node_data::Column &column, Sum sum, const Palette &palette)
        : m_sum(sum),
          m_isDark(palette.dark),
          m_texts(column.texts()),
          m_contents(outline.parts.size())
    {
        for (std::uint32_t node = 0; node < column.cells.size(); ++node)
            if (const std::uint32_t part = outline.partOfNode[node])
                m_contents[part] = contentsOf(column.cells[node], m_texts.empty());
        // Children come after their parents. A number of a node with regions is also that of what is in them.
        for (std::size_t i = outline.parts.size(); i-- > 1;) {
            const std::uint32_t parent = outline.parts[i].parent;
            if (parent > 0
                && !(std::holds_alternative<ir::NodeId>(outline.parts[parent].subject)
                     && isGiven(parent, column, outline)))
                m_contents[parent].add(m_contents[i], sum);
        }
        for (std::uint32_t i = 1; i < outline.parts.size(); ++i)
            m_parts.emplace(outline.parts[i].subject, i);
    }

    void setScale(const layout::Diagram &diagram)
    {
        for (const layout::Box &box : diagram.boxes)
            if (const auto *contents = contentsIn(box);
                contents && contents->number && std::isfinite(*contents->number)) {
                m_least = m_least ? std::min(*m_least, *contents->number) : *contents->number;
                m_most = m_most ? std::max(*m_most, *contents->number) : *contents->number;
            }
    }

    std::optional<Tint> of(const layout::Box &box) const
    {
        const Contents *contents = contentsIn(box);
        if (!contents)
            return {};
        if (contents->number)
            return ofNumber(*contents);
        if (!contents->text)
            return {};
        if (contents->hasSeveralTexts)
            return Tint{{}, m_isDark ? darkPalette().text : lightPalette().text, "several"};
        const auto place = std::ranges::find(m_texts, *contents->text) - m_texts.begin();
        const Rgb fill = kindColour(static_cast<std::size_t>(place), m_isDark);
        return Tint{fill, textOn(fill), sanitized(*contents->text)};
    }

private:
    static bool isGiven(std::uint32_t part, const node_data::Column &column, const layout::Outline &outline)
    {
        const auto *node = std::get_if<ir::NodeId>(&outline.parts[part].subject);
        return node && !std::holds_alternative<std::monostate>(column.cells[node->index]);
    }

    const Contents *contentsIn(const layout::Box &box) const
    {
        if (box.open)
            return nullptr;
        const auto found = m_parts.find(box.subject);
        return found == m_parts.end() ? nullptr : &m_contents[found->second];
    }

    Tint ofNumber(const Contents &contents) const
    {
        const double number = *contents.number;
        const double range = m_most && m_least ? *m_most - *m_least : 0;
        if (std::isnan(number))
            return {{}, m_isDark ? darkPalette().text : lightPalette().text, "nan"};
        const double share = !std::isfinite(number) ? (number > 0 ? 1.0 : 0.0)
            : range > 0                             ? (number - *m_least) / range
                                                    : 1.0;
        const Rgb fill = scaleColour(share, m_isDark);
        const bool isLargest = m_sum == Sum::Largest && contents.numbers > 1;
        return {fill, textOn(fill), formatted("{}{:.4g}", isLargest ? "max " : "", number)};
    }

    Sum m_sum;
    bool m_isDark;
    std::vector<std::string> m_texts;
    std::vector<Contents> m_contents; ///< by part
    std::map<layout::Subject, std::uint32_t> m_parts;
    std::optional<double> m_least, m_most; ///< of the boxes that are closed
};

} // namespace

std::vector<std::optional<Tint>> tintsOf(const layout::Diagram &diagram, const layout::Outline &outline,
                                         const node_data::Column &column, Sum sum, const Palette &palette)
{
    Tints tints(outline, column, sum, palette);
    tints.setScale(diagram);
    std::vector<std::optional<Tint>> all;
    for (const layout::Box &box : diagram.boxes)
        all.push_back(tints.of(box));
    return all;
}

} // namespace cutaway::drawing
