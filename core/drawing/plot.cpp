// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/plot.h"

#include "core/drawing/markup.h"

#include <algorithm>
#include <cmath>

namespace cutaway::drawing {

namespace {

std::string textElement(double x, double y, std::string_view attributes, std::string_view content)
{
    return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" " + std::string(attributes) + ">"
        + markup(content) + "</text>";
}

std::string lineElement(double x1, double y1, double x2, double y2, std::string_view className)
{
    return "<path class=\"" + std::string(className) + "\" d=\"M" + coordinate(x1) + " " + coordinate(y1) + "L"
        + coordinate(x2) + " " + coordinate(y2) + "\"/>";
}

/// Returns the label without zeros after the decimal point, "8 MiB" for "8.00 MiB", since ticks are round numbers.
std::string tickText(std::string label)
{
    const std::size_t point = label.find('.');
    const std::size_t end = std::min(label.find_first_not_of("0123456789.", 0), label.size());
    if (point == std::string::npos || point > end)
        return label;
    const std::size_t last = label.find_last_not_of('0', end - 1);
    return label.erase(last == point ? point : last + 1, end - 1 - (last == point ? point - 1 : last));
}

} // namespace

double roundStep(double least)
{
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * 0.999)
            return factor * power;
    return 10 * power;
}

double Axis::place(double value) const
{
    if (scale == Scale::Logarithmic)
        return (std::log10(value) - std::log10(first)) / (std::log10(last) - std::log10(first));
    return (value - first) / (last - first);
}

std::vector<double> Axis::ticks(int count) const
{
    std::vector<double> found;
    if (scale == Scale::Logarithmic) {
        const double decadesInAll = std::log10(last / first);
        const int step = std::max(1, static_cast<int>(std::ceil(decadesInAll / count)));
        for (int power = static_cast<int>(std::ceil(std::log10(first) - 1e-9)); std::pow(10, power) <= last * 1.001;
             power += step)
            found.push_back(std::pow(10, power));
        return found;
    }
    const double least = (last - first) / count;
    const double step = scale == Scale::Binary ? std::exp2(std::ceil(std::log2(least))) : roundStep(least);
    const double lowest = std::ceil(first / step - 1e-9);
    for (int i = 0; (lowest + i) * step <= last * (1 + 1e-9); ++i)
        found.push_back((lowest + i) * step + 0.0); // adding 0 makes -0 a 0
    return found;
}

Axis fromZero(std::string title, double largest, Axis::Scale scale, std::function<std::string(double)> label)
{
    return {std::move(title), scale, 0, largest > 0 ? largest * 1.14 : 1, std::move(label)};
}

Axis decades(std::string title, double smallest, double largest, std::function<std::string(double)> label)
{
    const double first = std::pow(10, std::floor(std::log10(smallest)));
    const double last = std::pow(10, std::ceil(std::log10(largest)));
    return {std::move(title), Axis::Scale::Logarithmic, first, last > first ? last : first * 10, std::move(label)};
}

PlotArea::PlotArea(std::string_view description, double width, double height, Axis x, Axis y)
    : m_width(width),
      m_height(height),
      m_x(std::move(x)),
      m_y(std::move(y))
{
    m_out = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" width=\"" + coordinate(width)
        + "\" height=\"" + coordinate(height) + "\" viewBox=\"0 0 " + coordinate(width) + " " + coordinate(height)
        + "\"><title>" + markup(description) + "</title>\n";
    addAxes();
}

double PlotArea::x(double value) const { return margins.left + m_x.place(value) * (right() - margins.left); }
double PlotArea::y(double value) const { return bottom() - m_y.place(value) * (bottom() - margins.top); }

void PlotArea::addAxes()
{
    constexpr double pixelsPerTickX = 60, pixelsPerTickY = 32;
    for (const double tick : m_y.ticks(static_cast<int>((bottom() - margins.top) / pixelsPerTickY))) {
        m_out += lineElement(margins.left, y(tick), right(), y(tick), "grid");
        addText(margins.left - 8, y(tick) + 4, "end", "tick", tickText(m_y.label(tick)));
    }
    for (const double tick : m_x.ticks(static_cast<int>((right() - margins.left) / pixelsPerTickX))) {
        m_out += lineElement(x(tick), margins.top, x(tick), bottom(), "grid");
        addText(x(tick), bottom() + 16, "middle", "tick", tickText(m_x.label(tick)));
    }
    m_out += lineElement(margins.left, bottom(), right(), bottom(), "axis");
    addText((margins.left + right()) / 2, m_height - 8, "middle", "axis-title", m_x.title);
    const double middle = (margins.top + bottom()) / 2;
    m_out += textElement(0, 0,
                         "class=\"axis-title\" text-anchor=\"middle\" transform=\"translate(14 " + coordinate(middle)
                             + ") rotate(-90)\"",
                         m_y.title);
    m_out += "\n";
}

void PlotArea::addText(double atX, double atY, std::string_view anchor, std::string_view className,
                       std::string_view content)
{
    m_out += textElement(
        atX, atY, "class=\"" + std::string(className) + "\" text-anchor=\"" + std::string(anchor) + "\"", content);
}

std::string PlotArea::take()
{
    m_out += "</svg>\n";
    return std::move(m_out);
}

} // namespace cutaway::drawing
