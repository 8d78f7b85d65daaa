// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/palette.h"

namespace cutaway::drawing {

/// Returns the colour of a share from 0 to 1, in the light or the dark theme. The scale is perceptually uniform; 1
/// contrasts most with the background.
Rgb scaleColour(double share, bool dark);

/// Returns the colour of a number of a range around 0. `share` is the number divided by the largest magnitude, from -1
/// to 1: blue below 0, orange above, and near the background at 0.
Rgb signedColour(double share, bool dark);

/// Returns the n-th fill for things that differ in kind, such as the texts of a column. The fills repeat after
/// eight; two in a row also differ in lightness.
Rgb kindColour(std::size_t n, bool dark);

/// Returns black or white, whichever has more contrast with the background: at least 4.5:1.
Rgb textOn(Rgb ground);

} // namespace cutaway::drawing
