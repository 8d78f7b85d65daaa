// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/unique_names.h"
#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cutaway::rules::to_onnx {

/// A new node, of ONNX's own domain by default. Inputs are given by position, with None for one that is left out;
/// attributes have names.
struct NewNode {
    std::string_view op;
    std::vector<ir::Operand> inputs;
    std::vector<std::pair<std::string_view, ir::Operand>> attributes = {};
    std::string_view domain = "onnx";
};

/// The graph of the ONNX model that is being made.
class OnnxGraph {
public:
    /// `model` has the tensors of the source; new tensors are added to it.
    explicit OnnxGraph(ir::Model &model);

    ir::Context &context() const { return *m_model.context; }
    ir::Graph &graph() { return m_graph; }
    const ir::Graph &graph() const { return m_graph; }

    /// Sets the node of the source that new nodes come from: they get its name, scope and source position.
    void from(const ir::NodeRef &source) { m_source = source; }
    /// Puts new nodes at the end of this region.
    void enter(ir::RegionId region) { m_region = region; }
    ir::RegionId region() const { return m_region; }

    /// Adds a node with this number of results.
    ir::NodeRef add(const NewNode &node, std::size_t results = 1);
    ir::ValueId addInput(ir::RegionId region, std::string_view wanted, const ir::Type &type);
    /// Returns a constant tensor with these bytes, row by row. Equal constants are made only once.
    ir::ValueId constant(ir::DType dtype, const std::vector<std::int64_t> &shape, std::span<const std::byte> bytes);
    /// Returns a constant int64 without dimensions; wholeOf() returns the number of such a constant.
    ir::ValueId whole(std::int64_t number);
    std::optional<std::int64_t> wholeOf(ir::ValueId value) const;
    /// Returns the value of a tensor of the source, the same one each time.
    ir::ValueId weight(ir::TensorId tensor);
    /// madeCount() returns the number of nodes that were made; takeBack() removes the last ones until `count` are left.
    std::size_t madeCount() const { return m_made.size(); }
    void takeBack(std::size_t count);
    /// Removes nodes that nothing reads.
    void removeUnread();

    void setName(ir::ValueId value, std::string_view wanted);
    void setType(ir::ValueId value, const ir::Type &type) { m_graph.setType(value, context().type(type)); }
    void takeName(std::string_view name) { m_names.take(name); }
    bool isWeight(ir::ValueId value) const;
    /// Whether the value is the result of a node that is not among the first `count` nodes.
    bool isMadeSince(ir::ValueId value, std::size_t count) const;

private:
    ir::Model &m_model;
    ir::Graph m_graph;
    ir::RegionId m_region = ir::Graph::body;
    std::optional<ir::NodeRef> m_source;
    std::vector<ir::NodeId> m_made;
    std::unordered_map<ir::TensorId, ir::ValueId> m_weights;
    std::map<std::string, ir::ValueId> m_constants; ///< by dtype, shape and bytes
    std::unordered_map<ir::ValueId, std::int64_t> m_wholes;
    UniqueNames m_names, m_nodeNames; ///< m_names: the names of values
};

} // namespace cutaway::rules::to_onnx
