// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/homes.h"

#include "core/ir/node_ref.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

namespace cutaway::test {
namespace {

/// A line for each node of the body: "a in encoder", "b outside".
std::string homes(const GraphCase &given)
{
    const ir::Model model = parsed(given.graphs.front());
    const ir::Graph &graph = model.functions.at(0).graph;
    const auto scopes = ir::homesOf(graph, ir::Graph::body);
    std::string text;
    for (std::size_t i = 0; i < scopes.size(); ++i) {
        const std::string_view path = model.context->text(model.context->at(scopes[i]).path);
        text += std::string(ir::NodeRef(graph, graph.at(ir::Graph::body).nodes[i]).name())
            + (scopes[i] == ir::ScopeId{} ? " outside" : " in " + std::string(path)) + "\n";
    }
    return text;
}

const bool homeCases = forEachCase("Layout", "layout/homes", homes);

} // namespace
} // namespace cutaway::test
