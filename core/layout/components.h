// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/plane.h"

namespace cutaway::layout {

/// A connected component, as a separate plane.
struct Component {
    Plane plane;
    std::vector<std::uint32_t> vertices; ///< by vertex of this plane: its index in the undivided plane
    std::vector<std::uint32_t> edges;
};

/// Returns the components of a plane. All components with First or Last vertices are merged into one, which comes
/// first.
std::vector<Component> componentsOf(const Plane &plane);

/// Arranges components side by side, in the number of rows that gives a good aspect ratio. `layouts`: one per
/// component.
PlaneLayout packed(const Plane &plane, const std::vector<Component> &components,
                   const std::vector<PlaneLayout> &layouts);

} // namespace cutaway::layout
