// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <unordered_map>

namespace cutaway::ir {

// A local function of an ONNX file imports operator sets of its own. An attachment of the model has the file's text of
// these imports.

using OpsetImports = std::vector<std::pair<std::string, std::int64_t>>;

/// The operator sets that a function imports itself; nothing if the file has no imports for it. O(attachments).
std::optional<OpsetImports> importsOf(const Model &model, const Function &function);

/// The version of a dialect's operator set for the nodes of a graph of the model: by the imports of its function, or
/// else by those of the model, see Model::opset(). O(functions and attachments) unless it is the main function's graph.
std::int64_t opsetIn(const Model &model, const Graph &graph, std::string_view dialect);

/// Answers as opsetIn() does, for many nodes, and reads the imports of each function once. The model's functions have
/// to stay where they are.
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
