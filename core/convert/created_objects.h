// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether code of the graph makes objects.
bool createsObjects(const ir::Graph &graph);

/// Who reads an attribute of an object that code makes and fills where it is made reads what was put there last.
passes::Pass objectReading();

} // namespace cutaway::convert
