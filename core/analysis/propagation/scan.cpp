// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow.h"
#include "core/analysis/propagation/iteration.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>

namespace cutaway::analysis {

namespace {

using ops::Fact;
using ops::Facts;

struct ScanArguments {
    Facts states;
    Facts scanned;
    Facts more;                      ///< what each iteration sees whole
    ir::Shape inputAxes, outputAxes; ///< 0 where none is given
};

/// scan([state], [scanned], [more])
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

/// Scan(state…, scanned…) with num_scan_inputs, each scanned along an axis of its own.
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

/// Region: (state…, slice…, more…) → (state…, slice…). Each iteration's state is the next one's.
Outcome scan(const ir::NodeRef &node, const ScanArguments &arguments, Walk &walk)
{
    const std::size_t states = arguments.states.size();
    Facts inputs = arguments.states;
    ir::Dim length = ir::UnknownDim{};
    for (std::size_t i = 0; i < arguments.scanned.size(); ++i) {
        const std::int64_t axis = axisAt(arguments.inputAxes, i);
        length = sizeAlong(arguments.scanned[i], axis);
        inputs.push_back(withoutAxis(arguments.scanned[i], axis));
    }
    inputs.insert(inputs.end(), arguments.more.begin(), arguments.more.end());
    Facts ends;
    iterateUntilStable(walk, inputs, maxJoinedIterations, [&] {
        ends = walk.enter(node->regions[0], inputs);
        for (std::size_t i = 0; i < states; ++i)
            inputs[i] = ops::join(inputs[i], factAt(ends, i));
    });
    if (ops::number(length).value_or(0) < 1) // it may not run at all
        std::copy_n(inputs.begin(), std::min(states, ends.size()), ends.begin());
    for (std::size_t i = states; i < ends.size(); ++i)
        ends[i] = withAxis(ends[i], axisAt(arguments.outputAxes, i - states), length);
    return {std::move(ends), ops::times(walk.costOf(node->regions[0]), length)};
}

/// Before opset 9 the lengths of the sequences came first, and all else had a batch in front.
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
    outcome.cost = ops::times(outcome.cost, batch);
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
