// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/format.h"
#include "core/formats/graph_text/read/signature.h"

#include <string>
#include <string_view>

namespace cutaway::formats::graph_text {

/// Whether the file is a text in which a graph of torch.fx is printed.
bool sniff(const archive::Probe &file);

/// Reads a text in which one graph of torch.fx is printed: alone, among other text, in a Markdown fence, behind the
/// prefixes of a log. Errors: no graph, several of them, and those of readText().
Result<ir::Model> read(const archive::Probe &file, const Task &task);

/// Reads one graph, with the classes nested in it, as torch.fx prints it: `print_readable()`, `str(graph)`,
/// `GraphModule.code`, `str(exported_program)` or `print_tabular()`. The text begins with the graph's first line (see
/// extent.h) and has no prefixes of a log; it is never run.
///
/// A printed call is a node of the printed name, and the item that is taken of a tuple of results is that result, by
/// its printed name. Types that the text records are the values' types. A subgraph is the region of each node that uses
/// it. A line that cannot be read becomes a node that has only a name, a graph that is cut ends where the text does;
/// each with a diagnostic that begins with "line N: ".
///
/// A placeholder that the text says to be a parameter or buffer, by a signature, a comment or Dynamo's name, is a
/// weight of the model without bytes; the others are inputs.
///
/// name: what messages and the model's path call the text. firstLine: the number of the text's first line, from 1.
/// context: that of the model, where it is to be compared with others of that context; null: one of its own.
/// inputs: what is known of placeholders from elsewhere; the text's own signature goes first.
/// Errors: the text begins with no graph; the graph asks for more than the limits.
Result<ir::Model> readText(std::string_view text, std::string name, const Task &task = {}, std::uint32_t firstLine = 1,
                           std::shared_ptr<ir::Context> context = nullptr, InputSpecs inputs = {});

} // namespace cutaway::formats::graph_text
