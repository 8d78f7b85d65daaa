// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

#include <QString>

namespace cutaway::views {

/// Describes the effect of a pass, and the passes that it needs before and after it.
QString passText(const passes::Pass &pass);
/// Returns the pass and its settings: "constant-folding{elements=64}".
QString stepName(const passes::Step &step);
/// The numbers of nodes and parameters that passes have removed, added or changed.
struct Delta {
    std::size_t removed = 0, added = 0, changed = 0, removedWeights = 0;
};
/// Returns "−12 +3 ~4" for nodes; if none changed, "53 unused parameters removed", else "reordered".
QString deltaText(const Delta &delta);
/// Returns what the step before a position did within a module: "12 × transpose gone; 3 × mul → constant", or "".
QString patternsText(const passes::History &history, std::size_t position, ir::ScopeId scope);
/// Returns deltaText() of a step, or "no change".
QString stepDelta(const diff::StepDifference &nodes, bool isChange, std::size_t removedWeights);

} // namespace cutaway::views
