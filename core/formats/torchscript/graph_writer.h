// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/operator_calls.h"

#include <map>
#include <unordered_map>

namespace cutaway::formats::torchscript {

/// Where the next node goes and what it is a part of.
struct Cursor {
    ir::RegionId region;
    ir::ScopeId scope;
    ir::LocationId location;
};

/// One graph in the making: unique names, weights and module boxes as they are met.
class GraphWriter {
public:
    GraphWriter(ir::Model &model, const Objects &objects, Types &types);

    ir::Graph graph;

    /// A node without results, named after its operator.
    ir::NodeId append(const Cursor &at, ir::OpId op, std::vector<ir::Argument> arguments);
    /// A further result of a node. The hint is the name the code gives it, "" or "_3" if it has none of its own.
    Typed addResult(ir::NodeId node, ir::TypeId type, std::string_view hint);
    /// A node with one result.
    Typed emit(const Cursor &at, ir::OpId op, std::vector<ir::Argument> arguments, ir::TypeId type,
               std::string_view hint = {});
    Typed addInput(ir::RegionId region, ir::TypeId type, std::string_view hint);

    /// A call that gives back an argument of the graph: torch names the argument after what the call is assigned to.
    void renameInput(const ir::Operand &operand, std::string_view hint);

    /// A parameter, buffer or constant tensor.
    Typed weight(ir::TensorId tensor);
    /// The root module as a value: an input that is there once somebody asks.
    Typed root();
    bool hasRoot() const { return m_root.has_value(); }
    /// A module as a value, for what cannot be known before the graph runs: interfaces and changing attributes.
    Typed module(const Cursor &at, const ModuleTerm &module);

    /// The box of a call of the module at `path` out of `from`.
    ir::ScopeId enter(ir::ScopeId from, std::string_view path);

    ir::OpId op(std::string_view dialect, std::string_view name) { return m_context.op(dialect, name); }
    ir::Argument argument(std::string_view name, ir::Operand value) { return {m_context.name(name), std::move(value)}; }
    ir::Operand text(std::string_view text) { return ir::String{m_context.name(text)}; }
    std::size_t nodeCount() const { return graph.nodeCount(); }

private:
    ir::NameId uniqueName(std::string_view hint);
    ir::ScopeId child(ir::ScopeId parent, std::string_view name, bool isCalled);

    ir::Model &m_model;
    ir::Context &m_context;
    const Objects &m_objects;
    Types &m_types;
    std::unordered_map<ir::NameId, std::uint32_t> m_names; ///< taken, with the last number given
    std::unordered_map<ir::TensorId, Typed> m_weights;
    std::map<std::pair<ir::ScopeId, ir::NameId>, std::uint32_t> m_calls;
    std::optional<Typed> m_root;
};

} // namespace cutaway::formats::torchscript
