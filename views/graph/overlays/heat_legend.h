// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

class Canvas;

/// The legend of the canvas: measure, colour ramp and units in one row; hidden while boxes are coloured by category.
QWidget *makeHeatLegend(Canvas &canvas, QWidget *parent);

} // namespace cutaway::views
