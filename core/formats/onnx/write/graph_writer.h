// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/write/message_writer.h"
#include "core/formats/onnx/write/scope_texts.h"
#include "core/formats/onnx/write/value_names.h"
#include "core/formats/onnx/write/writing.h"

#include <unordered_set>
#include <vector>

namespace cutaway::formats::onnx {

/// Writes the graph of one function as GraphProto or into FunctionProto.
class GraphWriter {
public:
    /// `opset` is the version of the default operator set that the function imports.
    GraphWriter(Writing &writing, ScopeTexts &scopes, const ir::Function &function, std::int64_t opset);

    /// Makes the model's graph. `listsInitializers`: initializers are inputs, too, as IR versions below 4 demand.
    MessageWriter mainGraph(bool listsInitializers);
    /// Adds inputs, outputs, nodes and types to a FunctionProto.
    void writeLocal(MessageWriter &function);

private:
    /// The fields of the message that receive the parts of a region, and data for fields that are written later.
    struct Body {
        MessageWriter &message;
        std::uint32_t nodeField, typeField;
        bool isLocal = false;
        std::vector<std::pair<std::string, std::string_view>> annotations = {}; ///< value and quantization
    };

    MessageWriter subgraph(ir::RegionId region);
    void nodes(Body &body, ir::RegionId region);
    void node(Body &body, const ir::NodeRef &node);
    void inputs(Body &body, MessageWriter &message, const ir::NodeRef &node);
    void attributes(MessageWriter &message, const ir::NodeRef &node);
    void texts(MessageWriter &message, const ir::NodeRef &node);
    void initializers(Body &body, ir::RegionId region);
    void constant(Body &body, const ir::ValueRef &weight);
    std::string constantInput(Body &body, const ir::Operand &operand, const ir::NodeRef &node);
    void constantsReadBy(Body &body, const ir::NodeRef &node);
    void constantsBefore(Body &body, ir::RegionId region, std::uint32_t value);
    void identity(Body &body, std::string_view from, std::string_view to);
    std::string result(Body &body, const ir::Operand &operand, std::string_view wanted, ir::RegionId region);
    MessageWriter valueInfo(Body &body, ir::ValueId value, std::string_view name);
    void valueInfos(Body &body, ir::RegionId region, const std::unordered_set<std::string_view> &results);
    void annotations(Body &body);
    bool isConstant(const ir::ValueRef &weight) const;
    bool isWanted(const ir::ValueRef &weight) const;
    std::string nameOf(const ir::NodeRef &node);

    Writing &m_writing;
    ScopeTexts &m_scopes;
    const ir::Function &m_function;
    const ir::Graph &m_graph;
    std::int64_t m_opset;
    ValueNames m_names;
    UniqueNames m_nodeNames;
    std::vector<bool> m_written;             ///< by value: whether it is a constant that was written
    std::vector<std::size_t> m_nextConstant; ///< by region: the index in ValueNames::weightsOf() of its next constant
};

} // namespace cutaway::formats::onnx
