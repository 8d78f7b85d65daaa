// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLineEdit;

namespace cutaway::views {

/// Adds a button that empties the line. Unlike Qt's own, it has a name for screen readers.
void addClearButton(QLineEdit &line);

} // namespace cutaway::views
