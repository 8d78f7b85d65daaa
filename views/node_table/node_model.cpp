// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/node_table/node_model.h"

#include "core/ops/category.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/query/query.h"
#include "views/appearance/fonts.h"
#include "views/parts/text.h"
#include "views/session/annotations/colouring.h"
#include "views/session/times_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>

namespace cutaway::views {
namespace {

constexpr std::uint32_t nowhere = ~0u;
/// The internal id of a group or an ungrouped node; the id of a node inside a group is the group's number + 1.
constexpr quintptr topLevel = 0;

QString shapeText(const Figures &figures, const ir::NodeRef &node)
{
    QStringList texts;
    constexpr std::size_t most = 3;
    for (const ir::ValueRef output : node.outputs() | std::views::take(most))
        texts << shown(figures.typeText(output));
    if (node.outputCount() > most)
        texts << QStringLiteral("…");
    return texts.join(QStringLiteral(", "));
}

/// Returns a number for spreadsheets: no unit, no rounding; a formula as its text; nothing for an unknown quantity.
QVariant exactNumber(const Quantity &quantity)
{
    if (quantity.isAtLeast)
        return {};
    if (const auto *whole = std::get_if<std::int64_t>(&quantity.amount))
        return QVariant::fromValue<qlonglong>(*whole);
    if (const auto number = quantity.number())
        return *number;
    const auto *formula = std::get_if<symbolic::Expr>(&quantity.amount);
    return formula ? QVariant(shown(symbolic::print(*formula))) : QVariant();
}

} // namespace

std::optional<Measure> measureOf(int column)
{
    switch (column) {
    case NodeModel::FlopsColumn:
        return Measure::Flops;
    case NodeModel::BytesColumn:
        return Measure::Bytes;
    case NodeModel::MemoryColumn:
        return Measure::Memory;
    case NodeModel::TimeColumn:
        return Measure::Time;
    case NodeModel::MeasuredColumn:
        return Measure::Measured;
    default:
        return std::nullopt;
    }
}

bool isOfProfile(int column)
{
    return column == NodeModel::MeasuredColumn || column == NodeModel::ShareColumn || column == NodeModel::RatioColumn;
}

bool hasNumbers(int column) { return measureOf(column) || isOfProfile(column); }

void NodeModel::setFigures(std::shared_ptr<const Figures> figures, Shown shown)
{
    beginResetModel();
    m_figures = std::move(figures);
    m_shown = std::move(shown);
    rebuild();
    endResetModel();
}

void NodeModel::setShown(Shown shown)
{
    beginResetModel();
    m_shown = std::move(shown);
    rebuild();
    endResetModel();
}

void NodeModel::setGrouping(Grouping grouping)
{
    beginResetModel();
    m_grouping = grouping;
    rebuild();
    endResetModel();
}

void NodeModel::setNodeData(std::shared_ptr<const node_data::NodeData> data)
{
    beginResetModel();
    m_data = std::move(data);
    m_dataHasTexts.clear();
    if (m_data)
        for (const node_data::Column &column : m_data->columns)
            m_dataHasTexts.push_back(!column.texts().empty());
    if (m_sortColumn >= columnCount())
        m_sortColumn = -1;
    rebuild();
    endResetModel();
}

const node_data::Column *NodeModel::dataColumn(int column) const
{
    const auto place = std::size_t(column - ColumnCount);
    return m_data && column >= ColumnCount && place < m_data->columns.size() ? &m_data->columns[place] : nullptr;
}

bool NodeModel::isOfNumbers(int column) const
{
    return hasNumbers(column) || (dataColumn(column) && !m_dataHasTexts[std::size_t(column - ColumnCount)]);
}

/// Returns a cell of the node data. A number is shown rounded, and copied exactly.
QVariant NodeModel::dataCell(ir::NodeId node, int column, int role) const
{
    const node_data::Column &data = *dataColumn(column);
    if (node.index >= data.cells.size() || std::holds_alternative<std::monostate>(data.cells[node.index]))
        return {};
    const double *number = data.number(node);
    if (role == Qt::DisplayRole && number)
        return data.unit == node_data::Unit::Seconds ? secondsText(*number) : QString::number(*number, 'g', 5);
    if (role == exactRole && number)
        return *number;
    const QString text = shown(node_data::print(data.cells[node.index]));
    if (role == Qt::DisplayRole || role == exactRole)
        return text;
    return role == Qt::ToolTipRole ? QVariant(toolTipText(text)) : QVariant();
}

QString NodeModel::groupTitle(ir::NodeId node) const
{
    switch (m_grouping) {
    case Grouping::None:
        return {};
    case Grouping::Operator:
        return text(node, OperatorColumn);
    case Grouping::Module:
        break;
    }
    const QString module = text(node, ModuleColumn);
    return module.isEmpty() ? tr("(no module)") : module;
}

void NodeModel::rebuild()
{
    m_groups.clear();
    m_places.clear();
    m_nodeCount = 0;
    if (m_grouping == Grouping::None)
        m_groups.emplace_back();
    if (!m_figures)
        return;
    const ir::Graph &graph = m_figures->function().graph;
    m_places.assign(graph.nodeCount(), {nowhere, nowhere});
    std::map<QString, std::size_t> known;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::NodeId id{i};
        if (graph.at(id).removed || (m_shown && !(i < m_shown->size() && (*m_shown)[i])))
            continue;
        std::size_t group = 0;
        if (m_grouping != Grouping::None) {
            const QString title = groupTitle(id);
            group = known.emplace(title, m_groups.size()).first->second;
            if (group == m_groups.size())
                m_groups.push_back({title, {}});
        }
        m_groups[group].nodes.push_back(id);
        ++m_nodeCount;
    }
    arrange();
}

