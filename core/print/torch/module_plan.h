// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/torch/layers.h"

#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <variant>

namespace cutaway::ir {
struct Function;
}

namespace cutaway::print {

struct ModuleCall;

/// A step of a forward(): a node, or the call of a submodule.
using PlanItem = std::variant<ir::NodeId, std::shared_ptr<const ModuleCall>>;

/// A call of a module, with the steps of its forward().
struct ModuleCall {
    std::string path; ///< "" for the model itself
    std::string key;  ///< identifies this call among all calls of the module
    std::vector<PlanItem> items;
    std::vector<ir::Operand> inputs; ///< the operands of the call: values, and tensors that lie in other modules
    std::vector<ir::ValueId> outputs;
};

/// Divides a function's nodes among the calls of modules. A module call whose nodes stand together is a call in the
/// printed code; the nodes of other calls are steps of the module around them. So the order of nodes is kept.
class ModulePlan {
public:
    /// `isFlat`: all nodes but those of torch.nn's modules are steps of the model itself. `dissolved` has the keys of
    /// calls whose nodes are steps of the module around them.
    ModulePlan(const ir::Model &model, const ir::Function &function, const TensorPaths &paths,
               ops::Signatures &signatures, bool isFlat, std::set<std::string> dissolved);

    const ModuleCall &root() const { return m_root; }
    /// Returns the module of torch.nn whose call a node is; nullptr for other nodes.
    const Layer *layer(ir::NodeId node) const;
    const std::map<std::string, Layer, std::less<>> &layers() const { return m_layersByPath; }
    /// Returns the literal of a constant: "torch.tensor(7)"; nullptr for other tensors.
    const std::string *literal(ir::TensorId tensor) const;
    /// Whether a call only calls modules one after the other, as torch.nn.Sequential does.
    bool isChain(const ModuleCall &call) const;

private:
    struct Step {
        std::string path;
        std::string key;
        bool isCall = true; ///< false for a step that is only a part of a call's path
    };
    struct Link {
        std::string_view path;
        ir::Operand data;
        ir::ValueId result;
    };
    using Nodes = std::span<const ir::NodeId>;
    using Paths = std::set<std::string, std::less<>>;

    void findLiterals();
    bool isReadAlone(ir::ValueId value);
    void findLayers();
    Paths collectLayers();
    void refuseForTensors(Paths &refused) const;
    std::string_view pathOf(ir::NodeId node) const;
    void findTopNodes();
    std::vector<Step> stepsOf(ir::ScopeId scope) const;
    const Step *stepAt(ir::NodeId node, std::size_t depth);
    std::vector<PlanItem> build(Nodes nodes, std::size_t depth);
    std::shared_ptr<ModuleCall> makeCall(Nodes nodes, const Step &step, std::size_t depth);
    std::optional<Link> linkOf(const PlanItem &item) const;
    void bindCall(ModuleCall &call, Nodes nodes) const;
    bool isDefinedWithin(ir::ValueId value, ir::NodeId node, const std::unordered_set<ir::ValueId> &defined) const;
    void bindReads(ModuleCall &call, ir::NodeId node, const std::unordered_set<ir::ValueId> &defined,
                   std::unordered_set<ir::ValueId> &seen) const;

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const TensorPaths &m_paths;
    ops::Signatures &m_signatures;
    bool m_isFlat;
    std::set<std::string> m_dissolved;
    bool m_hasDissolved = false;
    std::unordered_map<ir::TensorId, std::string> m_literals;
    std::unordered_map<ir::NodeId, Layer> m_layers;
    std::map<std::string, Layer, std::less<>> m_layersByPath;
    std::vector<ir::NodeId> m_topNodes; ///< by NodeId: the node of the function's body that is or contains this node
    std::unordered_map<ir::ScopeId, std::vector<Step>> m_steps;
    ModuleCall m_root;
};

} // namespace cutaway::print
