// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/custom_nodes.h"
#include "core/convert/decomposed_nodes.h"
#include "core/convert/needed_values.h"
#include "core/ops/torch/autocast.h"

#include <unordered_map>

namespace cutaway::convert {

using rules::to_onnx::Lowered;
using rules::to_onnx::Lowering;
using rules::to_onnx::NewNode;
using rules::to_onnx::Term;

/// Returns the type that a tensor or number has in ONNX; nothing for other facts.
std::optional<ir::TensorType> onnxType(const ops::Fact &fact);
/// Returns the type that all items of a list of tensors have; nothing for another fact, for an empty list, or if the
/// dtypes differ or are not known.
std::optional<ir::TensorType> itemType(const ops::Fact &fact);

/// Returns why the facts that analysis has within a loop whose body has these inputs do not hold for every iteration;
/// nothing if they hold. They do not hold if analysis walked the iterations one by one: only then does it know numbers
/// or elements of the values that iterations carry. Also returns a reason if such a value is no tensor of known dtype.
std::optional<std::string> whyNotSteady(const analysis::Shapes &shapes, std::span<const ir::ValueId> inputs);

/// Translates one function, node by node, into the graph of an ONNX model.
class Translation : public rules::to_onnx::LoweredValues {
public:
    /// The arguments have to outlive the object.
    Translation(const ir::Model &source, ir::FunctionId function, const analysis::Shapes &shapes,
                const OnnxOptions &options);

    /// Errors: those of addInputs() and addOutput(); Cancelled.
    Result<Converted> run(const Task &task);

    const Lowered *of(ir::ValueId value) const override;
    ops::Fact fact(const ir::Operand &operand) const override;

private:
    const ir::Function &function() const { return m_source.at(m_function); }
    const ir::Graph &source() const { return function().graph; }

    /// Errors (Usage): an input that is neither tensor nor number, or of unknown shape or dtype.
    Result<void> addInputs();
    /// Errors: those of addOutput().
    Result<void> addOutputs();
    void lowerRegion(ir::RegionId region);
    void lowerNode(const ir::NodeRef &node);
    std::optional<std::string> lowerByRules(const ir::NodeRef &node);
    std::optional<std::string> lowerByRulesOrParts(const ir::NodeRef &node);
    std::optional<std::string> lowerDecomposed(const ir::NodeRef &node);
    const ops::Fact &factOf(ir::ValueId value) const;
    std::optional<std::string> castOperands(Lowering &l) const;
    std::optional<std::string> lowerIf(const ir::NodeRef &node);
    std::optional<std::string> lowerLoop(const ir::NodeRef &node);
    std::optional<std::string> lowerWhile(const ir::NodeRef &node);
    void takeBranch(const ir::NodeRef &node, ir::RegionId branch);
    void lowerBranch(const ir::NodeRef &node, ir::RegionId region);
    std::optional<std::string> lowerWrapper(const ir::NodeRef &node);
    std::optional<std::string> lowerSliced(const ir::NodeRef &node);
    void addRegionInput(ir::RegionId region, ir::ValueId value);
    struct LoopBody;
    LoopBody beginLoop(const ir::NodeRef &node, const Term &count, const Term &condition,
                       std::span<const ir::ValueId> inputs, std::span<const Lowered> initial);
    std::optional<std::string> endLoop(const ir::NodeRef &node, const LoopBody &body, const Lowered &condition,
                                       std::span<const ir::Operand> carried);
    void setRegionOutputs(ir::RegionId region, std::vector<ir::Operand> outputs);
    void setResults(const ir::NodeRef &node, const ir::NodeRef &made, std::size_t madeBefore);
    void addCustomNode(const ir::NodeRef &node, const NewNode &made);
    std::optional<std::string> lowerByTable(const ir::NodeRef &node, const CustomOperator &custom);
    void keep(const ir::NodeRef &node, const std::string &reason);
    void set(ir::ValueId value, Lowered lowered, std::size_t madeBefore);
    Lowered handedOn(Lowering &l, const Lowered &given, const ops::Fact &as);
    Lowered asDeclared(Lowering &l, const Lowered &lowered, ir::ValueId value);
    Lowering lowering(const ir::NodeRef &node);
    Lowered loweredResult(const ir::Operand &operand);
    /// Errors (Usage): a result that is no tensor, or a list whose length is not known.
    Result<void> addOutput(const Lowered &lowered, std::string_view name);
    ir::ValueId returned(ir::ValueId value);

    const ir::Model &m_source;
    ir::FunctionId m_function;
    const analysis::Shapes &m_shapes;
    OnnxOptions m_options;
    Converted m_converted;
    Losses m_losses;
    rules::to_onnx::OnnxGraph m_graph;
    ops::Signatures m_signatures;
    CustomNodes m_customNodes;
    ops::Calls m_calls;
    WrittenValues m_written;
    NeededValues m_needed;
    std::unique_ptr<DecomposedNodes> m_decomposed; ///< created when a node is found that no rule converts
    std::optional<ir::NodeRef> m_whole; ///< the node of the source that is being decomposed; nothing if none is
    std::unordered_map<ir::ValueId, Lowered> m_values;
    std::vector<ir::FunctionInput> m_inputs;
    std::vector<ir::FunctionOutput> m_outputs;
    std::unordered_set<ir::ValueId> m_returned;
    std::vector<ops::Autocast> m_autocasts; ///< the autocast blocks around the current node, innermost last
};

} // namespace cutaway::convert
