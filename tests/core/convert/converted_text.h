// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/formatted.h"
#include "core/convert/convert.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ir/text/text.h"

#include <regex>

/// Returns the result of a conversion as text: the graph, the new constants, the missing operators, the notes.
namespace cutaway::test {

inline std::string elementsText(const ir::Model &model, ir::TensorId tensor)
{
    const auto numbers = ir::numbersOf(model, tensor);
    if (!numbers)
        return "?";
    std::string text;
    std::visit(
        [&](const auto &all) {
            for (const auto number : all)
                text += formatted("{}{}", text.empty() ? "" : ", ", number);
        },
        *numbers);
    return "[" + text + "]";
}

/// The constants that `made` has and the source, whose tensors come first, has not.
inline std::string constantsText(const ir::Model &made, const ir::Model &source)
{
    std::string text;
    const ir::Graph &graph = made.functions.front().graph;
    for (ir::ValueId id{0}; id.index < graph.valueCount(); ++id.index)
        if (const auto *weight = std::get_if<ir::Weight>(&graph.at(id).definition))
            if (weight->tensor.index >= source.tensors.size())
                text += formatted("{} = {}\n", ir::ValueRef(graph, id).name(), elementsText(made, weight->tensor));
    return text;
}

inline std::string graphText(const ir::Model &model)
{
    static const std::regex ids("(\\n *)#[0-9]+ ");
    return std::regex_replace(ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading), ids, "$1");
}

inline std::string convertedText(const convert::Converted &made, const ir::Model &source, bool showsUnknown = false)
{
    std::string text;
    if (made.missing.empty() || showsUnknown)
        text = graphText(made.model) + constantsText(made.model, source);
    for (const convert::Missing &missing : made.missing)
        text += formatted("missing: {} ({}): {}\n", missing.op, missing.places.size(), missing.reason);
    for (const std::string &note : made.notes)
        text += "note: " + note + "\n";
    return text;
}

} // namespace cutaway::test
