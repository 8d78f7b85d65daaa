// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"
#include "core/base/task.h"
#include "core/base/unique_names.h"

#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::passes {

/// The one door through which passes change a function. It keeps the signature in step with the graph, says of each new
/// node what it was made from, and holds back where new nodes stand and old ones go until the pass is over, so that a
/// change costs what it touches however long the graph is.
class Rewriter : public analysis::Reading {
public:
    /// `shapes` gives what is derived of the function as it is; not every pass asks. `estimates` gives the same with
    /// what the user gives of inputs, by default `shapes`. `task` has to outlive this.
    Rewriter(ir::Model &model, ir::FunctionId function, std::function<const analysis::Shapes &()> shapes,
             const Task &task, std::function<const analysis::Shapes &()> estimates = {});

    bool stopRequested() const { return m_task.stopRequested(); }
    const Task &task() const { return m_task; }
    /// Tells the user what the pass left and why, as a sentence; "" says nothing.
    void remark(std::string sentence);
    const std::vector<std::string> &remarks() const { return m_remarks; }

    /// What is derived with what the user gives of inputs: it may decide what is better, but is not so for every input.
    const analysis::Shapes &estimates() const { return m_estimates ? m_estimates() : shapes(); }

    /// `made`, a value that the pass made, is equal to `before`: what is derived of that holds of it, too.
    using Reading::learn;
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
    ir::Function &editedFunction() { return m_edited.functions[functionId().index]; }
    ir::Graph &editedGraph() { return editedFunction().graph; }
    std::vector<ir::NodeId> orderOf(ir::RegionId region) const;
    void putBefore(ir::NodeId node, std::vector<ir::NodeId> &order) const;
    void putInOrder();
    void moveWeights();
    ir::ValueId addTensor(ir::Tensor tensor, ir::NameId name);
    std::string freshTensorName(std::string_view wanted);

    ir::Model &m_edited;
    std::function<const analysis::Shapes &()> m_estimates;
    const Task &m_task;
    std::vector<ir::NodeId> m_origins;
    std::unordered_map<ir::NodeId, std::vector<ir::NodeId>> m_placedBefore;
    std::unordered_set<ir::NodeId> m_placed; ///< before others
    std::unordered_map<ir::RegionId, std::vector<ir::NodeId>> m_movedInto;
    std::unordered_set<ir::NodeId> m_moved;                   ///< into any of these; what is placed before them is not
    std::unordered_map<ir::RegionId, ir::NodeId> m_dissolved; ///< regions whose nodes are placed before a node
    std::unordered_map<ir::TensorId, ir::ValueId> m_weights;  ///< of the body, found when first asked for
    std::optional<UniqueNames> m_tensorNames;                 ///< filled when the first tensor is made
    std::vector<ir::NodeId> m_removed;
    std::vector<std::string> m_remarks;
    std::set<ir::RegionId> m_disordered;
};

} // namespace cutaway::passes
