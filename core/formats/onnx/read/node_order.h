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

/// Orders the nodes of a graph so that each stands after those it reads, as near to the file's order as possible. ONNX
/// asks for that order, but not all writers keep it.
class NodeOrder {
public:
    explicit NodeOrder(const ir::Model &model) : m_model(model) { }

    /// The order of a graph's nodes; nothing if the file's order is right. Throws Unusable: two definitions of one
    /// name, nodes that need each other.
    std::optional<std::vector<std::uint32_t>> of(const GraphRecord &graph);

private:
    void define(const GraphRecord &graph);
    std::vector<std::uint32_t> sorted(const GraphRecord &graph) const;
    template <class Visit>
    void forEachMaker(const GraphRecord &graph, std::uint32_t node, Visit &&visit) const;

    const ir::Model &m_model;
    NameTable<std::uint32_t> m_makers; ///< 1 + the node that makes a name of this graph
};

} // namespace cutaway::formats::onnx
