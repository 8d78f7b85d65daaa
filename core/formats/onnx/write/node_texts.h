// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cutaway::formats::onnx {

/// The texts that the reader keeps in a node's metadata and source position, sorted into the fields of NodeProto that
/// they came from.
class NodeTexts {
public:
    explicit NodeTexts(const ir::NodeRef &node);

    /// Returns the names of the attributes that hold the graphs of the regions.
    std::vector<std::string_view> graphAttributes() const;
    std::string_view documentationOf(std::string_view attribute) const;
    std::string docString() const;
    /// Returns the node's source position if it does not fit into the doc string; else "".
    std::string traceback() const;
    const std::vector<std::pair<std::string_view, std::string_view>> &metadata() const { return m_metadata; }

private:
    bool placeIsDocString() const;

    ir::NodeRef m_node;
    std::vector<std::pair<std::size_t, std::string_view>> m_regionNames;
    std::vector<std::pair<std::string_view, std::string_view>> m_documentations, m_metadata;
    std::string_view m_docString;
};

} // namespace cutaway::formats::onnx
