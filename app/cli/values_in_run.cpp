// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/values_in_run.h"

#include "core/base/result.h"
#include "core/ir/node_ref.h"
#include "core/run/points.h"

#include <algorithm>

namespace cutaway::cli {

Result<ValuesInRun> valuesInRun(run::Backend &backend, const run::Subject &subject, const run::Inputs &inputs,
                                std::span<const ir::ValueId> wanted)
{
    ValuesInRun values;
    for (const run::Input &input : inputs)
        if (const auto *drawn = std::get_if<protocol::DrawnTensor>(&input.content)) {
            CUTAWAY_TRY(auto tensor, run::tensorOf(*drawn));
            values.emplace(input.value, std::move(tensor));
        } else if (const auto *own = std::get_if<protocol::Tensor>(&input.content)) {
            values.emplace(input.value, *own);
        }
    std::vector<ir::ValueId> inner;
    for (const ir::ValueId value : wanted)
        if (ir::ValueRef(subject.model.at(subject.function).graph, value).producer()
            && !std::ranges::contains(inner, value))
            inner.push_back(value);
    if (inner.empty())
        return values;
    CUTAWAY_TRY(const auto outcome, backend.runWithValues(subject, inner, inputs, {}));
    for (std::size_t i = 0; i < inner.size() && inner.size() <= outcome.outputs.size(); ++i)
        if (const auto *tensor =
                std::get_if<protocol::Tensor>(&outcome.outputs[outcome.outputs.size() - inner.size() + i].content))
            values.emplace(inner[i], *tensor);
    return values;
}

} // namespace cutaway::cli
