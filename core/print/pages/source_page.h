// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <compare>
#include <filesystem>
#include <span>

namespace cutaway::print {

/// A line of a text and a node that it belongs to. A node may have several lines, and a line several nodes.
struct NodeLine {
    std::uint32_t line = 0; ///< the number of the line, from 1
    ir::NodeId node;
    bool operator==(const NodeLine &) const = default;
};

/// A text that a function can be read in.
struct SourcePage {
    std::string text;
    std::string_view syntax;     ///< "Python", "C++", "JSON"; "" for plain text
    std::vector<NodeLine> lines; ///< by line and node, each pair once
    std::string note = {};       ///< a remark on the text for its reader; "" if there is none
};

/// The kind and file of a page.
struct PageName {
    enum class Kind : std::uint8_t {
        Graph,  ///< the graph, as printText() prints it for reading
        Record, ///< the file's own record: ONNX's text form, or torch.export's JSON of the program
        Code,   ///< a file of code in a TorchScript archive
        Python, ///< a Python file that stack traces name
        Kernels ///< the code that Inductor made of the graph
    };
    Kind kind = Kind::Graph;
    std::string file = {}; ///< the file of a Code, Python or Kernels page, as the model names it
    bool operator==(const PageName &) const = default;
};

/// Returns the names of the pages in which a function can be read: first Python and Code, which its nodes come from,
/// then what is made of its graph: Kernels, Graph and Record. O(nodes).
std::vector<PageName> pagesOf(const ir::Model &model, ir::FunctionId function);

/// Returns a text with the lines of the function's nodes. In the code of kernels a statement belongs to the nodes that
/// it computes, a call to all nodes of its kernel, and the head to those that have no statement. A Python file is read
/// only below one of the folders `roots`, where its path or the end of it is found; lines that are not as the model
/// recorded them belong to no node. Errors: Usage for a Python file below none of them; Unreadable for what cannot be
/// read, or is too long.
Result<SourcePage> sourcePage(const ir::Model &model, ir::FunctionId function, const PageName &name,
                              std::span<const std::filesystem::path> roots);

} // namespace cutaway::print
