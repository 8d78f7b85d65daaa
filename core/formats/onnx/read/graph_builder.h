// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/notes/notes.h"
#include "core/formats/onnx/read/name_table.h"
#include "core/formats/onnx/read/node_order.h"
#include "core/formats/source_lines/source_lines.h"
#include "core/ir/model.h"

#include <boost/unordered/unordered_flat_map.hpp>

namespace cutaway {
struct Task;
}

namespace cutaway::formats::onnx {

class TypeReader;

/// The functions of a model, by the operator of the nodes that call them.
using FunctionIndex = boost::unordered_flat_map<ir::OpId, ir::FunctionId, std::hash<ir::OpId>>;

/// The name of the argument that holds the function which a node calls.
inline constexpr std::string_view calleeArgument = "callee";
/// The metadata key of a node's Python traceback.
inline constexpr std::string_view stackTraceKey = "pkg.torch.onnx.stack_trace";

/// Builds functions of the IR from records: it resolves names, sorts nodes, and makes regions of subgraphs. Throws
/// Unusable for names that nothing makes, double definitions and cycles.
class GraphBuilder {
public:
    GraphBuilder(ir::Model &model, Notes &notes, TypeReader &types, const FunctionIndex &functions, const Task &task);

    /// Builds the model's graph. From IR version 4 on, initializers that are also inputs are default values; before,
    /// every initializer had to be listed among the inputs.
    ir::Function main(GraphRecord &record, std::int64_t irVersion);
    /// Builds the graph of a model-local function.
    ir::Function local(ir::NameId name, GraphRecord &record);

private:
    struct Body;
    struct NameScope;

    void inputs(Body &body, GraphRecord &record);
    void addDefaultInputs(Body &body, const GraphRecord &record);
    void region(Body &body, GraphRecord &record, ir::RegionId region, ir::ScopeId scope);
    void settleScopes(const Body &body);
    void subgraph(Body &body, GraphRecord &record, ir::RegionId region, ir::ScopeId scope);
    static void signOutputs(ir::Function &function, const GraphRecord &record);
    void enterTypes(const GraphRecord &record);
    void enterTexts(const GraphRecord &record);
    void enterInitializers(Body &body, const GraphRecord &record, ir::RegionId region);
    void checkInitializers(const Body &body, const GraphRecord &record);
    void node(Body &body, GraphRecord &record, NodeRecord &node, ir::RegionId region, ir::ScopeId outer);
    void keepTexts(ir::NodeDraft &draft, NodeExtras &extras);
    std::vector<ir::Operand> outputs(const GraphRecord &record);
    void addToModule(ir::TensorId tensor);
    ir::ValueId addWeight(Body &body, ir::RegionId region, ir::NameId name, ir::TensorId tensor);
    ir::ValueId resolve(ir::NameId name, const NodeRecord *reader) const;
    ir::TypeId tensorTypeOf(ir::TensorId tensor) const;
    void bind(ir::NameId name, ir::ValueId value) { m_values.set(name, value.index + 1); }
    /// Binds a name to a value; adds a note if a graph has bound the name before.
    void bindOnce(const Body &body, ir::RegionId region, ir::NameId name, ir::ValueId value);
    std::optional<ir::ValueId> boundTo(ir::NameId name) const;

    ir::Model &m_model;
    Notes &m_notes;
    TypeReader &m_types;
    const FunctionIndex &m_functions;
    const Task &m_task;
    NameTable<std::uint32_t> m_values; ///< 1 + the value's index; 0: none
    NameTable<ir::TypeId> m_recordedTypes;
    NodeOrder m_order;
    SourceLines m_sourceLines;
    ir::NameId m_callee;
    std::string_view m_lastModulePath; ///< the module of the last weight: weights of one module often follow each other
    ir::ModuleId m_lastModule;
};

} // namespace cutaway::formats::onnx
