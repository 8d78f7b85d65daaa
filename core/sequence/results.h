// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/printed.h"

#include <string>
#include <unordered_map>

namespace cutaway::sequence {

/// Tells which items that a printed graph takes (`a = split[0]`) are results of a node with several of them, and which
/// are nodes of their own, as the reader of such graphs (core/formats/graph_text) has it: a value that is printed
/// without a type is a tuple if its operator's schema has several results, or has none and nothing reads it whole.
class PrintedResults {
public:
    /// Takes the next node or item of the graph. True: it is a node; false: a result of the node before.
    bool isNode(const Statement &statement);

private:
    enum class Count : std::uint8_t { One, Several, Unknown };
    Count resultsOf(std::string_view code);
    void readWhole(std::string_view code);

    std::unordered_map<std::string, Count> m_counts;   ///< by name of a node without a type
    std::unordered_map<std::string, Count> m_byCallee; ///< by callee: the number that its schema gives
    std::size_t m_unknown = 0;                         ///< how many of m_counts may be
};

} // namespace cutaway::sequence
