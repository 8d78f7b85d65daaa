// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/control_flow.h"
#include "core/analysis/propagation/control_flow/iteration.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

struct ScanArguments {
    Facts states;
    Facts scanned;
    Facts more;                      ///< arguments that each iteration gets whole
    ir::Shape inputAxes, outputAxes; ///< by scanned argument and by scanned result; 0 where the node names no axis
};

/// Reads the arguments of scan([state], [scanned], [more]).
ScanArguments exportedArguments(const ir::NodeRef &node, const Walk &walk)
{
    ScanArguments arguments;
    if (node->arguments.size() < 2)
        return arguments;
    appendOpened(arguments.states, walk.of(node->arguments[0].value));
    appendOpened(arguments.scanned, walk.of(node->arguments[1].value));
    arguments.more = argumentsFrom(node, 2, walk);
    return arguments;
}

/// Reads the arguments of Scan(state…, scanned…), where each scanned tensor has an axis of its own.
ScanArguments onnxArguments(const ir::NodeRef &node, const Walk &walk)
{
    const auto attribute = [&](std::string_view name) {
        const ir::Operand *given = node.argument(name);
        return given ? walk.of(*given) : Fact();
    };
    const Facts inputs = inputsOf(node, walk);
    const auto given = ops::asInt(attribute("num_scan_inputs"));
    const auto count = std::clamp<std::int64_t>(given ? ops::number(*given).value_or(0) : 0, 0, std::ssize(inputs));
    return {.states = Facts(inputs.begin(), inputs.end() - count),
            .scanned = Facts(inputs.end() - count, inputs.end()),
            .more = {},
            .inputAxes = ops::asInts(attribute("scan_input_axes")).value_or(ir::Shape{}),
            .outputAxes = ops::asInts(attribute("scan_output_axes")).value_or(ir::Shape{})};
}

std::int64_t axisAt(const ir::Shape &axes, std::size_t i)
{
    return i < axes.size() ? ops::number(axes[i]).value_or(0) : 0;
}

/// Returns the number of slices, which is the same for all scanned tensors.
ir::Dim lengthOf(const ScanArguments &arguments)
{
    ir::Dim length = ir::UnknownDim{};
    for (std::size_t i = 0; i < arguments.scanned.size() && !ops::number(length); ++i)
        if (const ir::Dim size = sizeAlong(arguments.scanned[i], axisAt(arguments.inputAxes, i)); ops::isKnown(size))
            length = size;
    return length;
}

/// Walks the region (state…, slice…, more…) → (state…, slice…). The states that an iteration returns are the inputs of
/// the next one.
class Scan {
public:
    Scan(const ir::NodeRef &node, const ScanArguments &arguments, Walk &walk)
        : m_region(node->regions[0]),
          m_walk(walk),
          m_states(arguments.states.size()),
          m_inputs(arguments.states)
    {
        for (std::size_t i = 0; i < arguments.scanned.size(); ++i)
            m_inputs.push_back(withoutAxis(arguments.scanned[i], axisAt(arguments.inputAxes, i)));
        m_inputs.insert(m_inputs.end(), arguments.more.begin(), arguments.more.end());
    }

    /// Propagates through one iteration after the other, until an iteration leaves the states as they were.
    void unroll(std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i) {
            m_ends = m_walk.enter(m_region, m_inputs);
            const Facts before(m_inputs.begin(), m_inputs.end());
            for (std::size_t k = 0; k < m_states; ++k)
                m_inputs[k] = factAt(m_ends, k);
            const bool isLast = m_inputs == before || i + 1 == count;
            m_cost = plus(m_cost, times(m_walk.costOf(m_region), isLast ? count - i : 1));
            if (isLast)
                return;
        }
    }

    /// Propagates through all iterations at once.
    void join(const ir::Dim &count)
    {
        iterateUntilStable(m_walk, m_inputs, maxJoinedIterations, [this] {
            m_ends = m_walk.enter(m_region, m_inputs);
            for (std::size_t i = 0; i < m_states; ++i)
                m_inputs[i] = ops::join(m_inputs[i], factAt(m_ends, i));
        });
        if (ops::number(count).value_or(0) < 1) // the body may not run: the results are then the initial states
            std::copy_n(m_inputs.begin(), std::min(m_states, m_ends.size()), m_ends.begin());
        m_cost = times(m_walk.costOf(m_region), count);
    }

    Facts &ends() { return m_ends; }
    BoundedCost &cost() { return m_cost; }

private:
    const ir::RegionId m_region;
    Walk &m_walk;
    const std::size_t m_states;
    Facts m_inputs;
    Facts m_ends; ///< the facts that the last iteration returned
    BoundedCost m_cost;
};

Outcome scan(const ir::NodeRef &node, const ScanArguments &arguments, Walk &walk)
{
    Scan iterations(node, arguments, walk);
    const ir::Dim length = lengthOf(arguments);
    const auto count = ops::number(length);
    if (count && *count >= 1 && *count <= maxUnrolledIterations)
        iterations.unroll(*count);
    else
        iterations.join(length);
    Facts &ends = iterations.ends();
    for (std::size_t i = arguments.states.size(); i < ends.size(); ++i)
        ends[i] = withAxis(ends[i], axisAt(arguments.outputAxes, i - arguments.states.size()), length);
    std::string reason = reasonOf(length, iterations.cost());
    return {std::move(ends), std::move(iterations.cost()), {}, std::move(reason)};
}

/// Propagates through a Scan before opset 9, which has the sequences' lengths as its first input and a batch dimension
/// in front.
Outcome scanOfBatch(const ir::NodeRef &node, ScanArguments arguments, Walk &walk)
{
    if (!arguments.states.empty())
        arguments.states.erase(arguments.states.begin());
    const ir::Dim batch =
        arguments.scanned.empty() ? ir::Dim(ir::UnknownDim{}) : sizeAlong(arguments.scanned.front(), 0);
    for (Facts *facts : {&arguments.states, &arguments.scanned})
        for (Fact &fact : *facts)
            fact = withoutAxis(fact, 0);
    Outcome outcome = scan(node, arguments, walk);
    for (Fact &result : outcome.results)
        result = withAxis(result, 0, batch);
    outcome.cost = times(outcome.cost, batch);
    return outcome;
}

} // namespace

Outcome runScan(const ir::NodeRef &node, Walk &walk)
{
    if (!node.isOnnx())
        return scan(node, exportedArguments(node, walk), walk);
    ScanArguments arguments = onnxArguments(node, walk);
    return walk.opset(node.dialect()) < 9 ? scanOfBatch(node, std::move(arguments), walk) : scan(node, arguments, walk);
}

} // namespace cutaway::analysis
