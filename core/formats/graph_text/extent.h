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

/// Where a graph begins in a line, and in which form.
struct GraphStart {
    Form form = Form::Class;
    /// The column after blanks and, in "forward.py class X(torch.nn.Module):", after the file's name.
    std::size_t column = 0;
};

/// Finds the beginning of a graph in a line, which has no log prefix and no line end. Nothing: no graph begins in it.
std::optional<GraphStart> graphStart(std::string_view line);
inline bool startsGraph(std::string_view line) { return graphStart(line).has_value(); }

/// Returns the number of bytes of the graph at the beginning of the text: up to the first line that cannot belong to
/// it. Takes O(that number).
std::size_t lengthOfGraph(std::string_view text);

/// The extent of a graph in a text, from its first line.
struct GraphExtent {
    std::size_t offset = 0; ///< the offset of its first line
    std::size_t length = 0;
    std::uint32_t line = 1; ///< the number of its first line, from 1
};

/// Returns the graphs of a text that has no log prefixes, in order, at most `most`. A class with other code before
/// its `forward` is no graph.
std::vector<GraphExtent> graphsIn(std::string_view text, std::size_t most = SIZE_MAX);

} // namespace cutaway::formats::graph_text
