// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QWidget;

namespace cutaway::desktop {

/// A sentence in a box of its own, beside which the window goes on.
void tellProblem(QWidget &window, const QString &title, const QString &text);

} // namespace cutaway::desktop
