// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether the graph sets items.
bool setsItems(const ir::Graph &graph);

/// Who reads an item of a dictionary that code fills under known names, one after the other, reads what was put there,
/// and who reads all of it reads a dictionary that is made of them.
passes::Pass dictionaryReading();

} // namespace cutaway::convert
