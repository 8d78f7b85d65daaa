// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include "core/analysis/binding.h"
#include "core/analysis/counts.h"
#include "core/analysis/known_tensor.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

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
                found.push_back(
                    {node, output,
                     node.dialect() == "onnx" && derived->dtype && recorded->dtype && derived->dtype != recorded->dtype,
                     std::string(output.name()) + ": " + ops::print(ops::tensorFact(derived->dtype, derived->shape))
                         + " is derived and " + ops::print(ops::tensorFact(recorded->dtype, recorded->shape))
                         + " recorded"});
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
        for (const ir::ValueRef output : node.outputs()) {
            totals.shapesUnknown += !isWhollyKnown(analysis.shapes.of(output), output.type());
            totals.shapesRecorded += analysis.shapes.isRecorded[output.id().index];
        }
    }
    totals.cost = analysis.shapes.total;
    totals.atLeast = analysis.shapes.totalAtLeast;
    const bool isCounted = ops::isKnown(totals.cost.flops) && ops::isKnown(totals.cost.otherFlops);
    for (const Stop &stop : analysis.shapes.stops) {
        const bool isHidden = !isCounted && stop.hidesCost && stop.isReached;
        totals.costUnknown += isHidden;
        totals.flopsUnknown += isHidden && !ops::isKnown(analysis.costOf(stop.node).flops);
    }
    totals.peakBytes = analysis.memory.peak;
    totals.peakAtLeast = analysis.memory.peakAtLeast;
    return totals;
}

} // namespace

namespace {

ir::Diagnostic diagnosticOf(const Stop &stop, ir::FunctionId function)
{
    if (stop.isContradiction)
        return {ir::Severity::Error, "shape.contradiction", stop.reason, function, stop.node};
    switch (stop.results) {
    case Stop::Results::Recorded:
        return {ir::Severity::Info, "shapes.recorded", stop.reason + "; its results are as the file records them",
                function, stop.node};
    case Stop::Results::Known:
        if (!stop.hidesCost)
            break; // of a number
        return {ir::Severity::Info, "cost.unknown", stop.reason, function, stop.node};
    case Stop::Results::Unknown:
        break;
    }
    return {ir::Severity::Info, "shapes.unknown", stop.reason, function, stop.node};
}

} // namespace

std::vector<ir::Diagnostic> findings(const Analysis &analysis)
{
    std::vector<ir::Diagnostic> found;
    for (const HeldSize &held : analysis.held)
        found.push_back({ir::Severity::Warning, "size.fixed", held.message, analysis.function, held.node});
    for (const Stop &stop : analysis.shapes.stops)
        if (stop.isReached && !std::ranges::contains(analysis.held, stop.node, &HeldSize::node))
            found.push_back(diagnosticOf(stop, analysis.function));
    for (const Mismatch &mismatch : analysis.mismatches)
        found.push_back({mismatch.isOfType ? ir::Severity::Error : ir::Severity::Warning,
                         mismatch.isOfType ? "type.mismatch" : "shape.mismatch", mismatch.message, analysis.function,
                         mismatch.node});
    std::ranges::stable_sort(found, {}, &ir::Diagnostic::node);
    return found;
}

static Analysis analyse(const ir::Model &model, ir::FunctionId function, Given given, const Task &task,
                        const Shapes *earlier)
{
    const ir::Graph &graph = model.at(function).graph;
    Analysis analysis{function, std::move(given), {}, {}, {}, {}, {}};
    analysis.shapes = inferShapes(model, function, analysis.given, task, earlier);
    analysis.memory = liveMemory(model, function, analysis.shapes);
    analysis.totals = totalsOf(graph, analysis);
    if (analysis.given.replaced.empty())
        analysis.mismatches = mismatchesOf(graph, analysis.shapes, analysis.given.bindings);
    else
        analysis.held = heldSizes(model, function, analysis.given, analysis.shapes, task);
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
