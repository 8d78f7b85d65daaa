// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/control_flow.h"

#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::report {

namespace {

/// All values that stand alone or in one list after the first two arguments.
std::vector<ir::Operand> initialValues(const ir::Graph &graph, const ir::Node &node)
{
    std::vector<ir::Operand> values;
    for (std::size_t i = 2; i < node.arguments.size(); ++i) {
        const ir::Argument &argument = node.arguments[i];
        const auto *list = argument.value.as<ir::List>();
        if (list && graph.context().text(argument.name) == "carried")
            values.insert(values.end(), list->items.begin(), list->items.end());
        else
            values.push_back(argument.value);
    }
    return values;
}

} // namespace

const ir::Operand *argumentOf(const ir::Graph &graph, const ir::Node &node, std::string_view name, std::size_t position)
{
    for (const ir::Argument &argument : node.arguments)
        if (graph.context().text(argument.name) == name)
            return &argument.value;
    const bool isThere = position < node.arguments.size() && node.arguments[position].name == ir::NameId{};
    return isThere ? &node.arguments[position].value : nullptr;
}

std::optional<Loop> loopOf(const ir::Graph &graph, const ir::Node &node)
{
    const ir::Operand *tripCount = argumentOf(graph, node, "trip_count", 0);
    const ir::Operand *condition = argumentOf(graph, node, "cond", 1);
    if (!tripCount || !condition || node.regions.size() != 1)
        return std::nullopt;
    Loop loop{*tripCount, *condition, initialValues(graph, node)};
    const ir::Region &body = graph.at(node.regions.front());
    const std::size_t variables = node.outputs.size();
    const bool fits =
        loop.initial.size() == variables && body.inputs.size() == variables + 1 && body.outputs.size() == variables + 1;
    return fits ? std::optional(std::move(loop)) : std::nullopt;
}

bool isBranching(const ir::Graph &graph, const ir::Node &node)
{
    return node.regions.size() == 2 && std::ranges::all_of(node.regions, [&](ir::RegionId region) {
               return graph.at(region).outputs.size() == node.outputs.size() && graph.at(region).inputs.empty();
           });
}

} // namespace cutaway::report
