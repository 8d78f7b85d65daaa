// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::views {

class Canvas;
class Navigation;

/// Lays over the lower corners of a canvas what helps to read it from far: on the left what the colours of boxes mean,
/// while their names are too small to be read; on the right a map of the whole picture, where that does not fit in
/// sight.
void addOverlays(Canvas &canvas, Navigation &navigation);

} // namespace cutaway::views
