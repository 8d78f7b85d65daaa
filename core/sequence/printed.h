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
        Input,     ///< `x: "f32[4]"` declares one, `l_x_ = L_x_` gives it another name
        Attribute, ///< `w = self.w`
        Item,      ///< `a: "f32[4]" = split[0]`
        Node,      ///< `a: "f32[4]" = torch.relu(x)`
        Results,   ///< `return (a,)`
    };
    Meaning meaning = Meaning::Nothing;
    std::string_view name, annotation, value; ///< the annotation without its quotes; of a function its parameters
};

/// The statement in the form that Statements gives it.
Statement statementIn(std::string_view text);

/// A value or input as it is printed.
struct PrintedValue {
    std::string name, annotation, code;
};

/// The outermost graph of a text.
struct PrintedGraph {
    std::vector<PrintedValue> inputs; ///< without code
    std::vector<PrintedValue> nodes;  ///< items and attributes, too, in order
    std::string results;
};
PrintedGraph printedGraph(const Excerpt &text);
/// Reads the inputs of the outermost graph of a text alone, up to its first node.
std::vector<PrintedValue> printedInputs(const Excerpt &text);

bool isNameCharacter(char c);

/// visit(std::string_view name) for each value that an expression names.
void forEachName(std::string_view expression, const std::function<void(std::string_view)> &visit);

/// The names of values in an expression, each once.
std::vector<std::string_view> namesIn(std::string_view expression);

} // namespace cutaway::sequence
