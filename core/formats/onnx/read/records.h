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

/// The parts of a node that few nodes have.
struct NodeExtras {
    std::vector<GraphRecord> graphs;                     ///< its subgraphs, in the order of their regions
    std::vector<ir::NameId> graphAttributes;             ///< the attribute each came from
    std::vector<ir::NameId> captures;                    ///< names of outer graphs that the subgraphs read
    std::vector<Text> metadata;                          ///< metadata_props
    std::vector<std::pair<ir::NameId, ir::NameId>> kept; ///< further texts for the node's metadata
    std::string_view documentation;
};

/// A node as read, its names not yet resolved.
struct NodeRecord {
    ir::OpId op;
    ir::NameId name;
    std::vector<ir::Argument> arguments; ///< one empty slot per input, then the attributes
    std::uint32_t firstName = 0;         ///< in GraphRecord::names: the inputs, then the outputs
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::optional<ir::TensorId> constant; ///< a Constant node's value
    std::unique_ptr<NodeExtras> extras;
};

/// A name with its type (TypeProto, empty: none).
struct ValueRecord {
    ir::NameId name;
    Message type;
};

/// An entry of the metadata of a value.
struct ValueText {
    ir::NameId value;
    Text text;
};

/// A GraphProto or FunctionProto in memory: all its parts in the order of the file, names interned, tensors entered in
/// the model.
struct GraphRecord {
    std::string_view name, documentation;
    std::deque<NodeRecord> nodes; ///< each is removed once its node is built
    std::vector<ir::NameId> names;
    std::vector<ir::TensorId> initializers;
    std::vector<ValueRecord> inputs, outputs, values;
    std::vector<ValueText> valueTexts;
    std::vector<Text> metadata;
    std::vector<Message> annotations; ///< TensorAnnotation

    GraphRecord() = default;
    GraphRecord(GraphRecord &&) noexcept = default; // a deque's own is not: lists of graphs would copy
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
