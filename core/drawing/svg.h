// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/look.h"
#include "core/drawing/palette.h"
#include "core/layout/diagram.h"
#include "core/layout/marks.h"

#include <string>

namespace cutaway::drawing {

/// Returns the diagram as a self-contained SVG with real text, tooltips (<title>) and a CSS class per category. `marks`
/// gives differences a colour and a sign.
std::string svg(const layout::Diagram &diagram, const Palette &palette = lightPalette(),
                const layout::Marks &marks = {});
/// Returns an SVG with colours and badges of `look`, without items outside of `look.part`.
std::string svg(const layout::Diagram &diagram, const Look &look);

/// Returns the diagram as a part of an HTML page, to stand in an element of class "diagram": its CSS rules apply only
/// there and follow the reader's preference for dark or light.
std::string svgForPage(const layout::Diagram &diagram, const layout::Marks &marks = {});

/// Returns the diagram as a Graphviz file with positions, for further editing.
std::string dot(const layout::Diagram &diagram);

} // namespace cutaway::drawing
