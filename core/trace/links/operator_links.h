// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Links the operators that torch.profiler saw, iteration by iteration, and adds their rows and diagnostics to
/// `linked`, whose iterations are there.
///
/// Events and units are put beside each other in order. An event that no unit is called like is opened where there is
/// one in it: annotations, TorchScript's `forward`, operators that the model has in parts, code that torch.compile
/// made. Gradients go with the forward's operator of the same sequence number. It ends early where `task` is stopped.
void linkOperators(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, const Units &units,
                   const sequence::FoundStep *step, const Task &task, Linked &linked);

} // namespace cutaway::trace
