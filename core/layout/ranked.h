// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/plane.h"

#include <stop_token>

namespace cutaway::layout {

/// Returns the row of each vertex, 0 on top: one below the lowest of its predecessors; a source is one above its
/// highest successor. Edges that close a cycle are ignored. O(vertices + edges).
std::vector<std::uint32_t> rowsOf(const Plane &plane);

/// Places a plane row by row; see ranked.cpp. Always succeeds; if stopped early, the picture is worse. O(n log n) in
/// vertices plus rows crossed by edges.
PlaneLayout placeByRows(const Plane &plane, std::stop_token stop = {});

} // namespace cutaway::layout
