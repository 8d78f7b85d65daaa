// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/unique_names.h"
#include "core/ops/calls.h"
#include "core/ops/torch/signatures.h"

#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::passes {

/// The one door through which passes change a function. It keeps the signature in step with the graph, says of each new
/// node what it was made from, and holds back where new nodes stand and old ones go until the pass is over, so that a
/// change costs what it touches however long the graph is.
class Rewriter {
public:
    /// `shapes`: what is derived of the function as it is; not every pass asks. `estimates`: the same with what the
    /// user gives of inputs, by default the same. `task` has to outlive this.
    Rewriter(ir::Model &model, ir::FunctionId function, std::function<const analysis::Shapes &()> shapes,
             const Task &task, std::function<const analysis::Shapes &()> estimates = {});

    const ir::Model &model() const { return m_model; }
    const ir::Function &function() const { return m_model.at(m_function); }
    ir::FunctionId functionId() const { return m_function; }
    const ir::Graph &graph() const { return function().graph; }
    ir::Context &context() const { return *m_model.context; }
    bool stopRequested() const { return m_task.stopRequested(); }
    const Task &task() const { return m_task; }
    /// Tells the user what the pass left and why, as a sentence; "" says nothing.
    void remark(std::string sentence);
    const std::vector<std::string> &remarks() const { return m_remarks; }

    // Reading.
    ir::NodeRef node(ir::NodeId id) const { return {graph(), id}; }
    /// The nodes of a region and of those within, each before what its regions hold, in execution order as it was when
    /// the pass began. Some may be removed since.
    std::vector<ir::NodeRef> nodes(ir::RegionId region = ir::Graph::body) const;
    /// What is derived of a value; of one that the pass made, or that a loop makes anew each turn, what its type says.
    ops::Fact fact(const ir::Operand &operand);
    /// The same, if it follows from the inputs: unknown where it is, or follows from, a type of a value inside that
    /// only the file records. A runtime does not hold a model to that, so it is no reason to change what is computed.
    ops::Fact proven(const ir::Operand &operand);
    /// Whether what is derived of a value is, or follows from, such a type.
    bool restsOnRecord(ir::ValueId value) { return recorded().contains(value); }
    /// A value that the pass made is as one that was there: what is derived of that holds of it, too.
    void learn(ir::ValueId made, ir::ValueId before);
    /// All that is derived of the function, as it was when the pass began.
    const analysis::Shapes &shapes() const { return m_shapes(); }
    /// The same with what the user gives of inputs: it may decide what is better, but is not so for every input.
    const analysis::Shapes &estimates() const { return m_estimates ? m_estimates() : m_shapes(); }
    ops::OperatorKind kind(const ir::NodeRef &node);
    const ops::Operator *row(const ir::NodeRef &node);                           ///< nullptr: the operator is unknown
    const ops::Signature *signature(ir::OpId op) { return m_signatures.of(op); } ///< nullptr: of ONNX, or unknown
    /// What a node gives for a parameter of its schema, by name or in its position; nullptr where it gives nothing, as
    /// where None stands in the position.
    const ir::Operand *argument(const ir::NodeRef &node, std::string_view parameter);
    /// The same of what has a schema; of ONNX the input in a position.
    const ir::Operand *argument(const ir::NodeRef &node, std::string_view parameter, std::size_t onnxPosition);
    /// The same at a position that a reader of arguments names, as ops::convolutionArguments() does.
    const ir::Operand *argument(const ir::NodeRef &node, ops::Position position);
    /// The node for a reader of arguments, valid as long as the node is.
    ops::Call call(const ir::NodeRef &node) { return m_calls.of(node); }
    /// Whether the node may be left out if its results are not read, and done once instead of twice: it writes to
    /// nothing, draws nothing, and prints and raises nothing. Not of unknown operators.
    bool isPure(const ir::NodeRef &node);
    /// Whether it draws random numbers, which a dropout does only in training.
    bool isRandom(const ir::NodeRef &node);
    /// Whether it writes to one of its arguments.
    bool writes(const ir::NodeRef &node);
    /// Uses in and below the body, the returned ones included.
    std::size_t useCount(ir::ValueId value) const { return graph().at(value).uses.size(); }
    bool isReturned(ir::ValueId value) const;
    /// The tensor of the file that an operand is, if nothing in the function can write to it and no caller replace it.
    std::optional<ir::TensorId> constant(const ir::Operand &operand);
    /// Values that something in the function may write to, as it was when the pass began; see written.h.
    const std::unordered_set<ir::ValueId> &written();

