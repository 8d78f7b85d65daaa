// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"
#include "core/report/palette.h"

#include <string>

namespace cutaway::report {

/// The diagram as a self-contained SVG with real text, tooltips (<title>) and a class per category.
std::string svg(const layout::Diagram &diagram, const Palette &palette = lightPalette());

/// The diagram as a Graphviz file with positions, for people who go on from there.
std::string dot(const layout::Diagram &diagram);

} // namespace cutaway::report
