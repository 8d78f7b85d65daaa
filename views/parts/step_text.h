// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

#include <QString>

namespace cutaway::views {

/// "constant-folding{elements=64}"
QString stepName(const passes::Step &step);
/// "−12 +3 ~4", or "nothing to do".
QString stepDelta(const passes::Step &step);

} // namespace cutaway::views
