// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/bounded_cost.h"
#include "core/analysis/propagation/storages.h"
#include "core/analysis/shapes.h"
#include "core/ops/call.h"

#include <map>
#include <optional>

namespace cutaway::analysis {

/// A call, as the code of the called function sees it.
struct Call {
    const ir::Function *function;
    int depth; ///< how many calls and regions are around the call
    Reached reached;
    ops::Facts inputs;
    std::vector<std::pair<ir::NameId, ops::Fact>> attributes; ///< attributes that the call gives to an ONNX function
};

/// The node of a called function because of which the call's cost is unknown, or the call cannot run.
struct StopInside {
    std::string reason, innermost; ///< as the members of Stop with these names
    bool isContradiction;
};

/// The results of a call and all else that the code around it learns: cost, memory, sizes that the call needs.
struct CallOutcome {
    ops::Facts results;
    BoundedCost cost;
    ir::Dim peakInside;
    ops::SizeNeeds needs;
    std::optional<StopInside> stop; ///< a stop that hides the call's cost, or a contradiction
};

/// The outcomes of calls that follow from their inputs alone. An equal call has the same outcome, in memory of its own;
/// so functions that call each other in many ways, with equal inputs, take no more work than one visit of each. Two
/// calls are equal if their facts are equal and the same tensors in these share memory.
class KnownCalls {
public:
    /// Returns the outcome of an equal call that was added earlier, for the code around `call`, and adds its new memory
    /// to the storages; nothing if there was none.
    std::optional<CallOutcome> of(const Call &call, Storages &storages) const;
    /// Keeps the outcome of a call. The storages from `madeBefore` on are the outcome's new memory, in the order of its
    /// results.
    void add(const Call &call, const CallOutcome &outcome, const Storages &storages, std::uint32_t madeBefore);

private:
    struct Known {
        Call call;                        ///< storages are numbered in the order in which the call's facts name them
        CallOutcome outcome;              ///< storages are numbered as in `call`, with further numbers for new memory
        std::vector<ir::Dim> given, made; ///< bytes of the call's storages, and of those that the function made
    };
    std::map<std::pair<const ir::Function *, int>, std::vector<Known>> m_known; ///< by function and depth
};

/// Keeps, of the storages made since `madeBefore`, only those that the results lie in, with new numbers. Nothing but
/// `results` may refer to storages made since.
void keepStoragesOf(ops::Facts &results, Storages &storages, std::uint32_t madeBefore);

} // namespace cutaway::analysis
