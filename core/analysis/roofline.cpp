// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/roofline.h"

#include "core/base/formatted.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/promotion.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

/// What a node computes in: its first floating tensor's dtype, of arguments before results.
std::optional<ir::DType> computesIn(const ir::NodeRef &node, const Shapes &shapes)
{
    std::optional<ir::DType> found;
    const auto look = [&](ir::ValueId value) {
        ops::forEachTensor(shapes.of(value), [&](const ops::TensorFact &tensor) {
            if (!found && tensor.dtype && ir::isFloating(*tensor.dtype))
                found = tensor.dtype;
        });
    };
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, look);
    std::ranges::for_each(node->outputs, look);
    for (const ir::RegionId region : node->regions)
        for (const ir::NodeRef inner : ir::nodesOf(node.graph(), region))
            if (!found)
                found = computesIn(inner, shapes);
    return found;
}

class Estimator {
public:
    Estimator(const Analysis &analysis, const Device &device) : m_analysis(analysis), m_device(device) { }

    /// Nothing, and the reason, where a figure is missing.
    std::optional<Attainable> estimate(const ir::NodeRef &node, std::string &reason) const
    {
        return estimate(node, m_analysis.costOf(node), reason);
    }

    /// The time of what is known of its cost.
    double atLeast(const ir::NodeRef &node) const
    {
        std::string reason;
        const auto known = estimate(node, m_analysis.shapes.boundOf(node), reason);
        return known ? known->seconds : 0;
    }

private:
    std::optional<Attainable> estimate(const ir::NodeRef &node, const ops::Cost &cost, std::string &reason) const
    {
        const auto flops = ops::number(cost.flops), other = ops::number(cost.otherFlops);
        const auto read = ops::number(cost.bytesRead), written = ops::number(cost.bytesWritten);
        if (!flops || !other || !read || !written) {
            reason = hasSymbol(cost) ? "a size is a symbol without a value" : "its cost is not known";
            return std::nullopt;
        }
        const auto product = secondsOfProducts(node, static_cast<double>(*flops), reason);
        if (!product)
            return std::nullopt;
        const double compute = *product + static_cast<double>(*other) / m_device.vectorPeak;
        const double bytes = static_cast<double>(*read) + static_cast<double>(*written);
        const double memory = bytes / m_device.bandwidth;
        const double operations = static_cast<double>(*flops) + static_cast<double>(*other);
        using enum Attainable::Bound;
        return Attainable{std::max(compute, memory), bytes > 0 ? operations / bytes : 0,
                          compute == 0 && memory == 0 ? Nothing
                              : compute > memory      ? Compute
                                                      : Memory};
    }

    static bool hasSymbol(const ops::Cost &cost)
    {
        const auto isFormula = [](const ir::Dim &dim) { return std::holds_alternative<symbolic::Expr>(dim); };
        return isFormula(cost.flops) || isFormula(cost.otherFlops) || isFormula(cost.bytesRead)
            || isFormula(cost.bytesWritten);
    }

    std::optional<double> secondsOfProducts(const ir::NodeRef &node, double flops, std::string &reason) const
    {
        if (flops == 0)
            return 0;
        const auto dtype = computesIn(node, m_analysis.shapes).value_or(ir::DType::Int8);
        const auto peak = m_device.peaks.find(dtype);
        if (peak != m_device.peaks.end())
            return flops / peak->second;
        reason = formatted("{} has no figure for {}", m_device.name, ir::name(dtype));
        return std::nullopt;
    }

    const Analysis &m_analysis;
    const Device &m_device;
};

} // namespace

Roofline roofline(const ir::Model &model, const Analysis &analysis, const Device &device, double weightBytes)
{
    const ir::Graph &graph = model.at(analysis.function).graph;
    const Estimator estimator(analysis, device);
    Roofline result;
    result.nodes.resize(graph.nodeCount());
    std::string reason;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        if (const ir::NodeRef node(graph, ir::NodeId{i}); !node->removed)
            if (result.nodes[i] = estimator.estimate(node, reason); !result.nodes[i])
                result.atLeast[node] = estimator.atLeast(node);
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        if (const auto &estimate = result.nodes[node.id().index]) {
            result.seconds += estimate->seconds;
            continue;
        }
        result.seconds += result.atLeast.at(node);
        if (result.unknown++ == 0) {
            estimator.estimate(node, reason);
            result.reason = reason;
        }
    }
    if (const auto peak = ops::number(analysis.totals.peakBytes)) {
        result.neededBytes = weightBytes + static_cast<double>(*peak);
        result.fits = *result.neededBytes <= device.memory;
    }
    return result;
}

} // namespace cutaway::analysis
