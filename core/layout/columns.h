// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/plane.h"

namespace cutaway::layout {

/// Breaks a layout that is much higher than wide into columns, read downwards and from left to right, so that a long
/// chain fits in view. It is cut only where at most one edge passes, which is routed up to the next column. Leaves a
/// layout unchanged that is low, wide or cannot be cut well. O(n log n).
void foldIntoColumns(const Plane &plane, PlaneLayout &layout);

} // namespace cutaway::layout
