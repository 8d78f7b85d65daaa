// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Canvas;

/// What the colours of the canvas mean, with units, in one row; hidden while they are those of categories.
QWidget *makeHeatLegend(Canvas &canvas, QWidget *parent);

} // namespace cutaway::views
