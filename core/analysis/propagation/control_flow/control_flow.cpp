// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/control_flow.h"

#include "core/analysis/propagation/autocasts.h"
#include "core/analysis/propagation/control_flow/iteration.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>
#include <array>

namespace cutaway::analysis {

namespace {

struct Construct {
    ops::OperatorKind kind;
    Outcome (*run)(const ir::NodeRef &node, Walk &walk);
};

constexpr std::array constructs{
    Construct{ops::kind::ifElse, runBranch},
    Construct{ops::kind::cond, runBranch},
    Construct{ops::kind::loop, runLoop},
    Construct{ops::kind::whileLoop, runWhileLoop},
    Construct{ops::kind::scan, runScan},
    Construct{ops::kind::map, runMap},
    Construct{ops::kind::sequenceMap, runSequenceMap},
};

} // namespace

Outcome runRegions(const ir::NodeRef &node, Walk &walk)
{
    const auto found = std::ranges::find(constructs, ops::kindOf(node), &Construct::kind);
    return found == constructs.end() ? runInline(node, walk) : found->run(node, walk);
}

/// Returns the inputs of the region: the last positional arguments. Keyword arguments after them are options of the
/// operator.
static ops::Facts inputsOfRegion(const ir::NodeRef &node, const ops::Facts &arguments, const Walk &walk)
{
    const std::size_t wanted = node.region(0).inputs.size();
    const auto isPositional = [](const ir::Argument &argument) { return argument.name == ir::NameId{}; };
    ops::Facts inputs;
    for (const ir::Argument &argument : node->arguments)
        if (isPositional(argument))
            appendOpened(inputs, walk.of(argument.value));
    if (inputs.size() < wanted)
        inputs = arguments;
    inputs.erase(inputs.begin(), inputs.end() - static_cast<std::ptrdiff_t>(std::min(wanted, inputs.size())));
    return inputs;
}

Outcome runInline(const ir::NodeRef &node, Walk &walk)
{
    const ops::Facts arguments = argumentsFrom(node, 0, walk);
    const ops::Facts inputs = inputsOfRegion(node, arguments, walk);
    const bool isAutocast = ops::kindOf(node) == ops::kind::wrapWithAutocast && arguments.size() > 2;
    if (isAutocast) // (device, dtype, enabled, cache, …)
        walk.autocasts().enter({arguments[0], arguments[1], arguments[2]});
    ops::Facts results = walk.enter(node->regions[0], inputs);
    if (isAutocast)
        walk.autocasts().leave();
    return {std::move(results), walk.costOf(node->regions[0])};
}

} // namespace cutaway::analysis
