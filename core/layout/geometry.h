// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::layout {

/// Points and rectangles of a diagram, in pixels at 100 %, y downwards.
struct Point {
    double x = 0;
    double y = 0;
    bool operator==(const Point &) const = default;
};

struct Size {
    double width = 0;
    double height = 0;
    bool operator==(const Size &) const = default;
};

struct Rect {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    Point center() const { return {x + width / 2, y + height / 2}; }
    bool contains(Point p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }
    bool intersects(const Rect &o) const
    {
        return x <= o.right() && o.x <= right() && y <= o.bottom() && o.y <= bottom();
    }
    Rect moved(double dx, double dy) const { return {x + dx, y + dy, width, height}; }
    bool operator==(const Rect &) const = default;
};

} // namespace cutaway::layout
