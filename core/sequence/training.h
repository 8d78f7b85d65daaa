// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/memory.h"
#include "core/sequence/sequence.h"

#include <span>

namespace cutaway::sequence {

/// A node of the backward that repeats a computation of the forward, so that the result need not be saved.
struct Recomputed {
    std::string name; ///< the node's name, the same in both graphs
    ops::Cost cost;   ///< the cost of computing it again
    ir::Dim bytes;    ///< bytes of the node's results
};

/// The memory that forward and backward use, which run one after the other.
struct TrainingMemory {
    struct Storage {
        std::string name;          ///< the first value in the storage
        Part part = Part::Forward; ///< the part that allocates the storage
        bool isSaved = false;      ///< whether the forward makes or gets the storage, and the backward needs it
        ir::Dim bytes;
        std::size_t first = 0, last = 0; ///< indices of steps, both included
    };
    struct Step {
        Part part = Part::Forward;
        std::string node; ///< the node that runs; "" at the beginning of a part, with its inputs, and at its end
        ir::Dim alive;    ///< the live memory in bytes
    };
    std::vector<Step> steps; ///< the forward's steps of analysis::Memory, then the backward's
    std::vector<Storage> storages;
    ir::Dim peak = ir::UnknownDim{}; ///< the peak; unknown if the bytes of a step are no number
    std::optional<std::size_t> peakStep;

    std::vector<const Storage *> aliveAt(std::size_t step) const; ///< largest first
};

/// The memory of forward and backward, in the graphs in which autograd first separates them.
struct Training {
    std::vector<Recomputed> recomputed; ///< in the order of the backward graph
    /// The memory. A storage with a saved value is alive until the backward's last use of it. Other results of the
    /// forward are counted until its end, since the caller keeps them. Inputs count until their last use; parameters do
    /// not count if the forward distinguishes them from other inputs.
    TrainingMemory memory;
    std::vector<std::string> notes; ///< sentences about unreadable parts
};

/// Reads both graphs; returns nothing for a compilation without a backward. `forward`, `backward`: see saved.h.
std::optional<Training> trainingOf(const Sequence &forward, const Sequence &backward, const Task &task = {});

} // namespace cutaway::sequence
