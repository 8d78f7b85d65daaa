// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/profile_comparison.h"

#include <QString>
#include <memory>

namespace cutaway::views {

/// An earlier profile, and its name in the window.
struct Baseline {
    QString name;
    std::shared_ptr<const run::SavedProfile> profile;
};

/// The change of the times since the baseline.
struct ProfileChange {
    Baseline before;
    std::shared_ptr<const run::SavedProfile> after;
    run::ProfileComparison comparison;
};

/// Compares two profiles of one model, or of states that passes made of it. `file` is the graph as it was opened, whose
/// nodes have the same ids in all states. Nodes that passes made are matched if id, name and operator are equal.
ProfileChange changeSince(Baseline before, std::shared_ptr<const run::SavedProfile> after, const ir::Graph &file);

} // namespace cutaway::views
