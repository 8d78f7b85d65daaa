// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/lowering/reading.h"
#include "core/formats/graph_text/read/syntax.h"
#include "core/ir/model.h"

namespace cutaway::formats::graph_text {

/// Makes a function of a printed graph. Throws Unusable if the graph asks for more than the limits.
ir::Function lowerGraph(Reading &reading, const PrintedGraph &graph);

} // namespace cutaway::formats::graph_text
