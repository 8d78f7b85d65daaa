// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/weights_by_region.h"

namespace cutaway::print {

WeightsByRegion::WeightsByRegion(const ir::Function &function) : m_values(function.graph.regionCount())
{
    const ir::Graph &graph = function.graph;
    std::vector<bool> inSignature(graph.valueCount());
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            inSignature[value->index] = true;
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
        if (const auto *weight = std::get_if<ir::Weight>(&graph.at(ir::ValueId{i}).definition))
            if (!inSignature[i])
                m_values[weight->region.index].push_back(ir::ValueId{i});
}

} // namespace cutaway::print
