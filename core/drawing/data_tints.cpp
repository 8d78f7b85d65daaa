// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/data_tints.h"

#include "core/base/text.h"
#include "core/drawing/colour_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace cutaway::drawing {

namespace {

/// A scale becomes logarithmic if its largest number is at least this many times its smallest positive one. On a linear
/// scale most of the numbers would then have nearly the same colour.
constexpr double farApart = 1000;

/// The contents of a part's cells: the sum or the maximum of their numbers, or their common text.
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
        return std::isnan(a) ? a : std::isnan(b) ? b : std::max(a, b); // a NaN wins, so that it is visible
    }
};

/// Returns the contents of one cell. `isOfNumbers`: whether the column has no texts; otherwise its numbers are treated
/// as texts.
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
          m_unit(column.unit),
          m_texts(column.texts()),
          m_contents(outline.parts.size())
    {
        const auto nodes = static_cast<std::uint32_t>(std::min(column.cells.size(), outline.partOfNode.size()));
        for (std::uint32_t node = 0; node < nodes; ++node)
            if (const std::uint32_t part = outline.partOfNode[node])
                m_contents[part] = contentsOf(column.cells[node], m_texts.empty());
        // Going backwards, children are reached before their parents.
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
        double leastPositive = std::numeric_limits<double>::infinity();
        for (const layout::Box &box : diagram.boxes) {
            const auto *contents = contentsIn(box);
            if (!contents || !contents->number || !std::isfinite(*contents->number))
                continue;
            const double number = *contents->number;
            m_scale = m_scale.value_or(Scale{number, number});
            m_scale->least = std::min(m_scale->least, number);
            m_scale->most = std::max(m_scale->most, number);
            if (number > 0)
                leastPositive = std::min(leastPositive, number);
        }
        if (m_scale && m_sum == Sum::Largest && m_scale->least >= 0 && m_scale->most / leastPositive >= farApart)
            m_scale = Scale{leastPositive, m_scale->most, Scale::Kind::Logarithmic};
        if (m_scale && m_scale->least < 0) {
            const double largest = std::max(-m_scale->least, m_scale->most);
            m_scale = Scale{-largest, largest, Scale::Kind::AroundZero};
        }
    }

    const std::optional<Scale> &scale() const { return m_scale; }

    std::vector<KindTint> kinds() const
    {
        std::vector<KindTint> kinds;
        for (const std::string &text : m_texts)
            kinds.push_back({sanitized(text), kindColour(kinds.size(), m_isDark)});
        return kinds;
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
        return node && node->index < column.cells.size()
            && !std::holds_alternative<std::monostate>(column.cells[node->index]);
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
        if (std::isnan(number))
            return {{}, m_isDark ? darkPalette().text : lightPalette().text, "nan"};
        const Scale scale = m_scale.value_or(Scale{});
        const Rgb fill = scale.colour(scale.share(number), m_isDark);
        const bool isLargest = m_sum == Sum::Largest && contents.numbers > 1;
        return {fill, textOn(fill), (isLargest ? "max " : "") + node_data::shortText(number, m_unit)};
    }

    Sum m_sum;
    bool m_isDark;
    node_data::Unit m_unit;
    std::vector<std::string> m_texts;
    std::vector<Contents> m_contents; ///< by part
    std::map<layout::Subject, std::uint32_t> m_parts;
    std::optional<Scale> m_scale; ///< the scale over the closed boxes
};

} // namespace

double Scale::share(double number) const
{
    if (!std::isfinite(number))
        return number > 0 ? 1 : 0;
    if (!(most > least))
        return most == 0 ? 0 : 1;
    if (kind != Kind::Logarithmic)
        return (number - least) / (most - least);
    return number > least ? std::log(number / least) / std::log(most / least) : 0;
}

Rgb Scale::colour(double share, bool dark) const
{
    return kind == Kind::AroundZero ? signedColour(2 * share - 1, dark) : scaleColour(share, dark);
}

DataTints tintsOf(const layout::Diagram &diagram, const layout::Outline &outline, const node_data::Column &column,
                  Sum sum, const Palette &palette)
{
    Tints tints(outline, column, sum, palette);
    tints.setScale(diagram);
    DataTints all{{}, tints.scale(), tints.kinds(), column.unit};
    for (const layout::Box &box : diagram.boxes)
        all.boxes.push_back(tints.of(box));
    return all;
}

} // namespace cutaway::drawing
