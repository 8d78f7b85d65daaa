// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"

#include <memory>
#include <vector>

namespace cutaway::views {

/// The changes of each step of passes within a module.
class StepChanges {
public:
    StepChanges() = default;
    /// `scope` is the module whose changes are counted; the root for all. `history` is null before passes have run.
    StepChanges(std::shared_ptr<const passes::History> history, ir::ScopeId scope);

    /// Adds the steps of `history` after the known ones.
    void extend(std::shared_ptr<const passes::History> history);

    const diff::StepDifference &of(std::size_t step) const { return m_all[step]; }
    bool isChange(std::size_t step) const;
    /// Returns the number of parameters, buffers and constants that the function no longer has after a step.
    std::size_t removedWeights(std::size_t step) const { return m_removedWeights[step]; }
    /// Whether the graph shows the change of a step; it shows nothing if the step only removed parameters.
    bool isSeen(std::size_t step) const;
    /// Returns the number of steps up to the last one whose change the graph shows.
    std::size_t countSeen() const;

private:
    std::shared_ptr<const passes::History> m_history;
    ir::ScopeId m_scope = {};
    std::vector<diff::StepDifference> m_all;   ///< by step
    std::vector<std::size_t> m_removedWeights; ///< by step
};

} // namespace cutaway::views
