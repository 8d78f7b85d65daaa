// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What operators become in ONNX: tests/data/convert/*.graph. Behind the graph stand the constants that were made, what
// is missing and what is noted.
#include "core/base/formatted.h"
#include "core/convert/convert.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

#include <charconv>
#include <regex>

namespace cutaway::test {
namespace {

std::string elementsText(const ir::Model &model, ir::TensorId tensor)
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
std::string constantsText(const ir::Model &made, const ir::Model &source)
{
    std::string text;
    const ir::Graph &graph = made.functions.front().graph;
    for (ir::ValueId id{0}; id.index < graph.valueCount(); ++id.index)
        if (const auto *weight = std::get_if<ir::Weight>(&graph.at(id).definition))
            if (weight->tensor.index >= source.tensors.size())
                text += formatted("{} = {}\n", ir::ValueRef(graph, id).name(), elementsText(made, weight->tensor));
    return text;
}

std::string graphText(const ir::Model &model)
{
    static const std::regex ids("(\\n *)#[0-9]+ ");
    return std::regex_replace(ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading), ids, "$1");
}

std::string afterConversion(const GraphCase &given)
{
    const ir::Model source = parsed(given.graphs.front());
    convert::OnnxOptions options;
    if (const std::string opset = given.option("opset"); !opset.empty())
        std::from_chars(opset.data(), opset.data() + opset.size(), options.opset);
    options.keepsUnknown = given.option("keep-unknown") == "yes";
    if (const std::string table = given.option("table"); !table.empty())
        options.table = convert::readOperatorTable(table).value();
    const auto made = convert::toOnnx(source, ir::FunctionId{0}, {}, options);
    if (!made)
        return "error: " + made.error().text();
    std::string text;
    if (made->missing.empty() || options.keepsUnknown)
        text = graphText(made->model) + constantsText(made->model, source);
    for (const convert::Missing &missing : made->missing)
        text += formatted("missing: {} ({}): {}\n", missing.op, missing.places.size(), missing.reason);
    for (const std::string &note : made->notes)
        text += "note: " + note + "\n";
    return text;
}

const bool conversionCases = forEachCase("Convert", "convert", afterConversion);

} // namespace
} // namespace cutaway::test
