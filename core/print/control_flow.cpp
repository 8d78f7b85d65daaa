// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/control_flow.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <ranges>

namespace cutaway::print {

namespace {

/// Returns the initial values of a loop's variables: its third and further arguments, of which a list "carried" counts
/// item by item.
std::vector<ir::Operand> initialValues(const ir::NodeRef &node)
{
    std::vector<ir::Operand> values;
    for (const ir::Argument &argument : node->arguments | std::views::drop(2)) {
        const auto *list = argument.value.as<ir::List>();
        if (list && node.graph().context().text(argument.name) == "carried")
            values.insert(values.end(), list->items.begin(), list->items.end());
        else
            values.push_back(argument.value);
    }
    return values;
}

} // namespace

const ir::Operand *argumentOf(const ir::NodeRef &node, std::string_view name, std::size_t position)
{
    if (const ir::Operand *named = node.argument(name))
        return named;
    const std::vector<ir::Argument> &given = node->arguments;
    return position < given.size() && given[position].name == ir::NameId{} ? &given[position].value : nullptr;
}

std::optional<Loop> loopOf(const ir::NodeRef &node)
{
    const ir::Operand *tripCount = argumentOf(node, "trip_count", 0);
    const ir::Operand *condition = argumentOf(node, "cond", 1);
    if (!tripCount || !condition || node->regions.size() != 1)
        return std::nullopt;
    Loop loop{*tripCount, *condition, initialValues(node)};
    const ir::Region &body = node.region(0);
    const std::size_t variables = node.outputCount();
    const bool fits =
        loop.initial.size() == variables && body.inputs.size() == variables + 1 && body.outputs.size() == variables + 1;
    return fits ? std::optional(std::move(loop)) : std::nullopt;
}

bool isCounted(const Loop &loop) { return loop.tripCount != ir::Operand(std::numeric_limits<std::int64_t>::max()); }

bool isBranching(const ir::NodeRef &node)
{
    return node->regions.size() == 2 && std::ranges::all_of(node->regions, [&](ir::RegionId id) {
               const ir::Region &region = node.graph().at(id);
               return region.outputs.size() == node.outputCount() && region.inputs.empty();
           });
}

bool isTrue(const ir::Operand &operand)
{
    return operand == ir::Operand(true) || operand == ir::Operand(std::int64_t{1});
}

std::string movesText(std::span<const std::string> to, std::span<const std::string> from)
{
    assert(to.size() == from.size());
    std::string targets, values;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i] == from[i])
            continue;
        targets += (targets.empty() ? "" : ", ") + to[i];
        values += (values.empty() ? "" : ", ") + from[i];
    }
    return targets.empty() ? "" : targets + " = " + values;
}

} // namespace cutaway::print
