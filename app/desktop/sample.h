// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cutaway::desktop {

/// The small model to try Cutaway with: the installed one, or that of the sources around a build; "" without either.
QString samplePath();

} // namespace cutaway::desktop
