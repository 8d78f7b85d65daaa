// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// rewrite IN OUT [weights|nodes|passes]: reads a model, writes it and reads that; exit code 1 if the two differ, 3 if
// IN cannot be read, 4 if OUT cannot be written. What tests/against_runtimes drives. With `weights` every weight is
// written as if it were new, with `nodes` every plain node is replaced by a new one, which has less to say, and
// `passes` runs the default pipeline before.
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_bytes.h"
#include "core/ir/verify.h"
#include "core/passes/history.h"
#include "tests/core/formats/round_trip/content_text.h"

#include <cstdio>
#include <string>

using namespace cutaway;

namespace {

int say(int code, const std::string &text)
{
    std::puts(text.c_str());
    return code;
}

void renewWeights(ir::Model &model)
{
    for (std::uint32_t i = 0; i < model.storages.size(); ++i) {
        const auto bytes = ir::bytesOf(model, model.storages[i]);
        if (!bytes || bytes->encoding != ir::FileRange::Encoding::LittleEndian)
            continue;
        model.storages.edit(i).data =
            ir::InlineBytes{std::make_shared<std::vector<std::byte>>(bytes->bytes.begin(), bytes->bytes.end())};
    }
}

void renewNode(ir::Graph &graph, ir::NodeId id)
{
    const ir::Node node = graph.at(id);
    const ir::Context &context = graph.context();
    const bool isHigherOrder = context.text(context.at(node.op).dialect) == "higher_order"; // may give None, too
    if (isHigherOrder || !node.regions.empty() || node.outputs.empty())
        return;
    const ir::NodeId copy = graph.insertBefore(id, {node.op, {}, {}, {}, node.arguments, {}, {}});
    for (const ir::ValueId output : node.outputs)
        graph.replaceUses(output, graph.addOutput(copy, graph.at(output).name, graph.at(output).type));
    graph.remove(id);
}

void renewNodes(ir::Function &function)
{
    const std::uint32_t count = function.graph.nodeCount();
    for (std::uint32_t i = 0; i < count; ++i)
        if (!function.graph.at(ir::NodeId{i}).removed)
            renewNode(function.graph, ir::NodeId{i});
    const std::vector<ir::Operand> &results = function.graph.at(ir::Graph::body).outputs;
    for (std::size_t i = 0; i < results.size(); ++i)
        function.outputs[i].value = results[i];
}

std::optional<std::string> runPasses(ir::Model &model)
{
    passes::History history(std::make_shared<const ir::Model>(model), ir::FunctionId{0});
    history.run(passes::defaultPipeline());
    model = *history.modelAfter(history.steps().size());
    return history.failure() ? std::optional(history.failure()->error.text()) : std::nullopt;
}

} // namespace

int main(int count, char **arguments)
{
    const std::string_view mode = count == 4 ? arguments[3] : "";
    if (count < 3 || count > 4)
        return say(2, "usage: rewrite IN OUT [weights|nodes|passes]");
    auto model = formats::open(arguments[1]);
    if (!model)
        return say(3, "cannot be read: " + model.error().text());
    if (mode == "weights")
        renewWeights(*model);
    for (ir::Function &function : model->functions)
        if (mode == "nodes")
            renewNodes(function);
    if (mode == "passes")
        if (const auto failure = runPasses(*model))
            return say(1, *failure);
    if (const auto written = formats::write(*model, arguments[2]); !written)
        return say(4, "cannot be written: " + written.error().text());
    const auto again = formats::open(arguments[2]);
    if (!again)
        return say(1, "cannot be read again: " + again.error().text());
    if (const auto faults = ir::verify(*again); !faults.empty())
        return say(1, "does not verify: " + faults.front());
    if (mode == "nodes" || mode == "passes")
        return say(0, "written");
    const std::string found = tests::difference(tests::contentText(*model), tests::contentText(*again));
    return found.empty() ? say(0, "same") : say(1, "differs: " + found.substr(0, 400));
}
