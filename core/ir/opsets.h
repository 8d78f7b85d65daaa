// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <unordered_map>

namespace cutaway::ir {

// A local function of an ONNX file imports operator sets of its own. The file's text of that is kept as an attachment
// of the model.

using OpsetImports = std::vector<std::pair<std::string, std::int64_t>>;

/// The operator sets that a function imports itself; nothing if the file says of none. O(attachments).
std::optional<OpsetImports> importsOf(const Model &model, const Function &function);

/// The version of a dialect's operator set that the nodes of a graph of the model are of: what its function imports,
/// else what the model does, see Model::opset(). O(functions and attachments) unless it is the main function's.
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
