// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include "core/analysis/binding.h"
#include "core/analysis/counts.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

/// A number, text or object has no shape; the shape of a value of unknown type is unknown.
bool isShapeUnknown(const ops::Fact &fact, const ir::Type &type)
{
    if (const ops::TensorFact *tensor = ops::asTensor(fact))
        return !tensor->dtype || !tensor->shape || !std::ranges::all_of(*tensor->shape, ops::isKnown);
    return fact.as<ops::AnyFact>()
        && (std::holds_alternative<ir::UnknownType>(type) || std::holds_alternative<ir::TensorType>(type));
}

bool isContradiction(const ops::TensorFact &derived, const ops::TensorFact &recorded)
{
    if (derived.dtype && recorded.dtype && derived.dtype != recorded.dtype)
        return true;
    if (!derived.shape || !recorded.shape)
        return false;
    return derived.shape->size() != recorded.shape->size()
        || !std::ranges::equal(*derived.shape, *recorded.shape,
                               [](const ir::Dim &a, const ir::Dim &b) { return !ops::isDifferent(a, b); });
}

std::vector<Mismatch> mismatchesOf(const ir::Graph &graph, const Shapes &shapes, const symbolic::Bindings &bindings)
{
    std::vector<Mismatch> found;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeRef node(graph, ir::NodeId{i});
        if (node->removed)
            continue;
        for (const ir::ValueRef output : node.outputs()) {
            const ir::TensorType *recorded = output.tensorType();
            const ops::TensorFact *derived = ops::asTensor(shapes.of(output));
            if (!recorded || !derived)
                continue;
            const auto record = ops::tensorFact(
                recorded->dtype, recorded->shape ? std::optional(bound(*recorded->shape, bindings)) : std::nullopt);
            if (isContradiction(*derived, record))
                found.push_back({node, output,
                                 std::string(output.name()) + ": "
                                     + ops::print(ops::tensorFact(derived->dtype, derived->shape)) + " is derived and "
                                     + ops::print(ops::tensorFact(recorded->dtype, recorded->shape)) + " recorded"});
        }
    }
    return found;
}

Totals totalsOf(const ir::Graph &graph, const Analysis &analysis)
{
    Totals totals;
    totals.nodes = countNodes(graph);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeRef node(graph, ir::NodeId{i});
        if (node->removed)
            continue;
        totals.shapesUnknown += std::ranges::count_if(node.outputs(), [&](const ir::ValueRef &output) {
            return isShapeUnknown(analysis.shapes.of(output), output.type());
        });
    }
    totals.cost = analysis.shapes.total;
    totals.costUnknown =
        std::ranges::count_if(analysis.shapes.stops, [](const Stop &stop) { return stop.hidesCost && stop.isReached; });
    if (totals.costUnknown > 0)
        totals.cost = {ir::UnknownDim{}, ir::UnknownDim{}, totals.cost.bytesRead, totals.cost.bytesWritten};
    totals.peakBytes = analysis.memory.peak;
    return totals;
}

} // namespace

ops::Cost Analysis::costOf(ir::NodeId node) const
{
    const ops::Cost &cost = shapes.costs[node.index];
    return hiddenCosts[node.index] ? ops::Cost{ir::UnknownDim{}, ir::UnknownDim{}, cost.bytesRead, cost.bytesWritten}
                                   : cost;
}

std::vector<ir::Diagnostic> findings(const Analysis &analysis)
{
    std::vector<ir::Diagnostic> found;
    for (const Stop &stop : analysis.shapes.stops)
        if (stop.isReached)
            found.push_back({stop.isContradiction ? ir::Severity::Warning : ir::Severity::Info,
                             stop.isContradiction ? "shape.contradiction" : "shapes.unknown", stop.reason,
                             analysis.function, stop.node});
    for (const Mismatch &mismatch : analysis.mismatches)
        found.push_back({ir::Severity::Warning, "shape.mismatch", mismatch.message, analysis.function, mismatch.node});
    std::ranges::stable_sort(found, {}, &ir::Diagnostic::node);
    return found;
}

static Analysis analyse(const ir::Model &model, ir::FunctionId function, Given given, const Task &task,
                        const Shapes *earlier)
{
    const ir::Graph &graph = model.at(function).graph;
    Analysis analysis{function, std::move(given), {}, {}, {}, {}, std::vector<bool>(graph.nodeCount())};
    analysis.shapes = inferShapes(model, function, analysis.given, task, earlier);
    for (const Stop &stop : analysis.shapes.stops)
        if (stop.hidesCost)
            analysis.hiddenCosts[stop.node.index] = true;
    analysis.memory = liveMemory(model, function, analysis.shapes);
    analysis.totals = totalsOf(graph, analysis);
    if (analysis.given.inputs.empty())
        analysis.mismatches = mismatchesOf(graph, analysis.shapes, analysis.given.bindings);
    return analysis;
}

Analysis analyse(const ir::Model &model, ir::FunctionId function, Given given, const Task &task)
{
    return analyse(model, function, std::move(given), task, nullptr);
}

Analysis analyse(const ir::Model &model, const Analysis &earlier, Given given, const Task &task)
{
    return analyse(model, earlier.function, std::move(given), task, &earlier.shapes);
}

} // namespace cutaway::analysis
