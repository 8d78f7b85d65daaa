// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// The history of a sequence, of which the first graph is read and the others are once History::readNext() is called.
/// It makes them states as passes make them: a node that one step made of a node of the step before has its identity. A
/// step with the text of the one before is not read again; one whose text cannot be read keeps the state before it and
/// says why in its description. Where the last graph has code, it follows once more, divided into kernels
/// (kernel_modules.h). Errors: no graph of the sequence can be read; Cancelled.
Result<passes::History> startOfHistory(const Sequence &sequence, const Task &task = {});

/// Reads all graphs of a sequence. Errors: as startOfHistory().
Result<passes::History> historyOf(const Sequence &sequence, const Task &task = {});

} // namespace cutaway::sequence
