// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"

#include <span>

namespace cutaway::analysis {

/// A storage of activations: its owner and the views of it.
struct LiveStorage {
    ir::ValueId value; ///< the first value that lies in the storage
    ir::Dim bytes;
    std::uint32_t first, last; ///< steps of the schedule, both included
};

/// The storages that are alive while a function's graph runs. There is one step per node of its body, in their order,
/// between step 0, at which the inputs are there, and a last step, which returns the outputs. A storage lives from the
/// node that makes it (inputs: from the start) to the last node that uses it or a view of it (outputs: to the end);
/// inputs and outputs of a node live together. Regions that may run, which are branches and one iteration of a loop,
/// are gone through in the same way; the step of the node around them has the most that is alive in one of them.
/// Higher-order operators of torch.export are one node.
/// Parameters, buffers and constants are not counted, nor storages that live and die inside a node without regions.
struct Memory {
    /// The storages in the order of their first steps. Storages that live and die inside one node, in its regions or in
    /// the function that it calls, are listed only if they are alive at the moment when most is alive inside that node.
    std::vector<LiveStorage> storages;
    std::vector<ir::Dim> alive; ///< bytes, by step
    ir::Dim peak = ir::UnknownDim{};
    ir::Dim peakAtLeast = std::int64_t{0}; ///< `peak` if it is known, else that of the storages of known size
    /// The step with the most bytes; nothing if that depends on the values of symbols.
    std::optional<std::size_t> peakStep;

    std::vector<const LiveStorage *> aliveAt(std::size_t step) const;
};

Memory liveMemory(const ir::Model &model, ir::FunctionId function, const Shapes &shapes);

/// The most bytes that are alive at once in a called function, in storages from number `first` on, which the call made,
/// without those of its results. `bytes`: by StorageNumber. Unknown if the size of one of these storages is unknown.
ir::Dim peakInside(const ir::Function &function, const Shapes &shapes, std::span<const ir::Dim> bytes,
                   std::uint32_t first);

} // namespace cutaway::analysis
