// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/scopes.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cutaway::formats::onnx {

/// Finds the metadata that a node needs so that it is read back in its module scope. It needs none where its name says
/// the scope and the module's own class is not known; ScopeTexts finds this out by reading the name as the reader does,
/// so nodes must come in the reader's order.
class ScopeTexts {
public:
    explicit ScopeTexts(const ir::Model &model);

    /// `outer` is the scope of the node whose subgraph `node` is in.
    std::vector<std::pair<std::string, std::string>> of(const ir::NodeRef &node, ir::ScopeId outer);

private:
    ir::ScopeId mirrored(ir::ScopeId scope);
    std::vector<std::pair<std::string, std::string>> metadataOf(const ir::NodeRef &node) const;

    const ir::Model &m_model;
    ir::Model m_mirror; ///< the same module tree, with a context of its own to read names into
    ScopeReader m_reader;
    std::unordered_map<ir::ScopeId, ir::ScopeId> m_mirrored;
};

} // namespace cutaway::formats::onnx
