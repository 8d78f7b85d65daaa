// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/inlining.h"

#include <ranges>

namespace cutaway::passes {

using ir::Operand;

std::vector<Operand> openedArguments(const ir::NodeRef &node, std::size_t first)
{
    std::vector<Operand> opened;
    for (const ir::Argument &argument : node->arguments | std::views::drop(first))
        if (const auto *list = argument.value.as<ir::List>())
            opened.insert(opened.end(), list->items.begin(), list->items.end());
        else
            opened.push_back(argument.value);
    return opened;
}

std::optional<std::vector<Operand>> resultsFrom(const ir::NodeRef &node, const std::vector<Operand> &outputs)
{
    const std::size_t count = node.outputCount();
    if (count == 0)
        return std::vector<Operand>();
    const auto *list = outputs.size() == 1 ? outputs.front().as<ir::List>() : nullptr;
    const bool isOneTensor = count == 1 && node.output(0).tensorType();
    if (list && list->items.size() == count && (isOneTensor || count > 1))
        return list->items;
    return outputs.size() == count ? std::optional(outputs) : std::nullopt;
}

void replaceNode(Rewriter &rewriter, const ir::NodeRef &node, const std::vector<Operand> &results)
{
    for (std::size_t i = 0; i < node.outputCount(); ++i)
        rewriter.replaceUses(node.output(i), results[i]);
    rewriter.remove(node);
}

bool replaceByRegion(Rewriter &rewriter, const ir::NodeRef &node, ir::RegionId region,
                     const std::vector<Operand> &inputs)
{
    const auto values = rewriter.graph().at(region).inputs;
    if (values.size() > inputs.size() || !resultsFrom(node, rewriter.graph().at(region).outputs))
        return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        rewriter.replaceUses(values[i], inputs[i]);
    const auto results = resultsFrom(node, rewriter.graph().at(region).outputs);
    rewriter.inlineRegion(region, node);
    replaceNode(rewriter, node, *results);
    return true;
}

} // namespace cutaway::passes
