// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/write/argument_writer.h"
#include "core/formats/pt2/write/original.h"
#include "core/ir/node_ref.h"
#include "core/symbolic/evaluate.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::formats::pt2 {

/// Writes a function's graph in the schema's form. If a node has a record in the original, each member of it that the
/// function did not change is copied, so that the rest of the record stays.
class GraphWriter {
public:
    GraphWriter(const ir::Model &model, const ir::Function &function, const Original &original);

    /// Returns the JSON of a region's graph. For the body, `inputs` become its "inputs".
    std::string graph(ir::RegionId region, const std::vector<std::string> &inputs);

    /// Returns an operand as an Argument: {"as_tensor": {"name": …}}.
    std::string argument(const ir::Operand &operand, std::string_view kind = {}) const;
    /// Returns argument() for an operand of the function as it was read; "" if the operand cannot be written.
    std::string argumentBefore(const ir::Operand &operand, std::string_view kind = {}) const;
    const std::string &nameOf(ir::ValueId value) const { return m_names[value.index]; }

private:
    void nameValues();
    std::string node(const ir::NodeRef &node);
    const std::string &operatorName(std::string_view target);
    Json recordFor(const ir::NodeRef &node) const;
    bool hasOperatorOf(const ir::NodeRef &node, Json record);
    std::string inputs(const ir::NodeRef &node, Json record);
    std::string input(const ir::NodeRef &node, std::size_t argument, Json record, const ir::Node *before,
                      std::size_t index);
    std::string newInput(const ir::NodeRef &node, std::size_t argument);
    std::string newInputs(const ir::NodeRef &node);
    std::string graphArgument(ir::RegionId region);
    std::string newSubgraph(ir::RegionId region);
    std::string subgraph(ir::RegionId region, Json record);
    std::string outputs(const ir::NodeRef &node, Json record);
    std::string newOutputs(const ir::NodeRef &node);
    std::string values(ir::RegionId region);
    bool isFromFile(const ir::NodeRef &node) const;

    const ir::Graph &m_graph;
    const ir::Context &m_context;
    const Original &m_original;
    std::vector<std::string> m_names;
    std::vector<std::vector<ir::ValueRef>> m_valuesOf, m_valuesBefore; ///< by region: now, and in the original
    std::unordered_set<ir::ValueId> m_signed;                          ///< the values that are inputs of the function
    std::unordered_map<std::string_view, std::string> m_operatorNames;
    ArgumentWriter m_arguments, m_argumentsBefore;
    symbolic::Bindings m_hints; ///< example values for the symbols that the original does not have
};

/// Returns the kind of an Argument ("as_tensor"); "" if it has none.
std::string_view kindOf(Json argument);

} // namespace cutaway::formats::pt2
