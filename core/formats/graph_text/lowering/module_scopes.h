// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/lowering/reading.h"

namespace cutaway::formats::graph_text {

/// Puts nodes of the function's body into modules, which the text does not name; see module_scopes.cpp. A note and the
/// modules' attribute "nodes_guessed_from" say that this is guessed. The module of a node that is a call of a module is
/// not guessed, because the text names it. Nodes whose module cannot be guessed stay in the root, and so do those of
/// the backward pass. A node may belong to a submodule of its guessed module.
void guessModules(Reading &reading, ir::Function &function);

} // namespace cutaway::formats::graph_text
