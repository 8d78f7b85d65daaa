// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/geometry.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cutaway::layout {

/// A box as a layout algorithm sees it: a rectangle of fixed size.
struct PlaneVertex {
    enum class Rank : std::uint8_t { Free, First, Last };
    Size size{};
    Rank rank = Rank::Free;
    std::vector<double> topPorts{}; ///< the x of the ports from the left side, ascending
    std::vector<double> bottomPorts{};
};

/// An edge between two vertices or ports, given by indices.
struct PlaneEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::optional<std::uint32_t> fromPort{}; ///< index into the source's bottomPorts
    std::optional<std::uint32_t> toPort{};
    double labelWidth = 0; ///< the width to reserve on the right side for a label
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
    std::vector<std::vector<Point>> curves; ///< by edge: cubic Béziers, see Edge::points
};

/// Returns the x offset of an edge's port from its vertex's centre; nothing if the edge has no port.
std::optional<double> portOffset(const PlaneVertex &vertex, const std::vector<double> &ports,
                                 std::optional<std::uint32_t> port);

/// Moves everything so that the upper left corner of the drawing is at 0, 0, and sets the size, labels included.
void normalize(const Plane &plane, PlaneLayout &layout);

} // namespace cutaway::layout
