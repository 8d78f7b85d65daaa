// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <unordered_map>

namespace cutaway::ir {

// A local function of an ONNX file imports its own operator sets. An attachment of the model contains the text of
// these imports.

using OpsetImports = std::vector<std::pair<std::string, std::int64_t>>;

/// Returns the operator sets that a function imports itself; nothing if the file has none for it. O(attachments).
std::optional<OpsetImports> importsOf(const Model &model, const Function &function);

/// Returns the version of a dialect's operator set for the nodes of a graph of the model: by its function's imports, or
/// else the model's, see Model::opset(). O(functions and attachments) unless it is the main function's graph.
std::int64_t opsetIn(const Model &model, const Graph &graph, std::string_view dialect);

/// Computes opsetIn() for many nodes, reading each function's imports only once. The model's functions must not move.
class NodeOpsets {
public:
    explicit NodeOpsets(const Model &model) : m_model(model) { }
    std::int64_t of(const Graph &graph, std::string_view dialect);
    std::int64_t of(const NodeRef &node) { return of(node.graph(), node.dialect()); }

private:
    const Model &m_model;
    std::unordered_map<const Graph *, std::optional<OpsetImports>> m_imports;
};

} // namespace cutaway::ir
