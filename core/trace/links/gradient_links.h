// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Whether an event of this name computes gradients.
bool isGradient(std::string_view name);

/// Links the gradients among the rows of an iteration with the nodes of the operators of the forward that have their
/// sequence numbers, and says of the others why they are no node's.
void linkGradients(const Trace &trace, const Nesting &nesting, std::vector<Row> &rows);

} // namespace cutaway::trace
