// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Links the nodes that ONNX Runtime timed, which have the names of the optimised graph, and adds their rows and
/// diagnostics to `linked`, which has the iterations already. A node with an event of its own is linked to no other.
void linkOnnxRuntime(const Trace &trace, const Nesting &nesting, const ir::Graph &graph, Linked &linked);

} // namespace cutaway::trace
