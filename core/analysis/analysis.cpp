// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include "core/analysis/binding.h"
#include "core/analysis/counts.h"
#include "core/analysis/file_symbols.h"
#include "core/analysis/known_tensor.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

/// Whether the file records some size as a formula of the model's symbols, and propagation derives a different formula.
/// A recorded size that is only a name does not count: exporters invent names.
bool hasOtherFormula(const ops::TensorFact &derived, const ops::TensorFact &record, const FileSymbols &symbols)
{
    if (!derived.shape || !record.shape || derived.shape->size() != record.shape->size())
        return false;
    for (std::size_t i = 0; i < derived.shape->size(); ++i) {
        const auto *a = std::get_if<symbolic::Expr>(&(*derived.shape)[i]);
        const auto *b = std::get_if<symbolic::Expr>(&(*record.shape)[i]);
        if (a && b && b->kind() != symbolic::Kind::Symbol && symbols.contains(*a) && symbols.contains(*b)
            && isDifferentFormula(*a, *b))
            return true;
    }
    return false;
}

std::optional<Mismatch> mismatchOf(const ir::NodeRef &node, const ir::ValueRef &output, const Shapes &shapes,
                                   Reached reached, const FileSymbols &symbols, const symbolic::Bindings &bindings)
{
    const ir::TensorType *recorded = output.tensorType();
    const ops::TensorFact *derived = ops::asTensor(shapes.of(output));
    if (!recorded || !derived)
        return std::nullopt;
    const auto record = ops::tensorFact(
        recorded->dtype, recorded->shape ? std::optional(bound(*recorded->shape, bindings)) : std::nullopt);
    if (!isContradiction(*derived, record) && !hasOtherFormula(*derived, record, symbols))
        return std::nullopt;
    Mismatch::Kind kind = Mismatch::Kind::Shape;
    if (node.isOnnx() && derived->dtype && recorded->dtype && derived->dtype != recorded->dtype)
        kind = Mismatch::Kind::ElementType;
    else if (node.isOnnx() && reached != Reached::Certainly)
        kind = Mismatch::Kind::ShapeOfOtherRun;
    return Mismatch{node, output, kind,
                    std::string(output.name()) + ": " + ops::print(ops::tensorFact(derived->dtype, derived->shape))
                        + " is derived and " + ops::print(ops::tensorFact(recorded->dtype, recorded->shape))
                        + " recorded"};
}

/// Returns the mismatches of nodes that may run; a branch that is never taken has none.
std::vector<Mismatch> mismatchesOf(const ir::Model &model, const ir::Graph &graph, const Shapes &shapes,
                                   const symbolic::Bindings &bindings)
{
    const FileSymbols symbols(model, bindings);
    std::vector<Mismatch> found;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeRef node(graph, ir::NodeId{i});
        const Reached reached =
            node->parent == ir::Graph::body ? Reached::Certainly : shapes.reached[node->parent.index];
        if (node->removed || reached == Reached::Never)
            continue;
        for (const ir::ValueRef output : node.outputs())
            if (auto mismatch = mismatchOf(node, output, shapes, reached, symbols, bindings))
                found.push_back(std::move(*mismatch));
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
            break; // the shapes and the cost are known; only the value of a number that the node returns is not
        return {ir::Severity::Info, "cost.unknown", stop.reason, function, stop.node};
    case Stop::Results::Unknown:
        break;
    }
    return {ir::Severity::Info, "shapes.unknown", stop.reason, function, stop.node};
}

ir::Diagnostic diagnosticOf(const Mismatch &mismatch, ir::FunctionId function)
{
    switch (mismatch.kind) {
    case Mismatch::Kind::ElementType:
        return {ir::Severity::Error, "type.mismatch", mismatch.message, function, mismatch.node};
    case Mismatch::Kind::Shape:
        break;
    case Mismatch::Kind::ShapeOfOtherRun:
        return {ir::Severity::Info, "shape.mismatch", mismatch.message + "; it may not run", function, mismatch.node};
    }
    return {ir::Severity::Warning, "shape.mismatch", mismatch.message, function, mismatch.node};
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
        found.push_back(diagnosticOf(mismatch, analysis.function));
    for (const NeededSizes::Finding &size : analysis.needed.findings())
        found.push_back({size.isAssumed ? ir::Severity::Info : ir::Severity::Warning,
                         size.isAssumed ? "size.assumed" : "size.needed", size.message, analysis.function, size.node});
    std::ranges::stable_sort(found, {}, &ir::Diagnostic::node);
    return found;
}

static Analysis analyse(const ir::Model &model, ir::FunctionId function, Given given, const Task &task,
                        const Shapes *earlier)
{
    const ir::Graph &graph = model.at(function).graph;
    Analysis analysis{function, std::move(given), {}, {}, {}, {}, {}, {}};
    analysis.shapes = inferShapes(model, function, analysis.given, task, earlier);
    analysis.memory = liveMemory(model, function, analysis.shapes);
    analysis.totals = totalsOf(graph, analysis);
    analysis.needed = NeededSizes(model, analysis.shapes);
    if (analysis.given.replaced.empty())
        analysis.mismatches = mismatchesOf(model, graph, analysis.shapes, analysis.given.bindings);
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
