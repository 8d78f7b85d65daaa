// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/bounded_cost.h"
#include "core/analysis/propagation/storages.h"
#include "core/analysis/shapes.h"
#include "core/ops/call.h"

#include <map>
#include <optional>
#include <vector>

namespace cutaway::analysis {

/// A call as the code inside sees it.
struct Call {
    const ir::Function *function;
    int depth; ///< of calls and regions around it
    Reached reached;
    ops::Facts inputs;
    std::vector<std::pair<ir::NameId, ops::Fact>> attributes; ///< that it gives an ONNX function
};

/// The node of a called function that tells the caller why its cost is unknown, or that it cannot run.
struct StopInside {
    std::string reason, innermost; ///< as in Stop
    bool isContradiction;
};

/// The results of a call and all else that the code around it learns: cost, memory, sizes that it needs.
struct CallOutcome {
    ops::Facts results;
    BoundedCost cost;
    ir::Dim peakInside;
    ops::SizeNeeds needs;
    std::optional<StopInside> stop; ///< one that hides what the call costs, or what cannot be
};

/// The outcomes of calls in which nothing but the inputs decides what is found. An equal call has the same, in memory
/// of its own; so functions that call each other in many ways cost no more than what is written of them. Two calls are
/// equal if the facts are, and the same of their tensors share memory.
class KnownCalls {
public:
    /// The outcome for the code around the call; its new memory is added to the storages.
    std::optional<CallOutcome> of(const Call &call, Storages &storages) const;
    /// The storages from `madeBefore` on are the outcome's new memory, in the order of its results.
    void add(const Call &call, const CallOutcome &outcome, const Storages &storages, std::uint32_t madeBefore);

private:
    struct Known {
        Call call;                        ///< with storages numbered as they come in its facts
        CallOutcome outcome;              ///< with these numbers, and those behind them for its new memory
        std::vector<ir::Dim> given, made; ///< bytes of the storages
    };
    std::map<std::pair<const ir::Function *, int>, std::vector<Known>> m_known; ///< by function and depth
};

/// Leaves of the storages made since `madeBefore`, when nothing else refers to them, those that the results lie in.
void keepStoragesOf(ops::Facts &results, Storages &storages, std::uint32_t madeBefore);

} // namespace cutaway::analysis
