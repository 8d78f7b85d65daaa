// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/excerpt.h"

#include <cstdint>
#include <functional>

namespace cutaway::sequence {

/// A statement of a graph's code, by its meaning for the graph.
struct Statement {
    enum class Meaning : std::uint8_t {
        Nothing,   ///< `x = None` frees memory, `x, = tree_flatten_spec(…)` takes the inputs apart
        Class,     ///< `class name(torch.nn.Module):`
        Function,  ///< `def forward(self, x: "f32[4]"):`
        Input,     ///< `x: "f32[4]"` declares an input, `l_x_ = L_x_` renames one
        Attribute, ///< `w = self.w`
        Item,      ///< `a: "f32[4]" = split[0]`
        Node,      ///< `a: "f32[4]" = torch.relu(x)`
        Results,   ///< `return (a,)`
    };
    Meaning meaning = Meaning::Nothing;
    std::string_view name, annotation, value; ///< `annotation` has no quotes; for a function, `value` is the parameters
};

/// Returns the parts of `text`, a statement as the class Statements returns it.
Statement statementIn(std::string_view text);

/// A printed value or input.
struct PrintedValue {
    std::string name, annotation, code;
};

/// The outermost graph of a text.
struct PrintedGraph {
    std::vector<PrintedValue> inputs; ///< inputs, whose `code` is empty
    std::vector<PrintedValue> nodes;  ///< nodes, items and attributes, in order
    std::string results;
};
PrintedGraph printedGraph(const Excerpt &text);
/// Reads only the inputs of the outermost graph of a text, up to its first node.
std::vector<PrintedValue> printedInputs(const Excerpt &text);

bool isNameCharacter(char c);

/// Calls visit(std::string_view name) for each value that an expression names.
void forEachName(std::string_view expression, const std::function<void(std::string_view)> &visit);

/// Returns the names of values in an expression, each once.
std::vector<std::string_view> namesIn(std::string_view expression);

} // namespace cutaway::sequence
