// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ir/cow_array.h"
#include "core/ir/lists.h"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace cutaway::ir {

class Context;

/// A value's definition as a node's output.
struct NodeResult {
    NodeId node;
    std::uint32_t index = 0;
    bool operator==(const NodeResult &) const = default;
};
struct RegionInput {
    RegionId region;
    std::uint32_t index = 0;
    bool operator==(const RegionInput &) const = default;
};
/// A parameter, buffer or constant of the file, visible in `region` and its nested regions.
struct Weight {
    RegionId region;
    TensorId tensor;
    bool operator==(const Weight &) const = default;
};
/// A removed input or weight, which has no uses.
struct NoDefinition {
    bool operator==(const NoDefinition &) const = default;
};
using Definition = std::variant<NodeResult, RegionInput, Weight, NoDefinition>;

/// A use of a value: by a node's argument or a region's output. One entry per occurrence.
using Use = std::variant<NodeId, RegionId>;

struct Value {
    NameId name;
    TypeId type; ///< the type that the file records, or that was given when the value was made
    Definition definition;
    ShortList<Use, 1> uses;
};

struct Node {
    OpId op;
    NameId name;
    ScopeId scope;
    LocationId location;
    RegionId parent;
    bool removed = false; ///< ids are never reused: a removed node keeps its entry
    std::vector<Argument> arguments;
    ShortList<ValueId, 2> outputs;
    RareList<RegionId> regions;
    RareList<NodeId> origins; ///< the nodes that this node replaces; empty: it was read from the file
    RareList<std::pair<NameId, NameId>> metadata; ///< further properties from the file (docs, rewriter rules)
};

/// A list of nodes with inputs and outputs: a function's body, a branch, a loop body.
struct Region {
    NameId name;
    std::optional<NodeId> owner; ///< nothing for the function's body
    std::vector<ValueId> inputs;
    std::vector<NodeId> nodes; ///< in execution order, without removed nodes
    std::vector<Operand> outputs;
};

/// A region, and the order of execution that its nodes will get.
struct RegionOrder {
    RegionId region;
    std::vector<NodeId> nodes;
};

/// The arguments of append() and insertBefore().
struct NodeDraft {
    OpId op;
    NameId name;
    ScopeId scope;
    LocationId location;
    std::vector<Argument> arguments;
    std::vector<NodeId> origins;
    std::vector<std::pair<NameId, NameId>> metadata;
};

/// The nodes and values of one function with all its regions, in SSA form. A value type: copies share storage (see
/// CowArray). Graphs are changed only through the functions below, which keep the use lists correct.
class Graph {
public:
    explicit Graph(std::shared_ptr<Context> context);

    Context &context() const { return *m_context; }
    const std::shared_ptr<Context> &sharedContext() const { return m_context; }
    static constexpr RegionId body{0};

    const Node &at(NodeId id) const { return m_nodes[id.index]; }
    const Value &at(ValueId id) const { return m_values[id.index]; }
    const Region &at(RegionId id) const { return m_regions[id.index]; }
    /// Returns the number of ids that were ever given, including those of removed nodes.
    std::uint32_t nodeCount() const { return m_nodes.size(); }
    std::uint32_t valueCount() const { return m_values.size(); }
    std::uint32_t regionCount() const { return m_regions.size(); }

    ValueId addInput(RegionId region, NameId name, TypeId type);
    ValueId addWeight(RegionId region, NameId name, TypeId type, TensorId tensor);
    /// Appends a region to the node `owner`.
    RegionId addRegion(NodeId owner, NameId name);
    NodeId append(RegionId region, NodeDraft draft);
    NodeId insertBefore(NodeId next, NodeDraft draft);
    ValueId addOutput(NodeId node, NameId name, TypeId type);
    void setOutputs(RegionId region, std::vector<Operand> outputs);

    void setOperator(NodeId node, OpId op);
    void setArguments(NodeId node, std::vector<Argument> arguments);
    void setType(ValueId value, TypeId type);
    void setName(ValueId value, NameId name);
    void setScope(NodeId node, ScopeId scope);
    void setName(NodeId node, NameId name);
    void setLocation(NodeId node, LocationId location);
    /// Replaces every use of `from` by `to`. O(uses).
    void replaceUses(ValueId from, const Operand &to);
    /// Removes a node and its regions. Its outputs must have no uses (asserted).
    void remove(NodeId node);
    /// Removes nodes whose outputs are used only by each other. O(nodes of their regions).
    void remove(const std::vector<NodeId> &nodes);
    /// Sets the order of a region's nodes; listed nodes of other regions move here. All nodes that are in the region
    /// must be listed (asserted).
    void reorder(RegionId region, std::vector<NodeId> order);
    /// Reorders several regions at once, so that nodes can move between any of them.
    void reorder(std::vector<RegionOrder> orders);
    /// Removes an input without uses (asserted); the later inputs move up.
    void removeInput(RegionId region, std::uint32_t index);
    /// Makes a weight visible in `region` and its nested regions, which must contain all its uses.
    void moveWeight(ValueId weight, RegionId region);
    /// Makes a weight stand for another tensor, which its type must fit.
    void setTensor(ValueId weight, TensorId tensor);
    /// Removes a weight without uses (asserted).
    void removeWeight(ValueId weight);

    /// Restores what an earlier state of this graph had and this one has lost: nodes in their old position; inputs,
    /// appended at the end; and the old operands of nodes and region outputs, after the new ones. Two states can so
    /// be shown in one graph; verify() may fail for it, because a value may be used before its definition. O(nodes).
    void restore(const Graph &earlier);

    /// Whether both graphs share the storage of node `id`, so that it did not change between two steps of a history.
    bool sharesNode(const Graph &other, NodeId id) const { return m_nodes.sharesWith(other.m_nodes, id.index); }

private:
    NodeId addNode(RegionId region, NodeDraft draft);
    void addUses(const Operand &operand, Use user);
    void dropUses(const Operand &operand, Use user);
    void unlink(NodeId node);
    void restoreOrder(const Graph &earlier, RegionId region, const std::vector<bool> &isRestored);
    void restoreDefinition(const Graph &earlier, ValueId value);

    std::shared_ptr<Context> m_context;
    CowArray<Node> m_nodes;
    CowArray<Value> m_values;
    CowArray<Region> m_regions;
};

} // namespace cutaway::ir
