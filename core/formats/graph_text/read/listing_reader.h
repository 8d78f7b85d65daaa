// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/read/syntax.h"
#include "core/formats/notes/notes.h"

namespace cutaway::formats::graph_text {

/// Cuts `graph():` and its lines into nodes: `%add : [num_users=1] = call_function[target=torch.add](args = (%x, 1),
/// kwargs = {})`. A line that is no node is skipped, with a note.
PrintedGraph readListing(std::string_view source, std::uint32_t firstLine, Notes &notes);

/// Cuts a table with the columns opcode, name, target, args and kwargs into nodes.
PrintedGraph readTable(std::string_view source, std::uint32_t firstLine, Notes &notes);

} // namespace cutaway::formats::graph_text
