// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/history.h"
#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Reads all graphs of a sequence and makes them states of one history, as passes make them: a node that one step made
/// of a node of the step before has its identity. The first graph is the start. A step with the text of the one before
/// is not read again; one whose text cannot be read keeps the state before it and says why in its description. Where
/// the last graph has code, it follows once more, divided into kernels (kernel_modules.h). Errors:
/// no graph of the sequence can be read; Cancelled.
Result<passes::History> historyOf(const Sequence &sequence, const Task &task = {});

} // namespace cutaway::sequence
