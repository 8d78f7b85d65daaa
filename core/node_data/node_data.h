// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/node_data/table.h"

#include <optional>
#include <span>
#include <utility>

namespace cutaway::node_data {

/// The unit of the numbers of a column. A user's table has no units.
enum class Unit : std::uint8_t { None, Seconds };

/// The column of a table, with its cells at the nodes of one function.
struct Column {
    std::string name;
    std::vector<Cell> cells; ///< by NodeId
    Unit unit = Unit::None;

    const double *number(ir::NodeId node) const { return std::get_if<double>(&cells[node.index]); }
    const std::string *text(ir::NodeId node) const { return std::get_if<std::string>(&cells[node.index]); }
    /// Returns the texts that occur, each once, in alphabetical order.
    std::vector<std::string> texts() const;
    /// Returns the least and the largest number; nothing if there is none.
    std::optional<std::pair<double, double>> range() const;
};

/// Returns a number in a short form: "3.142", "63.4 ms".
std::string shortText(double number, Unit unit);

/// A user's table, with its cells at the nodes of a function.
struct NodeData {
    std::vector<Column> columns;
    std::size_t described = 0;          ///< the number of nodes that have a row
    std::vector<std::string> unknown;   ///< names in rows for which the function has no node, in the order of the table
    std::vector<std::string> ambiguous; ///< names in rows that several nodes have

    const Column *column(std::string_view name) const; ///< nullptr if there is no such column
    /// Finds a column by its name. Errors (Usage): there is no such column; the message has similar names.
    Result<Column> findColumn(std::string_view name) const;
};

/// The beginning of the names of columns among other figures: "data.latency".
inline constexpr std::string_view columnPrefix = "data.";

/// Finds the nodes of a table's rows. A row names its node by the name in the file, by the name of one of its results,
/// or by its number, "#12". If two rows are about one node, the cells of the later row count.
NodeData dataOf(const ir::Function &function, const Table &table);

/// Returns a name for each node, by NodeId, for the first column of a table that is written. The name is the node's own
/// or that of a result, if dataOf() finds only this node by it, else "#12".
std::vector<std::string> tableNames(const ir::Graph &graph);

/// Returns a remark on the rows of one table that name no node in any of these functions, and on those that name
/// several: "2 rows name no node: conv9, conv10"; "" if each row names one.
std::string remarkOn(std::span<const NodeData> functions);

} // namespace cutaway::node_data
