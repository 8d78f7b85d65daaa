// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"
#include "core/base/task.h"
#include "core/base/unique_names.h"
#include "core/rewrite/node_moves.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::rewrite {

/// The only way for passes to change a function. It keeps the signature in step with the graph, records of each new
/// node which nodes it was made from, and delays the insertion of new nodes and the removal of old ones until the pass
/// is over, so that the cost of a change does not depend on the length of the graph.
class Rewriter : public analysis::Reading {
public:
    /// `shapes` returns the derived shapes of the function in its present state, if a pass asks for them. `estimates`
    /// returns those derived with the user's values for inputs, by default `shapes`. `task` has to outlive this object.
    Rewriter(ir::Model &model, ir::FunctionId function, std::function<const analysis::Shapes &()> shapes,
             const Task &task, std::function<const analysis::Shapes &()> estimates = {});

    const Task &task() const { return m_task; }
    /// Adds a sentence for the user about what the pass left and why; "" adds nothing.
    void remark(std::string sentence);
    const std::vector<std::string> &remarks() const { return m_remarks; }

    /// Returns the shapes derived with the values that the user gives for inputs. A pass may decide by them what is
    /// better, but they do not hold for every input.
    const analysis::Shapes &estimates() const { return m_estimates ? m_estimates() : shapes(); }

    /// Records that `made`, a value that the pass made, is equal to `before`: what is derived of `before` holds of
    /// `made`, too.
    using Reading::learn;
    /// Sets the origins of nodes made from now on; a node made in place of another one is drawn at its position.
    void from(std::vector<ir::NodeId> origins);
    struct Make {
        std::string_view dialect, name, overload = {};
        std::vector<ir::Argument> arguments;
    };
    /// Inserts a node before `next`, without results yet.
    ir::NodeRef insertBefore(ir::NodeId next, Make make);
    ir::ValueId addOutput(ir::NodeId node, ir::TypeId type, std::string_view name = {});
    /// Inserts the node of `draft` before `next` unchanged, except that it gets the origins of all new nodes.
    ir::NodeRef insertBefore(ir::NodeId next, ir::NodeDraft draft);
    /// Appends a node to a region that the pass made.
    ir::NodeRef append(ir::RegionId region, ir::NodeDraft draft);
    /// Adds a region to a node that the pass made.
    ir::RegionId addRegion(ir::NodeId owner, ir::NameId name);
    ir::ValueId addRegionInput(ir::RegionId region, ir::NameId name, ir::TypeId type);
    /// Inserts a node with one result before `next`; returns the result.
    ir::ValueId makeBefore(ir::NodeId next, Make make, ir::TypeId type);
    /// Adds a tensor of the model with these bytes, row by row, and returns its value in the body. The tensor gets a
    /// name that no other tensor has. Names are paths of modules: a tensor that belongs to a weight "w" is called
    /// "w_scale", not "w.scale".
    ir::ValueId addConstant(std::string_view name, ir::DType dtype, std::vector<std::int64_t> shape,
                            std::vector<std::byte> bytes, ir::Tensor::Kind kind = ir::Tensor::Kind::Constant);
    /// Adds a tensor that lies in the storage of `of` with these strides, and returns its value in the body; nothing is
    /// copied.
    ir::ValueId addView(ir::TensorId of, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides);
    /// Returns the value of the body for a tensor of the model; a new value if there is none yet.
    ir::ValueId weight(ir::TensorId tensor, ir::NameId name, ir::TypeId type);
    /// Adds a value for a tensor of the model to a region, and returns it.
    ir::ValueId addRegionWeight(ir::RegionId region, ir::TensorId tensor, std::string_view name, ir::TypeId type);
    /// Replaces `from` by `to` wherever it is read: in nodes, regions and the signature. A value `to` without a type
    /// takes that of `from`.
    void replaceUses(ir::ValueId from, const ir::Operand &to);
    void setArguments(ir::NodeId node, std::vector<ir::Argument> arguments);
    void setArgument(ir::NodeId node, std::string_view name, ir::Operand value);
    /// Sets an argument by its position in the schema, as Reading::argument() finds it.
    void setArgument(const ir::NodeRef &node, std::size_t position, ir::Operand value);
    /// Changes the operator of a node that keeps its position, arguments and results.
    void setOperator(ir::NodeId node, std::string_view dialect, std::string_view name, std::string_view overload);
    /// Sets all outputs of a region; the signature follows those of the body.
    void setOutputs(ir::RegionId region, std::vector<ir::Operand> outputs);
    /// Adds an output for the new value of an input or buffer, after other mutations and before the outputs that the
    /// user gets.
    void returnMutation(ir::FunctionOutput::Kind kind, ir::NameId target, const ir::Operand &value);
    void setType(ir::ValueId value, ir::TypeId type);
    void setName(ir::ValueId value, std::string_view name);
    void setScope(ir::NodeId node, ir::ScopeId scope);
    /// Removes a node; its results may not be read any more (asserted when the pass is over).
    void remove(ir::NodeId node);
    /// Moves all nodes of a region, and its weights, to before a node in another region.
    void inlineRegion(ir::RegionId region, ir::NodeId before);
    /// Moves nodes into a region that the pass made, in this order.
    void moveInto(ir::RegionId region, const std::vector<ir::NodeId> &nodes);
    void reorder(ir::RegionId region, std::vector<ir::NodeId> order);
    /// Replaces the weight `from` by the weight `to`, also as the default of an input of the signature.
    void replaceDefault(ir::ValueId from, ir::ValueId to);
    void removeInput(std::size_t position); ///< removes the input from the signature and, if it is there, from the body
    void removeWeight(ir::ValueId weight);  ///< removes a weight that nothing reads
    /// Removes all tensors but these from the module tree.
    void keepInModules(const std::unordered_set<ir::TensorId> &tensors);

    /// Inserts, moves and removes the nodes. Afterwards the graph is whole; called when the pass is over.
    void finish();

    ir::NameId text(std::string_view text) { return context().name(text); }

private:
    ir::Function &editedFunction() { return m_edited.functions[functionId().index]; }
    ir::Graph &editedGraph() { return editedFunction().graph; }
    std::string freshTensorName(std::string_view wanted);

    ir::Model &m_edited;
    std::function<const analysis::Shapes &()> m_estimates;
    const Task &m_task;
    std::vector<ir::NodeId> m_origins;
    NodeMoves m_moves;
    std::unordered_map<ir::TensorId, ir::ValueId> m_weights; ///< the body's weights, found when first asked for
    std::optional<UniqueNames> m_tensorNames;                ///< filled when the first tensor is made
    std::vector<ir::NodeId> m_removed;
    std::vector<std::string> m_remarks;
};

} // namespace cutaway::rewrite
