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
    /// `scope`: the root for all changes. `history`: null before passes have run.
    StepChanges(std::shared_ptr<const passes::History> history, ir::ScopeId scope);

    /// Adds those of the steps that `history` has behind the ones known.
    void extend(std::shared_ptr<const passes::History> history);

    const diff::StepDifference &of(std::size_t step) const { return m_all[step]; }
    bool isChange(std::size_t step) const;
    /// Parameters, buffers and constants that the function no longer has.
    std::size_t removedWeights(std::size_t step) const { return m_removedWeights[step]; }
    /// Whether the graph shows the change; it does not show that only parameters were removed.
    bool isSeen(std::size_t step) const;
    /// The number of steps up to the last one that is seen.
    std::size_t countSeen() const;

private:
    std::shared_ptr<const passes::History> m_history;
    ir::ScopeId m_scope = {};
    std::vector<diff::StepDifference> m_all;   ///< by step
    std::vector<std::size_t> m_removedWeights; ///< by step
};

} // namespace cutaway::views
