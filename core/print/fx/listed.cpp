// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/fx/listed.h"

#include "core/base/text.h"
#include "core/ir/context.h"

#include <algorithm>
#include <span>

namespace cutaway::print {

namespace {

constexpr std::size_t fxCells = 5;

/// Reads a row. The reader of the format keeps it as five texts with tabs between.
std::optional<FxListedRow> listedRow(std::string_view text)
{
    FxListedRow row;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('\t', start), text.size());
        row.cells.push_back(sanitized(text.substr(start, end - start)));
        start = end + 1;
    }
    return row.cells.size() == fxCells ? std::optional(std::move(row)) : std::nullopt;
}

/// Returns the rows of the file's list that are recorded at a node: the row of the statement that begins with this
/// node, after the rows of earlier statements that became no node.
std::vector<FxListedRow> rowsBegunAt(const ir::NodeRef &node)
{
    const ir::Context &context = node.graph().context();
    std::vector<FxListedRow> rows;
    for (const auto &[key, value] : node->metadata)
        if (auto row = context.text(key) == "fx" ? listedRow(context.text(value)) : std::nullopt)
            rows.push_back(std::move(*row));
    return rows;
}

} // namespace

bool FxListed::isAsRead(const ir::NodeRef &node) const
{
    std::string reads;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) {
            if (!ir::ValueRef(m_graph, value).weight())
                reads.append(reads.empty() ? "" : ",").append(std::to_string(value.index));
        });
    return node.metadata("fx.reads") == reads;
}

std::vector<FxListedRow> FxListed::rows() const
{
    std::vector<FxListedRow> rows;
    const std::vector<ir::NodeId> &nodes = m_graph.at(ir::Graph::body).nodes;
    for (std::size_t i = 0; i < nodes.size();) {
        std::vector<FxListedRow> begun = rowsBegunAt(ir::NodeRef(m_graph, nodes[i]));
        std::size_t end = i + 1;
        while (!begun.empty() && end < nodes.size() && isOf(ir::NodeRef(m_graph, nodes[end])))
            ++end;
        const auto group = std::span(nodes).subspan(i, end - i);
        const bool isWhole = !begun.empty()
            && std::ranges::all_of(group, [&](ir::NodeId id) { return isAsRead(ir::NodeRef(m_graph, id)); });
        if (!begun.empty() && !isWhole)
            begun.pop_back(); // the last row is that of the changed nodes; no nodes belong to the others
        std::ranges::move(begun, std::back_inserter(rows));
        for (const ir::NodeId id : isWhole ? std::span<const ir::NodeId>() : group)
            rows.push_back({{}, ir::NodeRef(m_graph, id)});
        i = end;
    }
    for (const auto &[key, value] : m_model.metadata)
        if (auto row = key == "fx.end" ? listedRow(value) : std::nullopt)
            rows.push_back(std::move(*row));
    return rows;
}

} // namespace cutaway::print
