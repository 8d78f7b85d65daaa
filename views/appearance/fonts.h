// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

#include <QFont>
#include <string_view>

class QApplication;

namespace cutaway::views {

/// Where no desktop sets a font, takes the best sans that is installed.
void chooseInterfaceFont(QApplication &application);

/// The fonts of a diagram at 100 %, in the sizes that the layout reckons with (core/layout/text_measure.h).
QFont diagramFont(layout::Line::Style style);
QFont edgeLabelFont();

/// Width of a line in its diagramFont(); callable on any thread.
double diagramTextWidth(std::string_view text, layout::Line::Style style);

/// Monospace of the interface's size, for shapes, source and IR.
QFont monospaceFont();
/// The interface font, larger, for the title of a page or a selection.
QFont titleFont(double scale = 1.25);

} // namespace cutaway::views
