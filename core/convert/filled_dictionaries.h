// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether the graph sets items, or gives all items of a dictionary to another one.
bool fillsDictionaries(const ir::Graph &graph);

/// The pass that replaces reads of items of dictionaries which code fills under known names, one after the other: each
/// becomes the value that was set. A read of a whole dictionary becomes a new dictionary of these values. The pass does
/// the same for dictionaries that are appended to a list and taken out of it again.
passes::Pass dictionaryReading();

} // namespace cutaway::convert
