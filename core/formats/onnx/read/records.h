// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/tensors.h"
#include "core/formats/onnx/wire.h"
#include "core/ir/argument.h"

#include <deque>
#include <memory>
#include <span>

namespace cutaway::formats::onnx {

struct GraphRecord;

/// The parts of a node that only few nodes have.
struct NodeExtras {
    std::vector<GraphRecord> graphs;         ///< the subgraphs, in the order of the regions that they become
    std::vector<ir::NameId> graphAttributes; ///< by subgraph: the attribute that it is the value of
    std::vector<ir::NameId> captures;        ///< the names of outer graphs that the subgraphs read
    std::vector<Text> metadata;              ///< metadata_props
    std::vector<std::pair<ir::NameId, ir::NameId>> kept; ///< further entries for the node's metadata
    std::string_view documentation;
};

/// A node as it was read; its names are not resolved yet.
struct NodeRecord {
    ir::OpId op;
    ir::NameId name;
    std::vector<ir::Argument> arguments; ///< an empty slot for each input, then the attributes
    std::uint32_t firstName = 0; ///< the index in GraphRecord::names of the first input; outputs follow the inputs
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::optional<ir::TensorId> constant; ///< the value, if this is a Constant node
    std::unique_ptr<NodeExtras> extras;
};

/// A name and its type (TypeProto; empty: none).
struct ValueRecord {
    ir::NameId name;
    Message type;
};

/// An entry of the metadata of a value.
struct ValueText {
    ir::NameId value;
    Text text;
};

/// A GraphProto or FunctionProto in memory: all its parts are in the order of the file, names are interned, tensors
/// are in the model.
struct GraphRecord {
    std::string_view name, documentation;
    std::deque<NodeRecord> nodes; ///< each is removed once its node was built
    std::vector<ir::NameId> names;
    std::vector<ir::TensorId> initializers;
    std::vector<ValueRecord> inputs, outputs, values;
    std::vector<ValueText> valueTexts;
    std::vector<Text> metadata;
    std::vector<Message> annotations; ///< TensorAnnotation

    GraphRecord() = default;
    GraphRecord(GraphRecord &&) noexcept = default; // a deque's move may throw, and lists would then copy graphs
    GraphRecord &operator=(GraphRecord &&) noexcept = default;

    std::span<const ir::NameId> inputsOf(const NodeRecord &node) const
    {
        return std::span(names).subspan(node.firstName, node.inputs);
    }
    std::span<const ir::NameId> outputsOf(const NodeRecord &node) const
    {
        return std::span(names).subspan(node.firstName + node.inputs, node.outputs);
    }
};

} // namespace cutaway::formats::onnx
