// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace cutaway::views {

/// Returns the icon resources/icons/<name>.svg in the text colour of the current palette; it follows a change of theme.
QIcon icon(const QString &name);

} // namespace cutaway::views
