// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/diagram.h"

#include <QFont>
#include <string_view>

class QApplication;

namespace cutaway::views {

/// Sets the best installed sans-serif font if the desktop sets none.
void chooseInterfaceFont(QApplication &application);

/// Returns the font of a style at 100 % zoom, in the size that the layout assumes (core/layout/text_measure.h).
QFont diagramFont(layout::Line::Style style);
QFont edgeLabelFont();

/// Returns the width of a line in its diagramFont(); callable on any thread.
double diagramTextWidth(std::string_view text, layout::Line::Style style);

/// Returns the monospace font, in the size of the interface font.
QFont monospaceFont();
/// Returns the interface font, larger, for the title of a page or a selection.
QFont titleFont(double scale = 1.25);

} // namespace cutaway::views
