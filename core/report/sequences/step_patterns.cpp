// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/sequences/step_patterns.h"

#include "core/passes/blame.h"
#include "core/sequence/history.h"

#include <algorithm>
#include <functional>

namespace cutaway::report {

StepPatterns patternsOf(const sequence::Sequence &sequence)
{
    StepPatterns patterns(sequence.steps.size());
    const auto history = sequence::historyOf(sequence);
    if (!history)
        return patterns;
    // The history may have the last graph once more, divided into kernels.
    const auto recorded =
        static_cast<std::size_t>(std::ranges::count_if(history->steps(), std::not_fn(&passes::Step::isDivision)));
    const std::size_t first = sequence.steps.size() - 1 - recorded; // the first step that could be read
    for (std::size_t position = 1; position <= recorded; ++position)
        patterns[first + position] = passes::patternsOf(*history, position);
    return patterns;
}

} // namespace cutaway::report
