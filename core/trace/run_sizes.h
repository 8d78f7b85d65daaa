// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// Returns the values that size symbols of a model had in a run: a symbol that is a size of an operand of a linked node
/// has the size in the node's event. A symbol for which several values were found is left out.
symbolic::Bindings runSizes(const Trace &trace, const Linked &linked, const ir::Model &model,
                            const analysis::Analysis &analysis);

} // namespace cutaway::trace
