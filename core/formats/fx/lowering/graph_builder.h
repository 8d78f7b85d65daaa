// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/unique_names.h"
#include "core/formats/fx/lowering/term.h"
#include "core/formats/python/call_types.h"
#include "core/ir/model.h"

#include <map>
#include <unordered_set>

namespace cutaway::formats::fx {

/// A row of the listing of an fx graph: "call_module", "conv1", "layer1.0.conv1", {"x"}, "inplace: True".
struct ListedNode {
    std::string opcode, name, target;
    std::vector<std::string> args;
    std::string kwargs = {};
};

/// Builds one graph. New nodes belong to the node of the fx graph that was listed last. The first of them has that
/// node's row as the metadata `fx`, after the rows of listed nodes for which nothing was made; the others have that
/// node's name as `fx.of`.
class GraphBuilder {
public:
    GraphBuilder(ir::Model &model, python::CallTypes &types) : graph(model.context), m_model(model), m_types(types) { }

    ir::Graph graph;

    /// Reserves a name of the fx graph, so that no other value gets it.
    void reserve(std::string_view name) { m_names.take(name); }
    void list(ListedNode node);
    /// Returns, and forgets, the rows that were listed since the builder last made a node.
    std::vector<std::string> takeUnmade() { return std::exchange(m_unmade, {}); }

    ir::NodeId append(ir::OpId op, std::vector<ir::Argument> arguments);
    Typed addResult(ir::NodeId node, ir::TypeId type);
    Typed addInput(std::string_view name, ir::TypeId type);
    Typed weight(ir::TensorId tensor);
    /// Names a result as in the fx graph, unless the fx graph already gave it another name.
    void nameResult(const Term &term, std::string_view name);
    void nameInput(ir::ValueId value, std::string_view name);
    /// Removes all nodes from `first` on, which no other node may read. takeUnmade() will return the rows in their
    /// metadata again.
    void removeFrom(ir::NodeId first);
    ir::NodeId nextNode() const { return {graph.nodeCount()}; }

    /// Enters the scope of a call of the module at `path`, inside the current scope, until leave().
    void enter(std::string_view path);
    void leave() { m_scopes.pop_back(); }
    void setLocation(ir::LocationId location) { m_location = location; }
    ir::LocationId location() const { return m_location; }

    ir::Argument argument(std::string_view name, ir::Operand value)
    {
        return {m_model.context->name(name), std::move(value)};
    }

private:
    ir::ScopeId child(ir::ScopeId parent, std::string_view name, bool isCalled);
    std::vector<std::pair<ir::NameId, ir::NameId>> metadata(const std::vector<ir::Argument> &arguments);

    ir::Model &m_model;
    python::CallTypes &m_types;
    UniqueNames m_names;
    std::vector<std::string> m_unmade;
    std::string m_listed;
    ir::LocationId m_location;
    std::vector<ir::ScopeId> m_scopes;
    std::unordered_map<ir::TensorId, Typed> m_weights;
    std::map<std::pair<ir::ScopeId, ir::NameId>, std::uint32_t> m_calls;
    std::unordered_set<ir::ValueId> m_named;
    std::unordered_set<std::string> m_given; ///< the names of the fx graph that were given to values
};

/// Returns the ids of the values that a node reads, without weights, in the form of the metadata `fx.reads`: "3,7".
std::string idsRead(const ir::Graph &graph, std::span<const ir::Argument> arguments);

} // namespace cutaway::formats::fx