/// Returns the key by which a node is sorted in a column of numbers; a NaN is placed like infinity.
double NodeModel::sortNumber(ir::NodeId node, int column) const
{
    const node_data::Column *data = dataColumn(column);
    if (!data)
        return sortNumber(quantity(node, column));
    const double *number = node.index < data->cells.size() ? data->number(node) : nullptr;
    if (!number)
        return sortNumber(Quantity());
    return std::isnan(*number) ? std::numeric_limits<double>::infinity() : *number;
}

/// Returns the key by which a quantity is sorted. Unknown ones come last, formulas without example sizes before them.
double NodeModel::sortNumber(const Quantity &quantity) const
{
    const double last =
        m_sortOrder == Qt::AscendingOrder ? std::numeric_limits<double>::max() : std::numeric_limits<double>::lowest();
    return quantity.numberOrExample().value_or(quantity.isFormula() ? last / 2 : last);
}

void NodeModel::arrange()
{
    const auto sortBy = [this](auto &items, const auto &keyOf) {
        using Key = std::invoke_result_t<decltype(keyOf), decltype(items.front())>;
        std::vector<std::pair<Key, std::size_t>> keys;
        for (std::size_t i = 0; i < items.size(); ++i)
            keys.emplace_back(keyOf(items[i]), i);
        std::ranges::stable_sort(keys, [this](const auto &a, const auto &b) {
            return m_sortOrder == Qt::AscendingOrder ? a.first < b.first : b.first < a.first;
        });
        auto sorted = items;
        for (std::size_t i = 0; i < items.size(); ++i)
            sorted[i] = items[keys[i].second];
        items = std::move(sorted);
    };
    if (m_sortColumn >= 0) {
        const bool byNumber = isOfNumbers(m_sortColumn);
        for (Group &group : m_groups) {
            if (byNumber)
                sortBy(group.nodes, [this](ir::NodeId node) { return sortNumber(node, m_sortColumn); });
            else
                sortBy(group.nodes, [this](ir::NodeId node) { return text(node, m_sortColumn); });
        }
        if (hasNumbers(m_sortColumn))
            sortBy(m_groups, [this](const Group &group) { return sortNumber(quantity(group, m_sortColumn)); });
        else
            sortBy(m_groups, [](const Group &group) { return group.title; });
    }
    for (std::uint32_t group = 0; group < m_groups.size(); ++group)
        for (std::uint32_t row = 0; row < m_groups[group].nodes.size(); ++row)
            m_places[m_groups[group].nodes[row].index] = {group, row};
}

void NodeModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    if (!m_figures)
        return;
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::optional<ir::NodeId>> nodes;
    std::vector<QString> titles;
    for (const QModelIndex &index : before) {
        nodes.push_back(node(index));
        titles.push_back(nodes.back() ? QString() : groupAt(index)->title);
    }
    arrange();
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto group = std::ranges::find(m_groups, titles[std::size_t(i)], &Group::title);
        const auto node = nodes[std::size_t(i)];
        const QModelIndex after = node ? indexOf(*node) : createIndex(int(group - m_groups.begin()), 0, topLevel);
        changePersistentIndex(before[i], after.siblingAtColumn(before[i].column()));
    }
    emit layoutChanged();
}

std::optional<ir::NodeId> NodeModel::node(const QModelIndex &index) const
{
    if (!index.isValid())
        return std::nullopt;
    if (m_grouping == Grouping::None)
        return m_groups.front().nodes[std::size_t(index.row())];
    if (index.internalId() == topLevel)
        return std::nullopt;
    return m_groups[index.internalId() - 1].nodes[std::size_t(index.row())];
}

QModelIndex NodeModel::indexOf(ir::NodeId node) const
{
    if (node.index >= m_places.size() || m_places[node.index].first == nowhere)
        return {};
    const auto [group, row] = m_places[node.index];
    return createIndex(int(row), 0, m_grouping == Grouping::None ? topLevel : quintptr(group) + 1);
}

const NodeModel::Group *NodeModel::groupAt(const QModelIndex &index) const
{
    const bool isGroup = index.isValid() && m_grouping != Grouping::None && index.internalId() == topLevel;
    return isGroup ? &m_groups[std::size_t(index.row())] : nullptr;
}

QModelIndex NodeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : topLevel);
}

QModelIndex NodeModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == topLevel)
        return {};
    return createIndex(int(index.internalId()) - 1, 0, topLevel);
}

int NodeModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_grouping == Grouping::None ? m_groups.empty() ? 0 : m_groups.front().nodes.size()
                                                : m_groups.size());
    const Group *group = parent.column() == 0 ? groupAt(parent) : nullptr;
    return group ? int(group->nodes.size()) : 0;
}

int NodeModel::columnCount(const QModelIndex &) const { return ColumnCount + int(m_data ? m_data->columns.size() : 0); }

QString NodeModel::text(ir::NodeId id, int column) const
{
    const ir::NodeRef node(m_figures->function().graph, id);
    if (dataColumn(column))
        return dataCell(id, column, Qt::DisplayRole).toString();
    switch (column) {
    case NameColumn:
        return shownName(node);
    case OperatorColumn:
        return shown(node.fullName());
    case ModuleColumn:
        return shown(node.graph().context().text(node.scope().path));
    case CategoryColumn:
        return shown(ops::name(ops::categoryOf(node)));
    case ShapeColumn:
        return shapeText(*m_figures, node);
    default:
        return isOfProfile(column) ? measuredText(id, column) : quantity(id, column).text();
    }
}

/// Returns the text of a column of measured times. In place of a time, MeasuredColumn names the node that this one is
/// fused with, or says that it was not timed.
QString NodeModel::measuredText(ir::NodeId id, int column) const
{
    const run::NodeTimes &times = m_figures->times();
    const auto parts = times.partsOf(id);
    if (!times.timing() || (parts.empty() && column != MeasuredColumn))
        return {};
    if (parts.empty())
        return tr("not timed");
    if (times.of(id) != 0.0)
        return column == RatioColumn && !quantity(id, column).number() ? QString() : quantity(id, column).text();
    const auto lead = times.leadOf(parts.front());
    return column == MeasuredColumn && lead && *lead != id
        ? tr("fused with %1").arg(nodeText({m_figures->function().graph, *lead}))
        : QString();
}

/// Returns the measured quantity of one node or of a group.
Quantity NodeModel::measured(std::span<const ir::NodeId> nodes, int column) const
{
    if (column == RatioColumn)
        return {Quantity::Unit::Ratio, m_figures->measuredByPredicted(nodes)};
    std::optional<double> seconds;
    for (const ir::NodeId node : nodes)
        if (const auto more = m_figures->times().of(node))
            seconds = seconds.value_or(0) + *more;
    if (column == ShareColumn)
        return {Quantity::Unit::Share, seconds ? m_figures->shareOfTime(*seconds) : std::nullopt};
    return {Quantity::Unit::Second, seconds};
}

