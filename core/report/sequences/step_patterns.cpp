// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/sequences/step_patterns.h"

#include "core/passes/blame.h"
#include "core/sequence/history.h"

namespace cutaway::report {

StepPatterns patternsOf(const sequence::Sequence &sequence)
{
    StepPatterns patterns(sequence.steps.size());
    const auto history = sequence::historyOf(sequence);
    if (!history)
        return patterns;
    const std::size_t first = sequence.steps.size() - 1 - history->steps().size(); // that could be read
    for (std::size_t position = 1; position <= history->steps().size(); ++position)
        patterns[first + position] = passes::patternsOf(*history, position);
    return patterns;
}

} // namespace cutaway::report
