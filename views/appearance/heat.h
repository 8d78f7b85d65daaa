// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace cutaway::views {

/// Returns the colour of a share from 0 to 1, in the light or the dark theme. The scale is perceptually uniform; 1
/// contrasts most with the background.
QColor heatColor(double share, bool dark);

/// Returns black or white, whichever has more contrast with the background: at least 4.5:1.
QColor textOn(const QColor &ground);

} // namespace cutaway::views
