// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/read/syntax.h"
#include "core/formats/notes/notes.h"

namespace cutaway::formats::graph_text {

/// Cuts the code of a class, or of a function alone, into statements; functions other than `forward` are skipped.
/// Throws Unusable for classes that are nested deeper than the limit.
PrintedGraph readCode(std::string_view source, std::uint32_t firstLine, Notes &notes);

} // namespace cutaway::formats::graph_text
