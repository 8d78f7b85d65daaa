// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/passes/pass.h"

namespace cutaway::convert {

/// Whether the graph sets items, or gives all items of a dictionary to another one.
bool fillsDictionaries(const ir::Graph &graph);

/// Who reads an item of a dictionary that code fills under known names, one after the other, reads what was put there,
/// and who reads all of it reads a dictionary that is made of them. The same of dictionaries that are appended to a
/// list and taken out of it again.
passes::Pass dictionaryReading();

} // namespace cutaway::convert
