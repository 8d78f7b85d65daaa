// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/weights_only.h"

#include "core/ir/model.h"

#include <algorithm>

namespace cutaway::ir {

bool isWeightsOnly(const Model &model)
{
    return std::ranges::all_of(model.functions, [](const Function &function) {
        const Region &body = function.graph.at(Graph::body);
        return function.inputs.empty() && body.nodes.empty() && body.outputs.empty();
    });
}

} // namespace cutaway::ir
