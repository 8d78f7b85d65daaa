// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/unrolling.h"

#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/copies.h"
#include "core/passes/inlining.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;

bool isLoop(const NodeRef &node)
{
    return ops::kindOf(node) == ops::kind::loop && !node.isOnnx() && node->regions.size() == 1
        && node->arguments.size() >= 2 && node.region(0).inputs.size() == node->arguments.size() - 1
        && node.region(0).outputs.size() == node.outputCount() + 1 && node.outputCount() == node->arguments.size() - 2;
}

std::vector<Operand> carriedBy(const NodeRef &loop)
{
    std::vector<Operand> carried;
    for (std::size_t i = 2; i < loop->arguments.size(); ++i)
        carried.push_back(loop->arguments[i].value);
    return carried;
}

/// Whether the loop runs at least one iteration; nothing if that is not known.
std::optional<bool> begins(rewrite::Rewriter &rewriter, const NodeRef &loop)
{
    const auto condition = ops::asBool(rewriter.proven(loop->arguments[1].value));
    const auto limit = ops::asInt(rewriter.proven(loop->arguments[0].value));
    const auto count = limit ? ops::number(*limit) : std::nullopt;
    if (condition == false || (count && *count <= 0))
        return false;
    return condition && count ? std::optional(true) : std::nullopt;
}

void peel(rewrite::Rewriter &rewriter, const NodeRef &loop)
{
    passes::Copies copies(rewriter);
    const std::vector<ir::ValueId> inputs = loop.region(0).inputs;
    const std::vector<Operand> carried = carriedBy(loop);
    for (std::size_t i = 0; i < carried.size(); ++i)
        copies.set(inputs[i + 1], carried[i]);
    copies.copyBefore(loop.id(), loop->regions.front());
    const auto count = ops::number(*ops::asInt(rewriter.proven(loop->arguments[0].value)));
    std::vector<ir::Argument> next = loop->arguments;
    next[0].value = *count - 1;
    for (std::size_t i = 1; i < next.size(); ++i)
        next[i].value = copies.of(loop.region(0).outputs[i - 1]);
    rewriter.setArguments(loop.id(), std::move(next));
}

} // namespace

passes::Pass peeling(bool &hasChanged)
{
    return {"peel-loops",
            "Takes iterations out of loops that certainly go on.",
            {},
            [&hasChanged](rewrite::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
                for (const NodeRef node : rewriter.nodes()) {
                    if (rewriter.isRemoved(node.id()) || node->parent != ir::Graph::body || !isLoop(node))
                        continue;
                    const auto runs = begins(rewriter, node);
                    if (!runs || (*runs && rewriter.useCount(node.region(0).inputs.front()) > 0))
                        continue;
                    hasChanged = true;
                    if (*runs)
                        peel(rewriter, node);
                    else
                        passes::replaceNode(rewriter, node, carriedBy(node));
                }
                return {};
            },
            false};
}

std::vector<ir::NodeId> loopsOf(const ir::Graph &graph)
{
    std::vector<ir::NodeId> loops;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const NodeRef node(graph, id); !node->removed && isLoop(node))
            loops.push_back(id);
    return loops;
}

} // namespace cutaway::convert
