// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::views {

class Canvas;
class Navigation;

/// Lays aids for reading a canvas from far over its lower corners: on the left the meaning of the boxes' colours, while
/// their names are too small to be read; on the right a map of the whole picture, if it is larger than the canvas.
void addOverlays(Canvas &canvas, Navigation &navigation);

} // namespace cutaway::views
