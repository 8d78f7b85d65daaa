// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/steps/step_patterns.h"
#include "core/sequence/sequence.h"

namespace cutaway::report {

using StepPatterns = std::vector<std::vector<diff::StepPattern>>; ///< by step: what it did

/// Finds what each step of a sequence did to the graph before. Reads the graphs; an unreadable step has no patterns.
StepPatterns patternsOf(const sequence::Sequence &sequence);

} // namespace cutaway::report
