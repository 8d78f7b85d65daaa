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
    std::optional<ir::NodeId> within; ///< the node whose region it is in
    std::string name, op, scope, result, source;
    ops::Category category = ops::Category::Unknown;
    std::map<query::Property, ir::Dim> sizes; ///< all figures but times
    std::optional<double> seconds;            ///< on a device
    std::vector<node_data::Cell> data;        ///< by column
};

/// The nodes that a query found in one function, and what it could not decide.
struct FoundInFunction {
    std::string function;
    std::size_t nodes = 0;            ///< that the function has
    std::vector<std::string> columns; ///< the columns of the user's node data
    std::vector<FoundNode> found;
    std::vector<query::NotKnown> notKnown;
    std::vector<std::string> unnamed;
};
FoundInFunction foundIn(const query::Known &known, const query::Answer &answer);

/// A query with the nodes that it found, by function. The model and the query must outlive it.
struct QueryResult {
    const ir::Model &model;
    std::string text; ///< the query as it was written
    const query::Expression &query;
    std::vector<FoundInFunction> functions;

    std::size_t found() const; ///< nodes
    std::size_t nodes() const; ///< that were asked
    /// The columns of the node data, which all functions have.
    std::vector<std::string> columns() const;
    /// Summed over the functions.
    std::vector<query::NotKnown> notKnown() const;
    /// Names in the query that none of the functions has.
    std::vector<std::string> unnamed() const;
};

/// A line with the count, one per node with the figures that the query asks for, and what is not known.
std::string queryText(const QueryResult &result);
/// The document of `query --json`, schema "cutaway.query/1".
std::string queryJson(const QueryResult &result);
/// A row per node.
std::string queryCsv(const QueryResult &result);

} // namespace cutaway::report
