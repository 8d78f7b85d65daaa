// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/plane.h"

namespace cutaway::layout {

/// Breaks a layout that is much higher than wide into columns, read downwards and from left to right, so that a whole
/// chain is seen at a glance. It is cut only where nothing but one edge passes; that edge is led up to the next column.
/// Leaves the layout alone where it is low, wide or cannot be cut well. O(n log n).
void foldIntoColumns(const Plane &plane, PlaneLayout &layout);

} // namespace cutaway::layout
