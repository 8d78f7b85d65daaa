// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/onnx/attributes.h"
#include "core/formats/onnx/read/records.h"
#include "core/formats/onnx/tensors.h"
#include "core/formats/onnx/types.h"

#include <boost/unordered/unordered_flat_map.hpp>

namespace cutaway::formats::onnx {

/// A FunctionProto: its graph names its inputs and outputs, but usually has no types for them.
struct FunctionRecord {
    std::string_view name, domain, overload;
    GraphRecord graph;
    std::vector<ir::Argument> attributes; ///< the attributes with their defaults; None: the attribute is required
    std::vector<Message> opsets;
};

/// Reads GraphProto and FunctionProto into records. Throws Unusable.
class GraphReader {
public:
    GraphReader(ir::Model &model, TensorReader &tensors, TypeReader &types, const Task &task);

    GraphRecord graph(const Message &graph, int depth = 0);
    FunctionRecord function(const Message &function);

private:
    struct NodeProto;

    static NodeProto readNodeProto(const Message &node);
    NodeRecord node(const Message &node, GraphRecord &graph, int depth);
    void addAttribute(NodeRecord &record, const AttributeProto &attribute, int depth);
    void addTexts(NodeRecord &record, const NodeProto &proto);
    std::optional<ir::TensorId> foldedConstant(const NodeProto &proto);
    ValueRecord value(const Message &value, GraphRecord &graph);
    ir::OpId op(const NodeProto &proto);
    ir::NameId name(std::string_view text) { return m_model.context->name(text); }

    ir::Model &m_model;
    TensorReader &m_tensors;
    AttributeReader m_attributes;
    const Task &m_task;
    boost::unordered_flat_map<std::string_view, ir::OpId> m_standardOps;
};

/// Returns "onnx" for the default domain, else the domain itself.
std::string_view dialectOf(std::string_view domain);

} // namespace cutaway::formats::onnx
