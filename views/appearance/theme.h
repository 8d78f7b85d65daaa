// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/palette.h"

#include <QColor>
#include <QPalette>

class QApplication;

namespace cutaway::views {

/// The colours of the window; System stands for those of the desktop.
enum class Theme { System, Light, Dark };

/// Sets style, palette and style sheet of the whole application; System follows the desktop, also when it changes.
void applyTheme(QApplication &application, Theme theme);

/// Whether a palette is dark. Widgets pass their own palette, so that they need not know the setting.
bool isDark(const QPalette &palette);
/// Returns the colours of diagrams in the theme of a palette.
const drawing::Palette &diagramPalette(const QPalette &palette);

/// Returns a colour as Qt's type; it is opaque.
QColor toColor(drawing::Rgb rgb);
/// Returns the colour of secondary text, with a contrast of 4.5:1.
QColor mutedText(const QPalette &palette);
/// Returns the colour of lines between parts of the window.
QColor separator(const QPalette &palette);
QColor errorColor(const QPalette &palette);
QColor warningColor(const QPalette &palette);

} // namespace cutaway::views
