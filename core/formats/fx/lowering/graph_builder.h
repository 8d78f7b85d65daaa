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

/// A node of the fx graph as it is listed: "call_module", "conv1", "layer1.0.conv1", {"x"}, "inplace: True".
struct ListedNode {
    std::string opcode, name, target;
    std::vector<std::string> args;
    std::string kwargs = {};
};

/// Builds one graph. New nodes belong to the node of the fx graph that was listed last: its row is kept in the metadata
/// of the first of them, `fx`, and its name in that of the others, `fx.of`.
class GraphBuilder {
public:
    GraphBuilder(ir::Model &model, python::CallTypes &types) : graph(model.context), m_model(model), m_types(types) { }

    ir::Graph graph;

    /// Reserves a name that the fx graph gives, which nothing else may have.
    void reserve(std::string_view name) { m_names.take(name); }
    void list(ListedNode node);
    /// Takes the nodes that were listed since the last one for which something was made.
    std::vector<std::string> takeUnmade() { return std::exchange(m_unmade, {}); }

    ir::NodeId append(ir::OpId op, std::vector<ir::Argument> arguments);
    Typed addResult(ir::NodeId node, ir::TypeId type);
    Typed addInput(std::string_view name, ir::TypeId type);
    Typed weight(ir::TensorId tensor);
    /// Names a result as the fx graph does, unless it has another name of that graph already.
    void nameResult(const Term &term, std::string_view name);
    void nameInput(ir::ValueId value, std::string_view name);
    /// Removes the nodes made from `first` on, which nothing else reads.
    void removeFrom(ir::NodeId first);
    ir::NodeId nextNode() const { return {graph.nodeCount()}; }

    /// Enters the scope of a call of the module at `path`, within the current one; it is the current one until leave().
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
    std::unordered_set<std::string> m_given; ///< names of the fx graph that values have
};

/// The names of the values that a node reads and that are made by other nodes or given, as `fx.reads` has them.
std::string namesRead(const ir::Graph &graph, std::span<const ir::Argument> arguments);

} // namespace cutaway::formats::fx
