// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/lowering/graph_lowering.h"

#include "core/formats/graph_text/lowering/module_scopes.h"
#include "core/formats/graph_text/lowering/region_lowering.h"

namespace cutaway::formats::graph_text {

ir::Function lowerGraph(Reading &reading, const PrintedGraph &graph)
{
    ir::Function function{.name = reading.name("forward"),
                          .kind = ir::Function::Kind::Main,
                          .graph = ir::Graph(reading.model.context),
                          .inputs = {},
                          .outputs = {},
                          .attributes = {},
                          .documentation = {}};
    GraphLowering whole(reading, function);
    RegionLowering(whole, ir::Graph::body, graph, "").lower();
    guessModules(reading, function);
    return function;
}

} // namespace cutaway::formats::graph_text
