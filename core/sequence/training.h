// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/memory.h"
#include "core/sequence/sequence.h"

#include <span>

namespace cutaway::sequence {

/// A node of the backward that computes what the forward has computed already, so that it need not be saved.
struct Recomputed {
    std::string name; ///< the node's name, the same in both graphs
    ops::Cost cost;   ///< that it has once more
    ir::Dim bytes;    ///< bytes of the node's results
};

/// Memory that forward and backward use, one after the other.
struct TrainingMemory {
    struct Storage {
        std::string name;          ///< the first value that lies in it
        Part part = Part::Forward; ///< that makes it
        bool isSaved = false;      ///< made by the forward, or given to it, and needed by the backward
        ir::Dim bytes;
        std::size_t first = 0, last = 0; ///< steps, both included
    };
    struct Step {
        Part part = Part::Forward;
        std::string node; ///< that runs; "" where a part begins, with its inputs, or ends, with its results
        ir::Dim alive;    ///< bytes
    };
    std::vector<Step> steps; ///< the forward's steps of analysis::Memory, then the backward's
    std::vector<Storage> storages;
    ir::Dim peak = ir::UnknownDim{}; ///< unknown where the bytes of a step are no number
    std::optional<std::size_t> peakStep;

    std::vector<const Storage *> aliveAt(std::size_t step) const; ///< largest first
};

/// A forward and its backward, as autograd's two graphs are first apart.
struct Training {
    std::vector<Recomputed> recomputed; ///< in the order of the backward
    /// Storages in which a saved value lies are alive until the backward's last use of it; other results of the forward
    /// end with it, since it is the caller who keeps them. Inputs count until their last use; parameters do not, where
    /// the forward tells them from other inputs.
    TrainingMemory memory;
    std::vector<std::string> notes; ///< sentences on what could not be read
};

/// Reads both graphs; nothing for a compilation without a backward. `forward`, `backward`: see saved.h.
std::optional<Training> trainingOf(const Sequence &forward, const Sequence &backward, const Task &task = {});

} // namespace cutaway::sequence
