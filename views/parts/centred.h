// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

/// Lays out the only block of a page: centred horizontally, and a little above the middle vertically.
void placeCentred(QWidget *block, QWidget *page);

} // namespace cutaway::views
