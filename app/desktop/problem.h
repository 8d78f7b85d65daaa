// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QWidget;

namespace cutaway::desktop {

/// Shows a message box that does not block the window.
void tellProblem(QWidget &window, const QString &title, const QString &text);

} // namespace cutaway::desktop
