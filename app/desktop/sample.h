// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cutaway::desktop {

/// Returns the path of the sample model: the installed one, or that of the sources around the build; "" without either.
QString samplePath();

} // namespace cutaway::desktop
