// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/term.h"
#include "core/ir/model.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::formats::torchscript {

/// The module call and the source line that a node comes from.
struct NodeOrigin {
    ir::ScopeId scope;
    ir::LocationId location;
};

/// Builds one graph: appends nodes to the current region, makes names unique, and makes weights and module boxes when
/// they are first needed.
class GraphBuilder {
public:
    GraphBuilder(ir::Model &model, const Objects &objects, Types &types);

    ir::Graph graph;

    ir::RegionId region() const { return m_region; }
    ir::RegionId addRegion(ir::NodeId node, std::string_view name)
    {
        return graph.addRegion(node, m_context.name(name));
    }
    /// Makes a region the current one during its lifetime.
    class InRegion {
    public:
        InRegion(GraphBuilder &builder, ir::RegionId region)
            : m_region(builder.m_region),
              m_outer(std::exchange(builder.m_region, region))
        {
        }
        ~InRegion() { m_region = m_outer; }
        InRegion(const InRegion &) = delete;
        InRegion &operator=(const InRegion &) = delete;

    private:
        ir::RegionId &m_region;
        ir::RegionId m_outer;
    };

    /// Appends a node without a name; addResult() adds its results.
    ir::NodeId append(const NodeOrigin &origin, ir::OpId op, std::vector<ir::Argument> arguments);
    /// Appends a node of the operator `prim` of the dialect prim.
    ir::NodeId append(const NodeOrigin &origin, std::string_view prim, std::vector<ir::Argument> arguments);
    /// Adds a result to a node. `hint` is the name that the code gives the result; "" or "_3" if it has none of its
    /// own.
    Typed addResult(ir::NodeId node, ir::TypeId type, std::string_view hint);
    /// Appends a node of the dialect prim with one result.
    Typed emit(const NodeOrigin &origin, std::string_view prim, std::vector<ir::Argument> arguments, ir::TypeId type,
               std::string_view hint = {});
    /// Appends a prim::GetAttr.
    Typed attribute(const NodeOrigin &origin, const ir::Operand &self, std::string_view name, ir::TypeId type,
                    std::string_view hint);
    Typed addInput(ir::RegionId region, ir::TypeId type, std::string_view hint);

    /// Renames an input of the graph that a call returns unchanged: torch names it as the call's result is named.
    void renameInput(const ir::Operand &operand, std::string_view hint);

    /// Returns a parameter, buffer or constant tensor as a value.
    Typed weight(ir::TensorId tensor);
    /// Returns the root module as a value: an input that the first call of this function adds.
    Typed root();
    bool hasRoot() const { return m_root.has_value(); }
    /// Returns a module as a value, for attributes only known when the graph runs: interfaces and changing attributes.
    Typed module(const NodeOrigin &origin, const ModuleTerm &module);

    /// Returns the scope of a call of the module at `path`, which is relative to the module of `from`.
    ir::ScopeId enter(ir::ScopeId from, std::string_view path);

    /// Returns the nodes from `first` on that torch's peephole optimizer visits, in order.
    std::span<const ir::NodeId> peepholeNodes(ir::NodeId first) const
    {
        return {std::ranges::lower_bound(m_peepholeNodes, first), m_peepholeNodes.end()};
    }

    /// Marks a node with a constant operand that torch does not know when it inlines the function, because the
    /// operand comes from the caller or from an attribute.
    void setOpaque(ir::NodeId node) { m_opaque.insert(node); }
    bool isOpaque(ir::NodeId node) const { return m_opaque.contains(node); }

    /// Sets the level of calls at which torch removes the cast of a node's first operand (see Typed).
    void setCastLevel(ir::NodeId node, std::uint32_t level) { m_castLevels.emplace(node, level); }
    bool isBehindCast(ir::NodeId node, std::uint32_t level) const
    {
        const auto known = m_castLevels.find(node);
        return known != m_castLevels.end() && level >= known->second;
    }

    ir::Argument argument(std::string_view name, ir::Operand value) { return {m_context.name(name), std::move(value)}; }
    ir::Operand text(std::string_view text) { return ir::String{m_context.name(text)}; }

private:
    ir::NameId uniqueName(std::string_view hint);
    ir::ScopeId child(ir::ScopeId parent, std::string_view name, bool isCalled);

    ir::Model &m_model;
    ir::Context &m_context;
    const Objects &m_objects;
    Types &m_types;
    ir::RegionId m_region = ir::Graph::body;
    std::unordered_map<ir::NameId, std::uint32_t> m_names; ///< by name that is taken: the last number appended to it
    std::unordered_map<ir::TensorId, Typed> m_weights;
    std::map<std::pair<ir::ScopeId, ir::NameId>, std::uint32_t> m_calls;
    std::optional<Typed> m_root;
    std::vector<ir::NodeId> m_peepholeNodes;
    std::unordered_set<ir::NodeId> m_opaque;
    std::unordered_map<ir::NodeId, std::uint32_t> m_castLevels;
};

} // namespace cutaway::formats::torchscript
