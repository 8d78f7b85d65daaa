// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/format.h"
#include "core/formats/graph_text/read/signature.h"

#include <string>
#include <string_view>

namespace cutaway::formats::graph_text {

/// Whether the file is a text that contains a graph printed by torch.fx.
bool sniff(const archive::Probe &file);

/// Reads a text that contains one graph printed by torch.fx: alone, in other text, in a Markdown fence, or after the
/// prefixes of a log. Errors: there is no graph, or several; those of readText().
Result<ir::Model> read(const archive::Probe &file, const Task &task);

/// Reads one graph, with the classes nested in it, as torch.fx prints it: `print_readable()`, `str(graph)`,
/// `GraphModule.code`, `str(exported_program)` or `print_tabular()`. The text begins with the graph's first line (see
/// extent.h) and has no prefixes of a log. It is never run.
///
/// A printed call becomes a node with the printed name; an item that is taken from a tuple of results becomes that
/// result, with its printed name. Types that the text records become the values' types. A subgraph becomes the region
/// of each node that uses it. A line that cannot be read becomes a node that has only a name, and a truncated graph
/// ends where the text ends; each with a diagnostic that begins with "line N: ".
///
/// A placeholder that a signature, a comment or Dynamo's name calls a parameter or buffer becomes a weight of the
/// model without bytes; the others are inputs.
///
/// name: the text's name in messages and in the model's path. firstLine: the number of the text's first line, from 1.
/// context: the context of the model, if it will be compared with other models of that context; null: a new one.
/// inputs: what is known of placeholders from elsewhere; the text's own signature takes precedence. Errors: the text
/// does not begin with a graph; the graph asks for more than the limits.
Result<ir::Model> readText(std::string_view text, std::string name, const Task &task = {}, std::uint32_t firstLine = 1,
                           std::shared_ptr<ir::Context> context = nullptr, InputSpecs inputs = {});

} // namespace cutaway::formats::graph_text
