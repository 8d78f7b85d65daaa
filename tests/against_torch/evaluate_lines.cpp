// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates graphs that stand in the lines of its input, each with its inputs behind it, separated by tabs:
//   (%x: float32[2]) { ... return %r }<tab>float32 2 0000803f00000040
// A tensor is its dtype, its sizes with commas, and its bytes. Each line gives one: "refused" and why, or the results,
// which are tensors in the same form or texts. What stands before a graph, with \x1f for the ends of lines, is read,
// too. An argument is a pipeline of passes that runs before; nodes of ONNX that lower-to-aten leaves are refused.
#include "core/evaluate/evaluate.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ir/text/text.h"
#include "core/ops/facts/promotion.h"
#include "core/passes/computable.h"
#include "core/passes/history.h"
#include "core/passes/left_nodes.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <ranges>

namespace {

using namespace cutaway;
using compute::Array;

std::vector<std::byte> bytesIn(std::string_view digits)
{
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        std::uint8_t byte = 0;
        std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
        bytes.push_back(std::byte{byte});
    }
    return bytes;
}

compute::Sizes sizesIn(std::string_view text)
{
    compute::Sizes sizes;
    for (const auto part : text | std::views::split(','))
        if (!part.empty())
            std::from_chars(part.data(), part.data() + part.size(), sizes.emplace_back());
    return sizes;
}

Array arrayIn(std::string_view text)
{
    const std::size_t first = text.find(' '), second = text.find(' ', first + 1);
    Array array{*ir::dtypeFromName(text.substr(0, first)), sizesIn(text.substr(first + 1, second - first - 1)), {}};
    const auto count = static_cast<std::uint64_t>(compute::countOf(array.shape));
    const std::vector<std::byte> bytes = bytesIn(text.substr(second + 1));
    if (!ir::isComplex(array.dtype)) {
        array.elements = ir::decodeNumbers(array.dtype, bytes, count);
        return array;
    }
    const ir::Numbers parts = ir::decodeNumbers(ops::realType(array.dtype), bytes, 2 * count);
    std::vector<double> real;
    for (std::size_t i = 0; i < 2 * count; ++i)
        (i % 2 == 0 ? real : array.imaginary).push_back(std::get<std::vector<double>>(parts)[i]);
    array.elements = std::move(real);
    return array;
}

void write(const compute::Value &value, std::string &line)
{
    line += '\t';
    if (const auto *items = value.as<compute::Values>()) {
        line += "list";
        for (const compute::Value &item : *items)
            write(item, line);
        return;
    }
    const auto *array = value.as<Array>();
    if (!array) {
        line += "text " + ops::print(*value.as<ops::Fact>());
        return;
    }
    line += std::string(ir::name(array->dtype)) + " ";
    for (std::size_t d = 0; d < array->shape.size(); ++d)
        line += (d == 0 ? "" : ",") + std::to_string(array->shape[d]);
    line += ' ';
    for (const std::byte byte : bytesOf(*array))
        for (const auto half : {std::to_integer<unsigned>(byte >> 4), std::to_integer<unsigned>(byte & std::byte{15})})
            line += "0123456789abcdef"[half];
}

std::string textOf(std::string_view graph)
{
    std::string text = graph.starts_with('(') ? "graph @forward" + std::string(graph) : std::string(graph);
    std::ranges::replace(text, '\x1f', '\n');
    return "model \"m\"\n" + text + "\n";
}

/// The first node of ONNX that the passes leave, and why; "" if they leave none.
std::string leftOver(const ir::Model &model)
{
    const ir::Graph &graph = model.functions.front().graph;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const ir::NodeRef node(graph, id); !node->removed && node.isOnnx() && node.opName() != "Constant") {
            const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
            return std::string(node.opName()) + ": " + passes::LeftNodes(model, ir::FunctionId{0}, shapes).why(id);
        }
    return {};
}

Result<ir::Model> changed(ir::Model model, const passes::Pipeline &pipeline)
{
    passes::History history(std::make_shared<const ir::Model>(std::move(model)), ir::FunctionId{0});
    history.run(pipeline);
    if (history.failure())
        return std::unexpected(history.failure()->error);
    const ir::Model &last = *history.modelAfter(history.steps().size());
    return leftOver(last).empty() ? Result<ir::Model>(last) : usageError("left: " + leftOver(last));
}

std::string answer(std::string_view line, const passes::Pipeline &pipeline)
{
    std::string_view graph;
    std::vector<compute::Value> inputs;
    for (const auto part : line | std::views::split('\t')) {
        const std::string_view text(part.begin(), part.end());
        if (graph.empty())
            graph = text;
        else
            inputs.emplace_back(arrayIn(text));
    }
    auto model = ir::parseText(textOf(graph));
    if (model && !pipeline.entries.empty())
        model = changed(std::move(*model), pipeline);
    if (!model)
        return "refused " + model.error().text();
    const auto results =
        evaluate::evaluate(passes::computable(*model, ir::FunctionId{0}, inputs), ir::FunctionId{0}, inputs);
    if (!results)
        return "refused " + results.error().text();
    std::string text = "results";
    for (const compute::Value &result : *results)
        write(result, text);
    return text;
}

} // namespace

int main(int count, char **arguments)
{
    const auto pipeline = count > 1 ? passes::parsePipeline(arguments[1]) : passes::Pipeline();
    if (!pipeline) {
        std::cerr << pipeline.error().text() << "\n";
        return 1;
    }
    for (std::string line; std::getline(std::cin, line);)
        std::cout << answer(line, *pipeline) << std::endl;
    return 0;
}
