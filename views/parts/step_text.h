// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

#include <QString>

namespace cutaway::views {

/// What a pass does, and what it needs before and after it.
QString passText(const passes::Pass &pass);
/// "constant-folding{elements=64}"
QString stepName(const passes::Step &step);
/// "−12 +3 ~4": nodes removed, added, changed; "reordered" if there are none.
QString deltaText(std::size_t removed, std::size_t added, std::size_t changed);
/// The same for a step, or "no change"; "53 parameters removed" if no node changed.
QString stepDelta(const diff::StepDifference &nodes, bool isChange, std::size_t removedWeights);

} // namespace cutaway::views
