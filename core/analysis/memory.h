// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"

#include <span>

namespace cutaway::analysis {

/// A storage that activations lie in, its owner and the views of it.
struct LiveStorage {
    ir::ValueId value; ///< the first that lies in it
    ir::Dim bytes;
    std::uint32_t first, last; ///< steps of the schedule, both included
};

/// What is alive while a function's graph runs, one step per node of its body in their order, between the step 0, at
/// which the inputs are there, and a last one that returns the outputs. A storage lives from the node that makes it
/// (inputs: from the start) to the last that uses it or a view of it (outputs: to the end); inputs and outputs of a
/// node live together. Regions that may run, which are branches and one iteration of a loop, are gone through in the
/// same way; the step of the node around them has the most that is alive in one of them. Higher-order operators of
/// torch.export are one node.
/// Parameters, buffers and constants are not in it, nor what lives and dies inside a node that has no regions.
struct Memory {
    /// They are in the order of their beginnings. Storages that live and die inside one node, in its regions or in the
    /// function that it calls, are among them only if they are alive when most is.
    std::vector<LiveStorage> storages;
    std::vector<ir::Dim> alive; ///< bytes, by step
    ir::Dim peak = ir::UnknownDim{};
    ir::Dim peakAtLeast = std::int64_t{0}; ///< `peak`, or that of the storages whose size is known
    std::optional<std::size_t> peakStep;   ///< nothing while several may be the largest, by the values of the symbols

    std::vector<const LiveStorage *> aliveAt(std::size_t step) const;
};

Memory liveMemory(const ir::Model &model, ir::FunctionId function, const Shapes &shapes);

/// The most bytes that are alive in a function that is called, of storages from number `first` on, which the call made,
/// without those of its results. `bytes`: by StorageNumber. Unknown where one of them is.
ir::Dim peakInside(const ir::Function &function, const Shapes &shapes, std::span<const ir::Dim> bytes,
                   std::uint32_t first);

} // namespace cutaway::analysis
