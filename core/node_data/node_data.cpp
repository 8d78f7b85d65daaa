// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node_data/node_data.h"

#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <ranges>
#include <set>
#include <unordered_map>

namespace cutaway::node_data {

namespace {

/// Finds the nodes of a function by the names that a table may use.
class NamedNodes {
public:
    explicit NamedNodes(const ir::Graph &graph) : m_graph(graph)
    {
        for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
            const ir::NodeRef node(graph, id);
            if (node->removed)
                continue;
            m_byName[ir::nameOf(node)].push_back(id);
            for (const ir::ValueRef output : node.outputs())
                m_byResult[ir::nameOf(output)].push_back(id);
        }
    }

    /// Returns the nodes of this name: one, none, or several.
    std::span<const ir::NodeId> find(const std::string &name)
    {
        for (const auto *names : {&m_byName, &m_byResult})
            if (const auto found = names->find(name); found != names->end())
                return found->second;
        return byNumber(name);
    }

private:
    std::span<const ir::NodeId> byNumber(std::string_view name)
    {
        if (!name.starts_with('#'))
            return {};
        const char *end = name.data() + name.size();
        const auto [stop, fault] = std::from_chars(name.data() + 1, end, m_numbered.index);
        const bool isNode = fault == std::errc() && stop == end && m_numbered.index < m_graph.nodeCount()
            && !m_graph.at(m_numbered).removed;
        return isNode ? std::span<const ir::NodeId>(&m_numbered, 1) : std::span<const ir::NodeId>();
    }

    using Names = std::unordered_map<std::string, std::vector<ir::NodeId>>;
    const ir::Graph &m_graph;
    Names m_byName, m_byResult;
    ir::NodeId m_numbered;
};

std::string firstOf(const std::vector<std::string> &names)
{
    constexpr std::size_t few = 5;
    std::vector<std::string> first;
    for (const std::string &name : names | std::views::take(few))
        first.push_back(sanitized(name));
    return joined(first, ", ") + (names.size() > few ? ", …" : "");
}

} // namespace

std::string shortText(double number, Unit unit)
{
    return unit == Unit::Seconds ? secondsText(number) : formatted("{:.4g}", number);
}

std::vector<std::string> Column::texts() const
{
    std::set<std::string> all;
    for (const Cell &cell : cells)
        if (const auto *text = std::get_if<std::string>(&cell))
            all.insert(*text);
    return {all.begin(), all.end()};
}

std::optional<std::pair<double, double>> Column::range() const
{
    std::optional<std::pair<double, double>> range;
    for (const Cell &cell : cells)
        if (const auto *number = std::get_if<double>(&cell); number && std::isfinite(*number))
            range = range ? std::pair(std::min(range->first, *number), std::max(range->second, *number))
                          : std::pair(*number, *number);
    return range;
}

const Column *NodeData::column(std::string_view name) const
{
    const auto found = std::ranges::find(columns, name, &Column::name);
    return found == columns.end() ? nullptr : &*found;
}

Result<Column> NodeData::findColumn(std::string_view name) const
{
    if (const Column *found = column(name))
        return *found;
    std::vector<std::string_view> names;
    std::ranges::transform(columns, std::back_inserter(names), &Column::name);
    return usageError(formatted("the node data has no column '{}'; there is {}", name, nearNames(name, names)));
}

NodeData dataOf(const ir::Function &function, const Table &table)
{
    NodeData data;
    const std::size_t nodes = function.graph.nodeCount();
    for (const std::string &name : table.columns)
        data.columns.push_back({name, std::vector<Cell>(nodes)});
    NamedNodes named(function.graph);
    std::vector<bool> isDescribed(nodes);
    for (const Table::Row &row : table.rows) {
        const std::span<const ir::NodeId> found = named.find(row.node);
        if (found.size() != 1) {
            (found.empty() ? data.unknown : data.ambiguous).push_back(row.node);
            continue;
        }
        isDescribed[found.front().index] = true;
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            if (!std::holds_alternative<std::monostate>(row.cells[i]))
                data.columns[i].cells[found.front().index] = row.cells[i];
    }
    data.described = static_cast<std::size_t>(std::ranges::count(isDescribed, true));
    return data;
}

namespace {

/// Whether programs that write CSV keep a name as it is; spreadsheets take some names for formulas.
bool isPlain(std::string_view name)
{
    return !name.empty() && name == sanitized(name) && !std::string_view("=+-@#").contains(name.front());
}

} // namespace

std::vector<std::string> tableNames(const ir::Graph &graph)
{
    NamedNodes named(graph);
    std::vector<std::string> names;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        std::vector<std::string> own{std::string(node.name())};
        for (const ir::ValueRef output : node.outputs())
            own.emplace_back(output.name());
        const auto isOfThis = [&](const std::string &name) {
            const std::span<const ir::NodeId> found = isPlain(name) ? named.find(name) : std::span<const ir::NodeId>();
            return found.size() == 1 && found.front() == id;
        };
        const auto name = node->removed ? own.end() : std::ranges::find_if(own, isOfThis);
        names.push_back(name == own.end() ? "#" + std::to_string(id.index) : *name);
    }
    return names;
}

std::string remarkOn(std::span<const NodeData> functions)
{
    if (functions.empty())
        return {};
    std::unordered_map<std::string_view, std::size_t> missing; // by name: the number of functions that lack it
    for (const NodeData &each : functions)
        for (const std::string_view name : std::set<std::string_view>(each.unknown.begin(), each.unknown.end()))
            ++missing[name];
    std::vector<std::string> unknown, ambiguous;
    std::ranges::copy_if(functions.front().unknown, std::back_inserter(unknown),
                         [&](const std::string &name) { return missing.at(name) == functions.size(); });
    for (const NodeData &each : functions)
        ambiguous.insert(ambiguous.end(), each.ambiguous.begin(), each.ambiguous.end());
    const auto counted = [](const std::vector<std::string> &names, std::string_view of) {
        return formatted("{} {} {}: {}", names.size(), names.size() == 1 ? "row names" : "rows name", of,
                         firstOf(names));
    };
    std::vector<std::string> remarks;
    if (!unknown.empty())
        remarks.push_back(counted(unknown, "no node"));
    if (!ambiguous.empty())
        remarks.push_back(counted(ambiguous, "several nodes"));
    return joined(remarks, "; ");
}

} // namespace cutaway::node_data
