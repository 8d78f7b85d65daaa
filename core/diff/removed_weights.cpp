// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/removed_weights.h"

#include "core/ir/node_ref.h"

#include <algorithm>
#include <set>

namespace cutaway::diff {

namespace {

std::set<ir::TensorId> tensorsOf(const ir::Function &function)
{
    std::set<ir::TensorId> tensors;
    for (const ir::FunctionInput &input : function.inputs)
        if (input.tensor)
            tensors.insert(*input.tensor);
    for (ir::ValueId id{0}; id.index < function.graph.valueCount(); ++id.index)
        if (const auto weight = ir::ValueRef(function.graph, id).weight())
            tensors.insert(*weight);
    return tensors;
}

} // namespace

std::size_t removedWeights(const ir::Function &before, const ir::Function &after)
{
    const std::set<ir::TensorId> left = tensorsOf(after);
    return static_cast<std::size_t>(
        std::ranges::count_if(tensorsOf(before), [&](ir::TensorId tensor) { return !left.contains(tensor); }));
}

} // namespace cutaway::diff
