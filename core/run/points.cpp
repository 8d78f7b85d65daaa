// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/points.h"

#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::run {

namespace {

bool isOutput(const ir::Graph &graph, ir::ValueId value)
{
    return std::ranges::contains(graph.at(ir::Graph::body).outputs, ir::Operand{value});
}

/// A tensor with a name by which a backend can be asked for it, and that it does not give anyhow.
bool canBeAsked(const diff::Side &side, ir::ValueId value)
{
    const ir::Graph &graph = side.graph();
    return ops::asTensor(side.analysis.shapes.of(value)) && !isOutput(graph, value)
        && (side.model.format != "onnx" || !graph.context().text(graph.at(value).name).empty());
}

void addPoint(std::vector<Point> &points, const diff::Side &a, ir::NodeId nodeA, const diff::Side &b, ir::NodeId nodeB)
{
    const ir::Node &before = a.graph().at(nodeA), &after = b.graph().at(nodeB);
    if (before.parent != ir::Graph::body || after.parent != ir::Graph::body
        || before.outputs.size() != after.outputs.size())
        return;
    for (std::size_t i = 0; i < before.outputs.size(); ++i)
        if (canBeAsked(a, before.outputs[i]) && canBeAsked(b, after.outputs[i]))
            points.push_back({nodeA, nodeB, before.outputs[i], after.outputs[i]});
}

} // namespace

std::vector<Point> points(const diff::Side &a, const diff::Side &b, const diff::Difference &difference)
{
    std::vector<Point> points;
    for (const diff::Pair &pair : difference.pairs)
        addPoint(points, a, pair.a, b, pair.b);
    return points;
}

std::vector<Point> points(const diff::Side &side)
{
    std::vector<Point> points;
    for (const ir::NodeId node : side.graph().at(ir::Graph::body).nodes)
        addPoint(points, side, node, side, node);
    return points;
}

Result<Outcome> runWithValues(Backend &backend, const Subject &subject, std::span<const ir::ValueId> values,
                              const Inputs &inputs, const Task &task)
{
    if (values.empty())
        return backend.run(subject, inputs, task);
    const ir::Model extended = withOutputs(subject.model, subject.function, values);
    return backend.run({extended, subject.function, std::nullopt}, inputs, task);
}

} // namespace cutaway::run
