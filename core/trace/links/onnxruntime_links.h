// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Links the nodes that ONNX Runtime timed, whose names are those of the graph as it was optimised, and adds their rows
/// and diagnostics to `linked`, whose iterations are there. A node that has its own event is never another one's.
void linkOnnxRuntime(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, Linked &linked);

} // namespace cutaway::trace
