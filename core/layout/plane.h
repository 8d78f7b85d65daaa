// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/geometry.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cutaway::layout {

/// One level of a diagram as a plain graph of fixed-size rectangles: the input of a layout algorithm.
struct PlaneVertex {
    enum class Rank : std::uint8_t { Free, First, Last };
    Size size{};
    Rank rank = Rank::Free;
    std::vector<double> topPorts{}; ///< x from the left side, ascending, for edges that name a port
    std::vector<double> bottomPorts{};
};

/// An edge between two vertices, given by their indices, or by ports of theirs.
struct PlaneEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::optional<std::uint32_t> fromPort{}; ///< index into the source's bottomPorts
    std::optional<std::uint32_t> toPort{};
    double labelWidth = 0; ///< space to reserve on its right side
};

/// The vertices inside one open box and the edges between them, which are laid out together.
struct Plane {
    std::vector<PlaneVertex> vertices;
    std::vector<PlaneEdge> edges;
    bool alignTops = false; ///< align boxes of a row by their upper sides instead of their centres
};

/// Positions of everything in a plane, y downwards, upper left corner at 0, 0.
struct PlaneLayout {
    Size size;
    std::vector<Point> centers;             ///< one per vertex
    std::vector<std::vector<Point>> curves; ///< one per edge: cubic Bézier, see Edge::points
};

/// The x offset of an edge's port from its vertex's centre; nothing without a port.
std::optional<double> portOffset(const PlaneVertex &vertex, const std::vector<double> &ports,
                                 std::optional<std::uint32_t> port);

/// Moves everything so that the upper left corner of what is drawn is at 0, 0, and sets the size, labels included.
void normalize(const Plane &plane, PlaneLayout &layout);

} // namespace cutaway::layout
