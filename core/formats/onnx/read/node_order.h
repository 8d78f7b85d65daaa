// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/read/name_table.h"
#include "core/formats/onnx/read/records.h"
#include "core/ir/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cutaway::formats::onnx {

/// Orders the nodes of a graph so that each comes after the nodes whose results it reads, as close to the file's order
/// as possible. ONNX demands this, but not all writers keep to it.
class NodeOrder {
public:
    explicit NodeOrder(const ir::Model &model) : m_model(model) { }

    /// Returns the order of a graph's nodes; nothing if the file's order is valid. Throws Unusable for two
    /// definitions of one name, and for nodes that need each other.
    std::optional<std::vector<std::uint32_t>> of(const GraphRecord &graph);

private:
    void define(const GraphRecord &graph);
    std::vector<std::uint32_t> sorted(const GraphRecord &graph) const;
    template <class Visit>
    void forEachMaker(const GraphRecord &graph, std::uint32_t node, Visit &&visit) const;

    const ir::Model &m_model;
    NameTable<std::uint32_t> m_makers; ///< 1 + the index of the node that makes a name of this graph
};

} // namespace cutaway::formats::onnx
