// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

/// A printed graph, cut into what its lines say. All texts are views of the source.
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

/// A node as a listing or a table has it.
struct ListedNode {
    std::string_view name, opcode, target;
    std::string_view arguments; ///< "(%x, 1)"; of the output what is returned
    std::string_view keywords;  ///< "{dim: 1}"
};

/// A line of a printed graph that makes a node.
struct PrintedStatement {
    std::variant<CodeLine, ListedNode> what;
    std::uint32_t line = 0;
    std::string_view origin; ///< the comment above, which says where the node comes from: "File: f.py:3 in forward, …"
};

/// A graph as it is printed, read up to its lines.
struct PrintedGraph {
    std::string_view name; ///< the name of the class, or ""
    std::uint32_t line = 0;
    std::vector<PrintedInput> inputs;
    std::vector<PrintedStatement> statements;
    std::vector<PrintedGraph> children; ///< classes nested in it
    bool isListing = false;             ///< its values are written "%x", its texts without quotes
};

} // namespace cutaway::formats::graph_text
