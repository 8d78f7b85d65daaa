// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/profile_comparison.h"

#include <QString>
#include <memory>

namespace cutaway::views {

/// An earlier profile, and by what name a person knows it.
struct Baseline {
    QString name;
    std::shared_ptr<const run::SavedProfile> profile;
};

/// What became of the times since.
struct ProfileChange {
    Baseline before;
    std::shared_ptr<const run::SavedProfile> after;
    run::ProfileComparison comparison;
};

/// Of two profiles of one model or of what passes made of it. `file`: the graph that was opened, whose nodes have their
/// ids in all of that; of nodes that passes made, those of one id are the same if name and operator are.
ProfileChange changeSince(Baseline before, std::shared_ptr<const run::SavedProfile> after, const ir::Graph &file);

} // namespace cutaway::views
