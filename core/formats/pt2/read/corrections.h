// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/read/reading.h"
#include "core/ir/model.h"

namespace cutaway::formats::pt2 {

/// Corrects the types that torch 2.6 is known to record wrongly, each with a diagnostic: the final states of an LSTM
/// have the shapes of the initial states, and results under autocast have its dtype.
void correctRecords(Reading &reading, ir::Graph &graph);

} // namespace cutaway::formats::pt2
