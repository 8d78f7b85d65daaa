// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/palette.h"
#include "core/layout/diagram.h"
#include "core/layout/marks.h"

#include <string>

namespace cutaway::drawing {

/// The diagram as a self-contained SVG with real text, tooltips (<title>) and a class per category. With marks, what
/// differs has its colour and sign.
std::string svg(const layout::Diagram &diagram, const Palette &palette = lightPalette(),
                const layout::Marks &marks = {});

/// The same as a part of an HTML page, inside an element of the class "diagram": its rules are for that alone, and it
/// is dark where the reader prefers that.
std::string svgForPage(const layout::Diagram &diagram, const layout::Marks &marks = {});

/// The diagram as a Graphviz file with positions, for people who go on from there.
std::string dot(const layout::Diagram &diagram);

} // namespace cutaway::drawing
