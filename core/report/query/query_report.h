// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/category.h"
#include "core/query/answer.h"

#include <map>
#include <string>
#include <vector>

namespace cutaway::report {

/// A node that a query found, with all figures that a query can ask for.
struct FoundNode {
    ir::NodeId id;
    std::optional<ir::NodeId> within; ///< the node in whose region the node is
    std::string name, op, scope, result, source;
    ops::Category category = ops::Category::Unknown;
    std::map<query::Property, ir::Dim> sizes; ///< all figures that are no times
    std::optional<double> seconds;            ///< the time on the device
    std::vector<node_data::Cell> data;        ///< by column
};

/// The nodes that a query found in one function, and the properties that were not known.
struct FoundInFunction {
    std::string function;
    std::size_t nodes = 0;            ///< the number of nodes of the function
    std::vector<std::string> columns; ///< the columns of the user's node data
    std::vector<FoundNode> found;
    std::vector<query::NotKnown> notKnown;
    std::vector<std::string> unnamed;
};
FoundInFunction foundIn(const query::Known &known, const query::Answer &answer);

/// A query with the nodes that it found, by function. The model and the query must outlive it.
struct QueryResult {
    const ir::Model &model;
    std::string text; ///< the query as the user wrote it
    const query::Expression &query;
    std::vector<FoundInFunction> functions;

    std::size_t found() const; ///< returns the number of nodes that were found
    std::size_t nodes() const; ///< returns the number of nodes that were searched
    /// Returns the columns of the node data, which are the same for all functions.
    std::vector<std::string> columns() const;
    /// Returns the properties that were not known, summed over the functions.
    std::vector<query::NotKnown> notKnown() const;
    /// Returns the names in the query that none of the functions has.
    std::vector<std::string> unnamed() const;
};

/// Returns a line with the count, one per node with the figures that the query asks for, and one with the unknown ones.
std::string queryText(const QueryResult &result);
/// Returns the document of `query --json`, schema "cutaway.query/1".
std::string queryJson(const QueryResult &result);
/// Returns a table with a row per node.
std::string queryCsv(const QueryResult &result);

} // namespace cutaway::report
