// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/query/query_report.h"

#include "core/analysis/counts.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/query/figures.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

namespace cutaway::report {

namespace {

std::span<const node_data::Column> columnsOf(const query::Known &known)
{
    return known.data ? std::span(known.data->columns) : std::span<const node_data::Column>();
}

FoundNode foundNode(const query::Known &known, const query::Figures &figures, const ir::NodeRef &node)
{
    std::string result;
    for (const ir::ValueId output : node->outputs)
        result += (result.empty() ? "" : ", ") + sanitized(ops::print(known.analysis.shapes.of(output)));
    std::vector<node_data::Cell> data;
    for (const node_data::Column &column : columnsOf(known))
        data.push_back(column.cells[node.id().index]);
    std::map<query::Property, ir::Dim> sizes;
    for (const query::PropertyRow &row : query::properties())
        if (row.isSize())
            sizes.emplace(row.property, figures.sizeOf(row.property, node));
    return {.id = node,
            .within = node.graph().at(node->parent).owner,
            .name = sanitized(ir::nameOf(node)),
            .op = sanitized(node.fullName()),
            .scope = sanitized(node.graph().context().text(node.scope().path)),
            .result = std::move(result),
            .source = sanitized(ir::sourceOf(node).value_or("")),
            .category = ops::categoryOf(node),
            .sizes = std::move(sizes),
            .seconds = figures.secondsOf(query::Property::Time, node),
            .data = std::move(data)};
}

std::size_t sumOver(const std::vector<FoundInFunction> &functions, const auto &count)
{
    return std::accumulate(functions.begin(), functions.end(), std::size_t{0},
                           [&](std::size_t sum, const FoundInFunction &function) { return sum + count(function); });
}

} // namespace

FoundInFunction foundIn(const query::Known &known, const query::Answer &answer)
{
    const query::Figures figures(known);
    FoundInFunction result{.function = sanitized(known.model.context->text(known.function().name)),
                           .nodes = static_cast<std::size_t>(analysis::countNodes(known.graph())),
                           .columns = {},
                           .found = {},
                           .notKnown = answer.notKnown,
                           .unnamed = answer.unnamed};
    for (const node_data::Column &column : columnsOf(known))
        result.columns.push_back(column.name);
    for (const ir::NodeId node : answer.nodes)
        result.found.push_back(foundNode(known, figures, {known.graph(), node}));
    return result;
}

std::size_t QueryResult::found() const
{
    return sumOver(functions, [](const FoundInFunction &function) { return function.found.size(); });
}

std::size_t QueryResult::nodes() const
{
    return sumOver(functions, [](const FoundInFunction &function) { return function.nodes; });
}

std::vector<std::string> QueryResult::columns() const
{
    return functions.empty() ? std::vector<std::string>() : functions.front().columns;
}

std::vector<query::NotKnown> QueryResult::notKnown() const
{
    std::map<query::Property, std::size_t> sums;
    for (const FoundInFunction &function : functions)
        for (const query::NotKnown &each : function.notKnown)
            sums[each.property] += each.nodes;
    std::vector<query::NotKnown> all;
    for (const auto &[property, nodesOf] : sums)
        all.push_back({property, nodesOf});
    return all;
}

std::vector<std::string> QueryResult::unnamed() const
{
    std::vector<std::string> all;
    if (functions.empty())
        return all;
    std::ranges::copy_if(functions.front().unnamed, std::back_inserter(all), [&](const std::string &name) {
        return std::ranges::all_of(
            functions, [&](const FoundInFunction &function) { return std::ranges::contains(function.unnamed, name); });
    });
    return all;
}

} // namespace cutaway::report
