// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ir/cow_array.h"
#include "core/ir/ids.h"

#include <boost/container/small_vector.hpp>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace cutaway::ir {

class Context;

/// How a value comes to be.
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
/// A parameter, buffer or constant of the file, visible in `region` and the regions within.
struct Weight {
    RegionId region;
    TensorId tensor;
    bool operator==(const Weight &) const = default;
};
/// An input or weight that was taken away; nobody reads it.
struct NoDefinition {
    bool operator==(const NoDefinition &) const = default;
};
using Definition = std::variant<NodeResult, RegionInput, Weight, NoDefinition>;

/// Who reads a value: a node's argument, or a region's output. One entry per occurrence.
using Use = std::variant<NodeId, RegionId>;

struct Value {
    NameId name;
    TypeId type; ///< what the file records, or what the maker of the value knows
    Definition definition;
    boost::container::small_vector<Use, 2> uses;
};

struct Node {
    OpId op;
    NameId name;
    ScopeId scope;
    LocationId location;
    RegionId parent;
    bool removed = false; ///< ids are for life: a removed node keeps its place
    std::vector<Argument> arguments;
    boost::container::small_vector<ValueId, 2> outputs;
    std::vector<RegionId> regions;
    std::vector<NodeId> origins;                     ///< the nodes this one was made from; empty: from the file
    std::vector<std::pair<NameId, NameId>> metadata; ///< what the file says beside the operator (docs, rewriter rules)
};

/// A list of nodes with inputs and outputs: a function's body, a branch, a loop body.
struct Region {
    NameId name;
    std::optional<NodeId> owner; ///< empty for the body
    std::vector<ValueId> inputs;
    std::vector<NodeId> nodes; ///< in execution order, removed ones left out
    std::vector<Operand> outputs;
};

/// What nodes a region is to have, in execution order.
struct RegionOrder {
    RegionId region;
    std::vector<NodeId> nodes;
};

/// What append() and insertBefore() make a node from.
struct NodeDraft {
    OpId op;
    NameId name;
    ScopeId scope;
    LocationId location;
    std::vector<Argument> arguments;
    std::vector<NodeId> origins;
    std::vector<std::pair<NameId, NameId>> metadata;
};

/// The nodes and values of one function, all regions together, in SSA form. A value: copying shares (see CowArray).
/// Everything that changes a graph goes through the functions below, which keep the use lists right.
class Graph {
public:
    explicit Graph(std::shared_ptr<Context> context);

    Context &context() const { return *m_context; }
    const std::shared_ptr<Context> &sharedContext() const { return m_context; }
    static constexpr RegionId body{0};

    const Node &at(NodeId id) const { return m_nodes[id.index]; }
    const Value &at(ValueId id) const { return m_values[id.index]; }
    const Region &at(RegionId id) const { return m_regions[id.index]; }
    /// Ids ever given, removed ones included.
    std::uint32_t nodeCount() const { return m_nodes.size(); }
    std::uint32_t valueCount() const { return m_values.size(); }
    std::uint32_t regionCount() const { return m_regions.size(); }

    ValueId addInput(RegionId region, NameId name, TypeId type);
    ValueId addWeight(RegionId region, NameId name, TypeId type, TensorId tensor);
    /// A region of `owner`, after those it has.
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
    /// Every use of `from` reads `to` instead. O(uses).
    void replaceUses(ValueId from, const Operand &to);
    /// Takes a node out, with its regions. Its outputs must have no uses (asserted).
    void remove(NodeId node);
    /// The same for many, whose outputs must have no uses but by each other. O(nodes of their regions), once.
    void remove(const std::vector<NodeId> &nodes);
    /// Puts the nodes of a region into this order; those of other regions among them move here. None of the region's
    /// own may be missing (asserted).
    void reorder(RegionId region, std::vector<NodeId> order);
    /// The same for several regions at once, so that nodes may go from each to any other.
    void reorder(std::vector<RegionOrder> orders);
    /// Takes an input away that nobody reads (asserted); those behind it move up.
    void removeInput(RegionId region, std::uint32_t index);
    /// Makes a weight visible in this region and those within, which must have all that read it.
    void moveWeight(ValueId weight, RegionId region);
    /// Takes a weight away that nobody reads (asserted).
    void removeWeight(ValueId weight);

    /// Puts back what an earlier state of this graph had and this one has no more: nodes, where they stood; inputs,
    /// behind the others; and what a node or a region's output read, beside what it reads now. To look at two states in
    /// one: verify() need not hold, since a value may be read before it is made. O(nodes).
    void restore(const Graph &earlier);

    /// Whether node `id` is stored once for both graphs, so surely unchanged between two steps of a history.
    bool sharesNode(const Graph &other, NodeId id) const { return m_nodes.sharesWith(other.m_nodes, id.index); }

private:
    NodeId addNode(RegionId region, NodeDraft draft);
    void addUses(const Operand &operand, Use user);
    void dropUses(const Operand &operand, Use user);
    void unlink(NodeId node);
    void restoreOrder(const Graph &earlier, RegionId region, const std::vector<bool> &isRestored);
    void restoreOutputs(const Graph &earlier, RegionId region);
    void restoreDefinition(const Graph &earlier, ValueId value);
    void restoreReads(const Graph &earlier, NodeId node);

    std::shared_ptr<Context> m_context;
    CowArray<Node> m_nodes;
    CowArray<Value> m_values;
    CowArray<Region> m_regions;
};

} // namespace cutaway::ir