Quantity NodeModel::quantity(ir::NodeId node, int column) const
{
    return isOfProfile(column) ? measured(std::span(&node, 1), column) : m_figures->of(node, *measureOf(column));
}

Quantity NodeModel::quantity(const Group &group, int column) const
{
    return isOfProfile(column) ? measured(group.nodes, column) : m_figures->sum(group.nodes, *measureOf(column));
}

Quantity NodeModel::sum(Measure measure) const
{
    Group all;
    for (const Group &group : m_groups)
        all.nodes.insert(all.nodes.end(), group.nodes.begin(), group.nodes.end());
    for (int column = 0; column < ColumnCount; ++column)
        if (measureOf(column) == measure)
            return quantity(all, column);
    return {};
}

QVariant NodeModel::groupData(const Group &group, int column, int role) const
{
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != exactRole)
        return {};
    if (column == NameColumn)
        return role == Qt::ToolTipRole ? toolTipText(group.title) : group.title;
    if (column == OperatorColumn && role == Qt::DisplayRole)
        return counted(static_cast<long long>(group.nodes.size()), "node", "nodes");
    if (!hasNumbers(column))
        return {};
    const Quantity sum = quantity(group, column);
    if (isOfProfile(column) && !sum.number())
        return {};
    return role == Qt::DisplayRole ? sum.text()
        : role == Qt::ToolTipRole  ? toolTipText(m_figures->exactText(sum))
                                   : exactNumber(sum);
}

QVariant NodeModel::nodeData(ir::NodeId id, int column, int role) const
{
    if (role == categoryRole)
        return int(ops::categoryOf({m_figures->function().graph, id}));
    if (dataColumn(column))
        return dataCell(id, column, role);
    if (role == Qt::DisplayRole)
        return text(id, column);
    if (!hasNumbers(column))
        return role == Qt::ToolTipRole ? QVariant(toolTipText(text(id, column)))
            : role == exactRole        ? QVariant(text(id, column))
                                       : QVariant();
    if (role == exactRole)
        return exactNumber(quantity(id, column));
    return role == Qt::ToolTipRole ? QVariant(toolTipText(toolTip(id, column))) : QVariant();
}

QString NodeModel::toolTip(ir::NodeId id, int column) const
{
    if (isOfProfile(column))
        return timesText(*m_figures, id);
    const analysis::Stop *stop = m_figures->stopAt(id);
    const QString exact = m_figures->exactText(quantity(id, column));
    return stop ? exact + '\n' + tr("unknown: %1").arg(shown(stop->reason)) : exact;
}

QVariant NodeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isOfNumbers(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::FontRole && index.column() == ShapeColumn)
        return monospaceFont();
    if (const Group *group = groupAt(index))
        return groupData(*group, index.column(), role);
    return nodeData(*node(index), index.column(), role);
}

QVariant NodeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isOfNumbers(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return headerToolTip(section);
    return role == Qt::DisplayRole ? QVariant(headerTitle(section)) : QVariant();
}

QString NodeModel::headerToolTip(int section) const
{
    if (const node_data::Column *data = dataColumn(section)) {
        const QString explained = columnExplanation(data->name);
        return toolTipText((explained.isEmpty() ? tr("node data") : explained) + '\n'
                           + tr("in queries: %1").arg(QStringLiteral("data.") + shown(query::quotedName(data->name))));
    }
    if (const auto measure = measureOf(section))
        return explanation(*measure);
    return section == ShareColumn ? tr("share of the time of all nodes")
        : section == RatioColumn  ? tr("measured time divided by predicted time")
                                  : QString();
}

QString NodeModel::headerTitle(int section) const
{
    if (const node_data::Column *data = dataColumn(section))
        return columnTitle(data->name);
    if (const auto measure = measureOf(section))
        return title(*measure);
    const std::pair<int, QString> titles[] = {{NameColumn, tr("Name")},        {OperatorColumn, tr("Operator")},
                                              {ShareColumn, tr("Share")},      {RatioColumn, tr("× predicted")},
                                              {ShapeColumn, tr("Result")},     {ModuleColumn, tr("Module")},
                                              {CategoryColumn, tr("Category")}};
    return std::ranges::find(titles, section, &std::pair<int, QString>::first)->second;
}

} // namespace cutaway::views
