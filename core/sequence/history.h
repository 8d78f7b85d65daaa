// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Returns the history of a sequence with its first graph; the others are read by History::readNext(). The graphs
/// become states as passes make them: a node that stays from one step to the next keeps its id. A step that repeats the
/// text of the previous step is not read again; a step whose text cannot be read keeps the previous state and says why
/// in its description. If the log has code for the last graph, this graph follows once more, divided into kernels
/// (kernel_modules.h). Errors: no graph of the sequence can be read; Cancelled.
Result<passes::History> startOfHistory(const Sequence &sequence, const Task &task = {});

/// Reads all graphs of a sequence. Errors: those of startOfHistory().
Result<passes::History> historyOf(const Sequence &sequence, const Task &task = {});

} // namespace cutaway::sequence
