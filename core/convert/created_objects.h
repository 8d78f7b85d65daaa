// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether code of the graph makes objects.
bool createsObjects(const ir::Graph &graph);

/// The pass that replaces reads of attributes of objects which code makes and fills where it makes them: each becomes
/// the value that was set last.
passes::Pass objectReading();

} // namespace cutaway::convert
