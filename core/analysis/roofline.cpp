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

/// Returns the dtype that a node computes in: that of the first floating tensor among its arguments, else among its
/// results, else in its regions.
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
    Estimator(const Analysis &analysis, const Device &device, const symbolic::Bindings &sizes)
        : m_analysis(analysis),
          m_device(device),
          m_sizes(sizes)
    {
    }

    /// Returns the least time of the node on the device; nothing, and sets the reason, if a figure is not known.
    std::optional<Attainable> estimate(const ir::NodeRef &node, std::string &reason) const
    {
        return estimate(node, m_analysis.costOf(node), reason);
    }

    /// Returns the time of the known part of the node's cost.
    double atLeast(const ir::NodeRef &node) const
    {
        std::string reason;
        const auto known = estimate(node, m_analysis.shapes.boundOf(node), reason);
        return known ? known->seconds : 0;
    }

    std::optional<double> peakBytes() const
    {
        if (const auto peak = ops::number(m_analysis.totals.peakBytes))
            return static_cast<double>(*peak);
        std::optional<double> peak;
        for (const ir::Dim &alive : m_analysis.memory.alive) {
            const auto bytes = m_sizes.empty() ? std::nullopt : numberOf(alive);
            if (!bytes)
                return std::nullopt;
            peak = std::max(peak.value_or(0), *bytes);
        }
        return peak;
    }

private:
    std::optional<double> numberOf(const ir::Dim &dim) const
    {
        if (const auto known = ops::number(dim))
            return static_cast<double>(*known);
        const auto *formula = std::get_if<symbolic::Expr>(&dim);
        if (!formula || m_sizes.empty())
            return std::nullopt;
        const auto value = symbolic::substitute(*formula, m_sizes);
        return value && value->kind() == symbolic::Kind::Integer
            ? std::optional(static_cast<double>(value->integerValue()))
            : std::nullopt;
    }

    std::optional<Attainable> estimate(const ir::NodeRef &node, const ops::Cost &cost, std::string &reason) const
    {
        const auto flops = numberOf(cost.flops), other = numberOf(cost.otherFlops);
        const auto read = numberOf(cost.bytesRead), written = numberOf(cost.bytesWritten);
        if (!flops || !other || !read || !written) {
            reason = hasSymbol(cost) ? "a size is a symbol without a value" : "its cost is not known";
            return std::nullopt;
        }
        const auto product = secondsOfProducts(node, *flops, reason);
        if (!product)
            return std::nullopt;
        const double compute = *product + *other / m_device.vectorPeak;
        const double bytes = *read + *written;
        const double memory = bytes / m_device.bandwidth;
        const double operations = *flops + *other;
        using enum Attainable::Bound;
        return Attainable{std::max(compute, memory), operations, bytes > 0 ? operations / bytes : 0,
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
    const symbolic::Bindings &m_sizes;
};

} // namespace

Roofline roofline(const ir::Model &model, const Analysis &analysis, const Device &device, double weightBytes,
                  const symbolic::Bindings &sizes)
{
    const ir::Graph &graph = model.at(analysis.function).graph;
    const Estimator estimator(analysis, device, sizes);
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
    if (const auto peak = estimator.peakBytes()) {
        result.neededBytes = weightBytes + *peak;
        result.fits = *result.neededBytes <= device.memory;
    }
    return result;
}

} // namespace cutaway::analysis
