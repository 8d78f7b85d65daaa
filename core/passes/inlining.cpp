// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/inlining.h"

namespace cutaway::passes {

using ir::Operand;

std::vector<Operand> openedArguments(const ir::Node &node, std::size_t first)
{
    std::vector<Operand> opened;
    for (std::size_t i = first; i < node.arguments.size(); ++i)
        if (const auto *list = node.arguments[i].value.as<ir::List>())
            opened.insert(opened.end(), list->items.begin(), list->items.end());
        else
            opened.push_back(node.arguments[i].value);
    return opened;
}

std::optional<std::vector<Operand>> resultsFrom(const Rewriter &rewriter, ir::NodeId node,
                                                const std::vector<Operand> &outputs)
{
    const auto &results = rewriter.graph().at(node).outputs;
    if (results.empty())
        return std::vector<Operand>();
    const auto *list = outputs.size() == 1 ? outputs.front().as<ir::List>() : nullptr;
    const bool isOneTensor =
        results.size() == 1 && ir::tensorType(rewriter.context(), rewriter.graph().at(results.front()).type);
    if (list && list->items.size() == results.size() && (isOneTensor || results.size() > 1))
        return list->items;
    return outputs.size() == results.size() ? std::optional(outputs) : std::nullopt;
}

void replaceNode(Rewriter &rewriter, ir::NodeId node, const std::vector<Operand> &results)
{
    const auto outputs = rewriter.graph().at(node).outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        rewriter.replaceUses(outputs[i], results[i]);
    rewriter.remove(node);
}

bool replaceByRegion(Rewriter &rewriter, ir::NodeId node, ir::RegionId region, const std::vector<Operand> &inputs)
{
    const auto values = rewriter.graph().at(region).inputs;
    if (values.size() > inputs.size() || !resultsFrom(rewriter, node, rewriter.graph().at(region).outputs))
        return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        rewriter.replaceUses(values[i], inputs[i]);
    const auto results = resultsFrom(rewriter, node, rewriter.graph().at(region).outputs);
    rewriter.inlineRegion(region, node);
    replaceNode(rewriter, node, *results);
    return true;
}

} // namespace cutaway::passes
