// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Canvas;

/// Makes the legend of the canvas in one row: measure, colour ramp, units. Hidden while categories colour the boxes.
QWidget *makeHeatLegend(Canvas &canvas, QWidget *parent);

} // namespace cutaway::views
