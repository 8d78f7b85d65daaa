// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/node_data/table.h"

#include <optional>
#include <span>
#include <utility>

namespace cutaway::node_data {

/// The unit of the numbers of a column. A user's table does not say it.
enum class Unit : std::uint8_t { None, Seconds };

/// The column of a table for one function.
struct Column {
    std::string name;
    std::vector<Cell> cells; ///< by NodeId
    Unit unit = Unit::None;

    const double *number(ir::NodeId node) const { return std::get_if<double>(&cells[node.index]); }
    const std::string *text(ir::NodeId node) const { return std::get_if<std::string>(&cells[node.index]); }
    /// The texts that occur, each once, in alphabetical order.
    std::vector<std::string> texts() const;
    /// The least and the largest number; nothing if there is none.
    std::optional<std::pair<double, double>> range() const;
};

/// A number as it is shown where there is little room: "3.142", "63.4 ms".
std::string shortText(double number, Unit unit);

/// A user's table, with its cells at the nodes of a function.
struct NodeData {
    std::vector<Column> columns;
    std::size_t described = 0;          ///< nodes that have a row
    std::vector<std::string> unknown;   ///< rows whose node the function has not, in the order of the table
    std::vector<std::string> ambiguous; ///< rows whose name several nodes have

    const Column *column(std::string_view name) const; ///< nullptr: there is no such column
    /// Finds a column by its name. Errors (Usage): there is no such column; the message has similar names.
    Result<Column> findColumn(std::string_view name) const;
};

/// The beginning of the names of columns among other figures: "data.latency".
inline constexpr std::string_view columnPrefix = "data.";

/// Finds the nodes of a table's rows: by the name that a node has in the file, by the name of one of its results, or by
/// "#12", its number. If two rows are about one node, the cells of the later row count.
NodeData dataOf(const ir::Function &function, const Table &table);

/// Returns a name for each node, by NodeId, for the first column of a table that is written: a node has its own name or
/// that of a result, if dataOf() finds this node alone by it, else "#12".
std::vector<std::string> tableNames(const ir::Graph &graph);

/// Reports which rows of one table name no node in any of these functions, and which name several: "2 rows name no
/// node: conv9, conv10"; "" if each names one.
std::string remarkOn(std::span<const NodeData> functions);

} // namespace cutaway::node_data
