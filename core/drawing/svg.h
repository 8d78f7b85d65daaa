// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/look.h"
#include "core/drawing/palette.h"
#include "core/layout/diagram.h"
#include "core/layout/marks.h"

#include <string>

namespace cutaway::drawing {

/// The diagram as a self-contained SVG with real text, tooltips (<title>) and a CSS class per category. `marks` gives
/// differences a colour and a sign.
std::string svg(const layout::Diagram &diagram, const Palette &palette = lightPalette(),
                const layout::Marks &marks = {});
/// The same in another look; what lies outside its part is left out.
std::string svg(const layout::Diagram &diagram, const Look &look);

/// The diagram as a part of an HTML page, to stand in an element of class "diagram": its CSS rules apply only there and
/// follow the reader's preference for dark or light.
std::string svgForPage(const layout::Diagram &diagram, const layout::Marks &marks = {});

/// The diagram as a Graphviz file with positions, for further editing.
std::string dot(const layout::Diagram &diagram);

} // namespace cutaway::drawing
