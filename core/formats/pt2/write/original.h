// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/json.h"
#include "core/ir/model.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace cutaway::formats::pt2 {

/// The program that a function was read from, read again: its JSON, with the records of nodes, graphs and values by
/// their ids, and the function as it was. Records that have not changed are copied, with everything that the IR does
/// not keep.
class Original {
public:
    /// `document` and `model` must outlive the object; `function` is one of the model's.
    Original(const JsonDocument &document, const ir::Model &model, const ir::Function &function);

    Json program() const { return m_program; }
    const ir::Model &model() const { return m_model; }
    const ir::Function &function() const { return m_function; }
    /// Returns the record of a node; nothing for a node that was added since.
    Json node(ir::NodeId id) const { return id.index < m_nodes.size() ? m_nodes[id.index] : Json(); }
    Json graph(ir::RegionId id) const { return id.index < m_graphs.size() ? m_graphs[id.index] : Json(); }
    bool hasValue(ir::ValueId id) const { return id.index < m_function.graph.valueCount(); }

    /// Returns the minor version of schema 8; later major versions count as the newest, earlier ones as 0.
    std::int64_t schemaMinor() const;
    /// Returns a part of the JSON as text, as in the file. Up to schema 8.14, infinities are bare words, as in Python.
    std::string copied(Json part) const;

private:
    void collect(Json graph);

    Json m_program;
    const ir::Model &m_model;
    const ir::Function &m_function;
    std::vector<Json> m_nodes, m_graphs; ///< in the order in which the reader numbers them
};

/// The first minor version in which floats may be the strings "Infinity", "-Infinity" and "NaN".
inline constexpr std::int64_t minorWithQuotedInfinity = 15;

} // namespace cutaway::formats::pt2
