// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/known.h"
#include "core/query/query.h"

#include <string>
#include <vector>

namespace cutaway::query {

/// A property that is not known of some nodes. These may match the query, but are not in the answer.
struct NotKnown {
    Property property;
    std::size_t nodes = 0;
    bool operator==(const NotKnown &) const = default;
};
/// Returns "3 nodes have no known FLOPs".
std::string print(const NotKnown &notKnown);

struct Answer {
    std::vector<ir::NodeId> nodes;    ///< the nodes that match, in execution order, each before those of its regions
    std::vector<NotKnown> notKnown;   ///< in the order of the properties
    std::vector<std::string> unnamed; ///< the names in the query that neither the function nor its node data have
};

/// Returns the nodes of a function that match a query, those in regions included. O(terms · nodes).
Answer answerTo(const Expression &query, const Known &known);

} // namespace cutaway::query
