// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/lowering/reading.h"

namespace cutaway::formats::graph_text {

/// Puts nodes of the function's body into modules, which the text does not name; see module_scopes.cpp. A note and the
/// modules' attribute "nodes_guessed_from" say that they are guessed. A module that the text calls is known. Nodes of
/// which nothing tells the module stay in the root, and so do those of the backward. A node may lie deeper in the
/// module than it is said to.
void guessModules(Reading &reading, ir::Function &function);

} // namespace cutaway::formats::graph_text