    // Writing.
    /// Nodes made from now on come from these; what is made in place of one is drawn where that was.
    void from(std::vector<ir::NodeId> origins);
    struct Make {
        std::string_view dialect, name, overload = {};
        std::vector<ir::Argument> arguments;
    };
    /// A node before `next`, without results yet.
    ir::NodeRef insertBefore(ir::NodeId next, Make make);
    ir::ValueId addOutput(ir::NodeId node, ir::TypeId type, std::string_view name = {});
    /// The same as a whole, to the letter; origins are as with all that is made.
    ir::NodeRef insertBefore(ir::NodeId next, ir::NodeDraft draft);
    /// A node at the end of a region that the pass made.
    ir::NodeRef append(ir::RegionId region, ir::NodeDraft draft);
    /// A region of a node that the pass made.
    ir::RegionId addRegion(ir::NodeId owner, ir::NameId name);
    ir::ValueId addRegionInput(ir::RegionId region, ir::NameId name, ir::TypeId type);
    /// Both, for one result.
    ir::ValueId makeBefore(ir::NodeId next, Make make, ir::TypeId type);
    /// A tensor of the model with these bytes, row by row, and the value that it is in the body. It gets a name that no
    /// other tensor has. Names are paths of modules: what belongs to a weight "w" is called "w_scale", not "w.scale".
    ir::ValueId addConstant(std::string_view name, ir::DType dtype, std::vector<std::int64_t> shape,
                            std::vector<std::byte> bytes, ir::Tensor::Kind kind = ir::Tensor::Kind::Constant);
    /// The same for a tensor that lies where another one lies, which has strides; nothing is copied.
    ir::ValueId addView(ir::TensorId of, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides);
    /// The value that a tensor of the model is in the body; a new one if it has none.
    ir::ValueId weight(ir::TensorId tensor, ir::NameId name, ir::TypeId type);
    /// The value that a tensor of the model is in a region; a new one.
    ir::ValueId addRegionWeight(ir::RegionId region, ir::TensorId tensor, std::string_view name, ir::TypeId type);
    /// Everybody who reads `from` reads `to`, in nodes, regions and the signature. A value without a type takes that of
    /// the one whose place it takes.
    void replaceUses(ir::ValueId from, const ir::Operand &to);
    void setArguments(ir::NodeId node, std::vector<ir::Argument> arguments);
    void setArgument(ir::NodeId node, std::string_view name, ir::Operand value);
    /// By position, as a reader of arguments names it.
    void setArgument(const ir::NodeRef &node, std::size_t position, ir::Operand value);
    /// Another operator for a node that keeps its place, its arguments and results.
    void setOperator(ir::NodeId node, std::string_view dialect, std::string_view name, std::string_view overload);
    /// As many as it has; those of the body are in the signature, too.
    void setOutputs(ir::RegionId region, std::vector<ir::Operand> outputs);
    /// Returns what an input or buffer becomes, behind other mutations and in front of what the user gets.
    void returnMutation(ir::FunctionOutput::Kind kind, ir::NameId target, const ir::Operand &value);
    void setType(ir::ValueId value, ir::TypeId type);
    void setName(ir::ValueId value, std::string_view name);
    void setScope(ir::NodeId node, ir::ScopeId scope);
    /// Takes a node out; its results may not be read any more (asserted when the pass is over).
    void remove(ir::NodeId node);
    bool isRemoved(ir::NodeId node) const { return m_isRemoved[node.index]; }
    /// Moves all nodes of a region to the place of a node in another one, and its weights.
    void inlineRegion(ir::RegionId region, ir::NodeId before);
    /// Moves nodes into a region that the pass made, in this order.
    void moveInto(ir::RegionId region, const std::vector<ir::NodeId> &nodes);
    void reorder(ir::RegionId region, std::vector<ir::NodeId> order);
    /// The weight `to` takes the place of the weight `from`, also as the default of an input of the signature.
    void replaceDefault(ir::ValueId from, ir::ValueId to);
    void removeInput(std::size_t position); ///< of the signature and, if it is there, of the body
    void removeWeight(ir::ValueId weight);  ///< that is not read
    /// Takes all other tensors out of the module tree.
    void keepInModules(const std::unordered_set<ir::TensorId> &tensors);

    /// Puts everything in its place. Afterwards the graph is whole; called when the pass is over.
    void finish();

    ir::NameId text(std::string_view text) { return context().name(text); }

private:
    ir::Function &editedFunction() { return m_model.functions[m_function.index]; }
    ir::Graph &editedGraph() { return editedFunction().graph; }
    const ops::Fact *derived(ir::ValueId value);
    const std::unordered_set<ir::ValueId> &recorded();
    bool isOutOfTraining(const ir::NodeRef &node);
    bool isRepeated(ir::RegionId region);
    std::vector<ir::NodeId> orderOf(ir::RegionId region) const;
    void putBefore(ir::NodeId node, std::vector<ir::NodeId> &order) const;
    void putInOrder();
    void moveWeights();
    ir::ValueId addTensor(ir::Tensor tensor, ir::NameId name);
    std::string freshTensorName(std::string_view wanted);

    ir::Model &m_model;
    ir::FunctionId m_function;
    std::function<const analysis::Shapes &()> m_shapes;
    std::function<const analysis::Shapes &()> m_estimates;
    const Task &m_task;
    ops::Signatures m_signatures;
    ops::Calls m_calls;
    std::unordered_map<ir::OpId, ops::OperatorKind> m_kinds;
    std::unordered_map<ir::OpId, const ops::Operator *> m_rows;
    std::unordered_map<ir::RegionId, bool> m_isRepeated;
    std::unordered_map<ir::ValueId, ops::Fact> m_learned;
    std::optional<std::unordered_set<ir::ValueId>> m_written;
    std::optional<std::unordered_set<ir::ValueId>> m_recorded; ///< their type is the file's, or follows from such ones
    std::vector<ir::NodeId> m_origins;
    std::unordered_map<ir::NodeId, std::vector<ir::NodeId>> m_placedBefore;
    std::unordered_set<ir::NodeId> m_placed; ///< before others
    std::unordered_map<ir::RegionId, std::vector<ir::NodeId>> m_movedInto;
    std::unordered_set<ir::NodeId> m_moved;                   ///< into any of these; what is placed before them is not
    std::unordered_map<ir::RegionId, ir::NodeId> m_dissolved; ///< regions whose nodes are placed before a node
    std::unordered_map<ir::TensorId, ir::ValueId> m_weights;  ///< of the body, found when first asked for
    std::optional<UniqueNames> m_tensorNames;                 ///< filled when the first tensor is made
    std::vector<ir::NodeId> m_removed;
    std::vector<bool> m_isRemoved; ///< by NodeId
    std::vector<std::string> m_remarks;
    std::set<ir::RegionId> m_disordered;
};

} // namespace cutaway::passes
