// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLineEdit;

namespace cutaway::views {

/// Adds the button that empties a line, with a name for screen readers, which Qt gives it none of.
void addClearButton(QLineEdit &line);

} // namespace cutaway::views
