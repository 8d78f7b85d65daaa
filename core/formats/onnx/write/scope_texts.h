// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/scopes.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace cutaway::formats::onnx {

/// Finds the metadata that the nodes of a function need to be read back in their module scopes. A node needs none if
/// the reader finds the scope from the node's name, and the class of the root module is not known. ScopeTexts reads the
/// names in the same way as the reader.
class ScopeTexts {
public:
    ScopeTexts(const ir::Model &model, const ir::Function &function);

    std::vector<std::pair<std::string, std::string>> of(const ir::NodeRef &node);

private:
    ir::ScopeId mirrored(ir::ScopeId scope);
    void readNames(const ir::Graph &graph, ir::RegionId region, ir::ScopeId outer);
    std::vector<std::pair<std::string, std::string>> metadataOf(const ir::NodeRef &node) const;

    const ir::Model &m_model;
    ir::Model m_mirror; ///< a model with the same module tree, into whose own context the names are read
    ScopeReader m_reader;
    std::unordered_map<ir::ScopeId, ir::ScopeId> m_mirrored;
    std::vector<ir::ScopeId> m_read; ///< by NodeId: the scope that the reader finds from the node's name
};

} // namespace cutaway::formats::onnx
