// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <compare>
#include <filesystem>
#include <span>

namespace cutaway::print {

/// A line of a text and a node that it belongs to. Several lines may be of one node, and several nodes of one line.
struct NodeLine {
    std::uint32_t line = 0; ///< from 1
    ir::NodeId node;
    bool operator==(const NodeLine &) const = default;
};

/// A text that a function can be read in.
struct SourcePage {
    std::string text;
    std::string_view syntax;     ///< "Python", "C++", "JSON", or ""
    std::vector<NodeLine> lines; ///< by line and node, each pair once
    std::string note = {};       ///< a remark on the text for its reader, or ""
};

/// The kind and file of a page.
struct PageName {
    enum class Kind : std::uint8_t {
        Graph,  ///< the graph, as printText() prints it for reading
        Record, ///< the file's own record: ONNX's text form, or torch.export's JSON of the program
        Code,   ///< a file of code in a TorchScript archive
        Python, ///< a file that stack traces name
        Kernels ///< the code that Inductor made of the graph
    };
    Kind kind = Kind::Graph;
    std::string file = {}; ///< the file of a Code, Python or Kernels page, as the model names it
    bool operator==(const PageName &) const = default;
};

/// The texts of a function: code that its nodes come from stands before the forms of the graph. O(nodes).
std::vector<PageName> pagesOf(const ir::Model &model, ir::FunctionId function);

/// A text with the lines of the nodes that the function has. In the code of kernels a statement is of the nodes that it
/// computes, a call of all nodes of its kernel, and the head of those that have no statement. A Python file is read
/// only below one of the folders `roots`, where its path or an end of it is found; lines that are not as the model
/// recorded them are of no node. Errors: Usage for a Python file below none of them; Unreadable for what cannot be
/// read, or is too long.
Result<SourcePage> sourcePage(const ir::Model &model, ir::FunctionId function, const PageName &name,
                              std::span<const std::filesystem::path> roots);

} // namespace cutaway::print
