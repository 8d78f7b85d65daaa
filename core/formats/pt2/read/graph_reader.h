// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/json.h"
#include "core/formats/pt2/read/arguments.h"
#include "core/formats/pt2/read/provenance.h"
#include "core/formats/pt2/types.h"
#include "core/ir/graph.h"

#include <unordered_map>

namespace cutaway::formats::pt2 {

/// Fills one region of an IR graph from a graph of the schema. Subgraphs of higher-order operators are not arguments
/// here, but become regions of their nodes, each with its own names.
class GraphReader {
public:
    GraphReader(Reading &reading, TypeReader &types, ProvenanceReader &provenance, ir::Graph &graph,
                ir::RegionId region, Json json);

    /// Adds a value that the region gets from outside: its input, or a weight that the caller has added.
    ir::ValueId addInput(std::string_view name);
    void define(std::string_view name, ir::ValueId value);
    ir::TypeId typeOf(std::string_view name) const;
    /// Reads an input of the program that is a constant, not a value.
    ir::Operand constant(Json argument) const { return m_arguments.read(argument, "the graph's inputs"); }

    /// Reads the nodes, and then the region's outputs. It is called after all inputs were added.
    void readNodes(ir::ScopeId inherited = {});
    std::vector<ir::Operand> readOutputs();

private:
    void readNode(Json node, ir::ScopeId inherited);
    void readSubgraph(ir::NodeId owner, Json argument);
    void addOutputs(ir::NodeId node, Json output);
    std::string nodeName(Json node, std::string_view target);
    ir::NodeDraft draft(Json node, std::string_view target, const std::string &name, ir::ScopeId inherited);
    void readMetadata(Json metadata, ir::NodeDraft &draft);

    Reading &m_reading;
    TypeReader &m_types;
    ProvenanceReader &m_provenance;
    ir::Graph &m_graph;
    ir::RegionId m_region;
    Json m_json;
    ValueTypes m_valueTypes;
    Names m_names;
    ArgumentReader m_arguments;
    std::unordered_map<std::string, int> m_nodeNames; ///< by name: how many nodes asked for it
};

/// Returns the name of the value that an argument of the schema is; "" if it is none.
std::string_view valueName(Json argument);

} // namespace cutaway::formats::pt2
