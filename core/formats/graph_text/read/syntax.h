// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

/// The syntax of a printed graph, line by line. All texts are views of the source.
namespace cutaway::formats::graph_text {

/// An argument of `forward`, or a placeholder.
struct PrintedInput {
    std::string_view name;
    std::string_view type;    ///< "f32[4, 16]", or ""
    std::string_view comment; ///< "PlainAOTInput(idx=2)", or ""
    std::uint32_t line = 0;
};

/// A statement of the code, without its comment: `add: "f32[4]" = torch.add(x, y)`.
struct CodeLine {
    std::string_view text;
};

/// A node as a listing or a table prints it.
struct ListedNode {
    std::string_view name, opcode, target;
    std::string_view arguments; ///< "(%x, 1)"; for "output" the returned values
    std::string_view keywords;  ///< "{dim: 1}"
};

/// A line of a printed graph that makes a node.
struct PrintedStatement {
    std::variant<CodeLine, ListedNode> what;
    std::uint32_t line = 0;
    std::string_view origin; ///< the comment above the statement, with the node's origin: "File: f.py:3 in forward, …"
};

/// A printed graph that was split into its lines; the lines are not parsed yet.
struct PrintedGraph {
    std::string_view name; ///< the name of the class, or ""
    std::uint32_t line = 0;
    std::vector<PrintedInput> inputs;
    std::vector<PrintedStatement> statements;
    std::vector<PrintedGraph> children; ///< nested classes
    bool isListing = false;             ///< whether values are printed as "%x", and strings without quotes
};

} // namespace cutaway::formats::graph_text
