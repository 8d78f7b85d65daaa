// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/printed.h"

#include <string>
#include <unordered_map>

namespace cutaway::sequence {

/// Decides which items that a printed graph takes (`a = split[0]`) are results of a node, and which are nodes of their
/// own. It decides as the reader of such graphs (core/formats/graph_text): a value that is printed without a type is a
/// tuple if its operator's schema has several results, or if it has no schema and nothing reads the value as a whole.
class PrintedResults {
public:
    /// Takes the next node or item of the graph. True if it is a node, false if it is a result of an earlier one.
    bool isNode(const Statement &statement);

private:
    enum class Count : std::uint8_t { One, Several, Unknown };
    Count resultsOf(std::string_view code);
    void readWhole(std::string_view code);

    std::unordered_map<std::string, Count> m_counts;   ///< by name of a node that is printed without a type
    std::unordered_map<std::string, Count> m_byCallee; ///< by callee: the number of results in its schema
    std::size_t m_unknown = 0;                         ///< an upper bound of the number of entries of m_counts that are
                                                       ///< Unknown
};

} // namespace cutaway::sequence
