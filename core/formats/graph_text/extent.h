// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cutaway::formats::graph_text {

/// The forms in which torch.fx prints a graph.
enum class Form : std::uint8_t {
    Class,    ///< `class X(torch.nn.Module):`, print_readable()
    Function, ///< `def forward(self, x):`, GraphModule.code
    Listing,  ///< `graph():`, str(graph)
    Program,  ///< `ExportedProgram:`, str(exported_program)
    Table,    ///< `opcode  name  target  args  kwargs`, print_tabular()
};

/// The beginning of a graph in a line.
struct GraphStart {
    Form form = Form::Class;
    std::size_t column = 0; ///< behind blanks and, in "forward.py class X(torch.nn.Module):", behind the file's name
};

/// Nothing for a line in which no graph begins. The line has no prefix of a log and no end of line.
std::optional<GraphStart> graphStart(std::string_view line);
inline bool startsGraph(std::string_view line) { return graphStart(line).has_value(); }

/// The number of bytes of the graph that the text begins with: up to the line that cannot be of it any more.
/// O(that number).
std::size_t lengthOfGraph(std::string_view text);

/// A graph in a text, from the line that it begins in.
struct GraphExtent {
    std::size_t offset = 0; ///< where its first line begins
    std::size_t length = 0;
    std::uint32_t line = 1; ///< the number of its first line, from 1
};

/// All graphs of a text without prefixes, in order; at most `most`. A class that has other code before its `forward` is
/// none.
std::vector<GraphExtent> graphsIn(std::string_view text, std::size_t most = SIZE_MAX);

} // namespace cutaway::formats::graph_text
