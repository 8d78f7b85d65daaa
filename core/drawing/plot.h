// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::drawing {

/// One axis of a plot: maps a number to a position between 0 and 1 and has ticks at round numbers.
struct Axis {
    enum class Scale : std::uint8_t {
        Linear,
        Binary,
        Logarithmic
    }; ///< Binary is linear, with ticks at round numbers of KiB or MiB
    std::string title;
    Scale scale = Scale::Linear;
    double first = 0, last = 1;                    ///< the ends of the axis, positive if it is logarithmic
    std::function<std::string(double)> label = {}; ///< returns the text of a tick

    double place(double value) const;
    /// Returns round numbers from `first` to `last`, about `count` at most.
    std::vector<double> ticks(int count) const;
};

/// Makes an axis: fromZero() a linear one from zero to slightly above `largest`, decades() a logarithmic one with whole
/// decades around both numbers.
Axis fromZero(std::string title, double largest, Axis::Scale scale, std::function<std::string(double)> label);
Axis decades(std::string title, double smallest, double largest, std::function<std::string(double)> label);

/// Returns the smallest 1, 2 or 5 times a power of ten that is at least `least`, up to rounding errors.
double roundStep(double least);

/// An SVG with two axes and a grid. Further items are drawn above the grid, in the order of the calls.
class PlotArea {
public:
    PlotArea(std::string_view description, double width, double height, Axis x, Axis y);

    double x(double value) const;
    double y(double value) const;
    double right() const { return m_width - margins.right; }
    double bottom() const { return m_height - margins.bottom; }
    const Axis &xAxis() const { return m_x; }
    const Axis &yAxis() const { return m_y; }

    void add(std::string_view element) { m_out += element; }
    /// Adds text at a point of the picture; `anchor` is "start", "middle" or "end".
    void addText(double atX, double atY, std::string_view anchor, std::string_view className, std::string_view text);
    std::string take();

    struct Margins {
        double left, top, right, bottom;
    };
    static constexpr Margins margins{96, 14, 24, 44};

private:
    void addAxes();

    double m_width, m_height;
    Axis m_x, m_y;
    std::string m_out;
};

} // namespace cutaway::drawing
