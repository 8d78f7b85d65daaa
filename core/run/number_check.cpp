// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/number_check.h"

#include "core/base/result.h"
#include "core/run/comparison.h"

#include <algorithm>
#include <limits>

namespace cutaway::run {

namespace {

bool isTensor(const Outcome &outcome, const std::string &name)
{
    const auto output = std::ranges::find(outcome.outputs, name, &Output::name);
    return output != outcome.outputs.end() && std::holds_alternative<protocol::Tensor>(output->content);
}

/// Returns the largest error of all outputs; infinity if a tensor cannot be compared. Errors: an output is a tensor on
/// neither side, so that it is not compared.
Result<double> largestError(const Outcome &expected, const Outcome &found)
{
    double largest = 0;
    for (const Compared &each : compare(expected, found, {})) {
        if (!each.distance && !isTensor(expected, each.a) && !isTensor(found, each.b))
            return std::unexpected(Error{ErrorKind::Backend, "the output '" + each.a + "': " + each.reason, {}});
        largest =
            std::max(largest, each.distance ? each.distance->maxAbsolute : std::numeric_limits<double>::infinity());
    }
    return largest;
}

} // namespace

Result<passes::NumberCheck> numberCheck(std::shared_ptr<Backend> backend, const Subject &first, Inputs inputs,
                                        const Task &task)
{
    CUTAWAY_TRY(Outcome expected, backend->run(first, inputs, task));
    return passes::NumberCheck(
        [backend = std::move(backend), function = first.function, inputs = std::move(inputs),
         expected = std::move(expected)](const ir::Model &state, const Task &watched) -> Result<double> {
            CUTAWAY_TRY(const auto own, inputsOfState(state, function, inputs));
            CUTAWAY_TRY(const auto found, backend->run({state, function, std::nullopt}, own, watched));
            return largestError(expected, found);
        });
}

} // namespace cutaway::run
