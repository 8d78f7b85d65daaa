// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/query.h"
#include "core/survey/record.h"
#include "core/survey/request.h"

namespace cutaway::survey {

/// Returns the parts of a query about models that ask for nodes: the operands of each Has, in the order of the text.
std::vector<const query::Expression *> nodeQueriesOf(const query::Expression &query);

/// Opens a model and searches the nodes of its main functions and of those that they call. Returns a result for each
/// part of the query. Errors: those of openFor(); Usage: an unknown device.
Result<std::vector<NodesFound>> nodesFoundIn(const std::string &path, const Request &request, const NodeQuery &asked,
                                             const OpenModel &open);

} // namespace cutaway::survey
