// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace cutaway::views {

/// The colour of a share from 0 to 1, in the light or the dark theme: equal steps look equally far apart, and the most
/// stands out from the ground.
QColor heatColor(double share, bool dark);

/// Black or white, what is read better on this ground: 4.5:1 at least on any.
QColor textOn(const QColor &ground);

} // namespace cutaway::views
