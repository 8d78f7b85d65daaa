// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/points.h"

#include "core/ir/model_format.h"
#include "core/ir/node_ref.h"

#include <algorithm>

namespace cutaway::run {

namespace {

bool isOutput(const ir::ValueRef &value)
{
    return std::ranges::contains(value.graph().at(ir::Graph::body).outputs, ir::Operand{value.id()});
}

/// Whether a backend can return this value in addition to the outputs: a tensor, and in ONNX with a name.
bool canBeAsked(const diff::Side &side, const ir::ValueRef &value)
{
    return ops::asTensor(side.analysis.shapes.of(value)) && !isOutput(value)
        && (!ir::isOnnx(side.model) || !value.name().empty());
}

void addPoint(std::vector<Point> &points, const diff::Side &a, ir::NodeId nodeA, const diff::Side &b, ir::NodeId nodeB)
{
    const ir::NodeRef before(a.graph(), nodeA), after(b.graph(), nodeB);
    if (before->parent != ir::Graph::body || after->parent != ir::Graph::body
        || before.outputCount() != after.outputCount())
        return;
    for (std::size_t i = 0; i < before.outputCount(); ++i)
        if (canBeAsked(a, before.output(i)) && canBeAsked(b, after.output(i)))
            points.push_back({nodeA, nodeB, before.output(i), after.output(i)});
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

} // namespace cutaway::run
