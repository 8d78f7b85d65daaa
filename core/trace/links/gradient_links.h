// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Whether an event of this name computes gradients.
bool isGradient(std::string_view name);

/// Links the rows of an iteration that compute gradients with the nodes of the forward's operators that have the same
/// sequence numbers, and notes for the others why they have no node.
void linkGradients(const Trace &trace, const Nesting &nesting, std::vector<Row> &rows);

} // namespace cutaway::trace
