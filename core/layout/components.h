// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/plane.h"

namespace cutaway::layout {

/// A part of a plane that nothing connects to the rest, as a plane of its own.
struct Component {
    Plane plane;
    std::vector<std::uint32_t> vertices; ///< in the whole plane, by number in this one
    std::vector<std::uint32_t> edges;
};

/// The components of a plane; all that have First or Last vertices together are one, the first.
std::vector<Component> componentsOf(const Plane &plane);

/// Components side by side in as many rows as make a picture of a pleasant shape. `layouts`: one per component.
PlaneLayout packed(const Plane &plane, const std::vector<Component> &components,
                   const std::vector<PlaneLayout> &layouts);

} // namespace cutaway::layout
