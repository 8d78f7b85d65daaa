// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Links the operators that torch.profiler recorded, iteration by iteration, and adds their rows and diagnostics to
/// `linked`, which has the iterations already. Events and units are aligned in order. An event with a name that no unit
/// has is opened if it contains an event with a unit's name: annotations, TorchScript's `forward`, operators that the
/// model has in parts, code that torch.compile made. Gradients go with the forward's operator of the same sequence
/// number. Ends early if `task` is stopped.
void linkOperators(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, const Units &units,
                   const sequence::FoundStep *step, const Task &task, Linked &linked);

} // namespace cutaway::trace
