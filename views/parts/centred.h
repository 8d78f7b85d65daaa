// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace cutaway::views {

/// Lays a block out on a page that has nothing else: in the middle across, a little above the middle down.
void placeCentred(QWidget *block, QWidget *page);

} // namespace cutaway::views
