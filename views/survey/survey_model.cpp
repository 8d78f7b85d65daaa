// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/survey/survey_model.h"

#include "core/base/text.h"
#include "core/survey/family.h"
#include "core/symbolic/expr.h"
#include "views/appearance/theme.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"

#include <QGuiApplication>
#include <algorithm>
#include <limits>
#include <map>

namespace cutaway::views {
namespace {

/// The internal id of a group or an ungrouped model; the id of a model in a group is the group's number + 1.
constexpr quintptr topRows = 0;

/// Returns the version of ONNX's default operator set; nothing for models that do not use it.
std::optional<std::int64_t> opsetOf(const survey::Entry &entry)
{
    const auto found = std::ranges::find(entry.opsets, "ai.onnx", &survey::OpsetUse::domain);
    return found == entry.opsets.end() ? std::nullopt : std::optional(found->version);
}

const survey::Figure *figureOf(const survey::Entry &entry, int column)
{
    return column == SurveyModel::FlopsColumn ? &entry.costs.flops
        : column == SurveyModel::MemoryColumn ? &entry.costs.peakBytes
                                              : nullptr;
}

ir::Dim dimOf(const std::optional<std::int64_t> &number)
{
    return number ? ir::Dim(*number) : ir::Dim(ir::UnknownDim());
}

Quantity::Unit unitOf(int column)
{
    return column == SurveyModel::FlopsColumn ? Quantity::Unit::Flop : Quantity::Unit::Byte;
}

/// Whether a figure is a formula, which the database has as a text.
bool isFormula(const survey::Figure *figure) { return figure && !figure->value && !figure->formula.empty(); }

Quantity quantityOf(const survey::Entry &entry, int column)
{
    const auto *figure = figureOf(entry, column);
    const bool isRead = entry.state == survey::State::Read;
    if (figure)
        return {unitOf(column), dimOf(figure->value), dimOf(figure->atLeast)};
    if (column == SurveyModel::FileColumn)
        return {Quantity::Unit::Byte, ir::Dim(entry.bytes)};
    if (!isRead)
        return {};
    switch (column) {
    case SurveyModel::OpsetColumn:
        return {Quantity::Unit::Count, dimOf(opsetOf(entry))};
    case SurveyModel::NodesColumn:
        return {Quantity::Unit::Count, ir::Dim(entry.nodes)};
    case SurveyModel::ParametersColumn:
        return {Quantity::Unit::Count, ir::Dim(entry.parameters)};
    default:
        return {Quantity::Unit::Byte, ir::Dim(entry.weightBytes)};
    }
}

QString numberCell(const survey::Entry &entry, int column)
{
    if (entry.state != survey::State::Read && column != SurveyModel::FileColumn)
        return {};
    if (column == SurveyModel::OpsetColumn || column == SurveyModel::NodesColumn) {
        const auto number = column == SurveyModel::NodesColumn ? std::optional(entry.nodes) : opsetOf(entry);
        return number ? shown(grouped(*number)) : QString();
    }
    if (const auto *figure = figureOf(entry, column); isFormula(figure))
        if (const auto formula = symbolic::parse(figure->formula))
            return Quantity(unitOf(column), ir::Dim(*formula)).text();
    return quantityOf(entry, column).text();
}

/// Returns the sort key of an unknown figure, which comes last.
double unknownKey(Qt::SortOrder order)
{
    return order == Qt::AscendingOrder ? std::numeric_limits<double>::max() : std::numeric_limits<double>::lowest();
}

/// Returns the key by which a row is sorted in a column of numbers. A figure that is not a number is sorted by its
/// lower bound, and comes last without one.
double sortNumber(const survey::Entry &entry, int column, Qt::SortOrder order)
{
    const bool isKnown = entry.state == survey::State::Read || column == SurveyModel::FileColumn;
    return isKnown ? quantityOf(entry, column).number().value_or(unknownKey(order)) : unknownKey(order);
}

QString timeCell(const survey::Measurement &measurement)
{
    return measurement.seconds ? secondsText(*measurement.seconds) : shown(name(measurement.state));
}

QString timeToolTip(const survey::Measurement &measurement)
{
    if (!measurement.seconds)
        return shown(measurement.message);
    QStringList lines{QObject::tr("%1, 90 % of them from %2 to %3")
                          .arg(counted(measurement.runs, "run", "runs"),
                               secondsText(measurement.p5.value_or(*measurement.seconds)),
                               secondsText(measurement.p95.value_or(*measurement.seconds)))};
    if (measurement.predicted)
        lines << QObject::tr("Predicted, at least: %1").arg(secondsText(*measurement.predicted));
    if (!measurement.processor.empty())
        lines << shown(measurement.processor);
    return lines.join(u'\n');
}

} // namespace

void SurveyModel::setEntries(Entries entries)
{
    beginResetModel();
    m_entries = std::move(entries);
    m_folder = m_entries ? survey::commonFolder(*m_entries) : std::filesystem::path();
    m_measuredOn = m_entries ? survey::allMeasuredOn(*m_entries) : std::vector<survey::MeasuredOn>();
    m_shown.assign(m_entries ? m_entries->size() : 0, true);
    rebuild();
    endResetModel();
}

void SurveyModel::setShown(std::vector<bool> shown)
{
    beginResetModel();
    m_shown = std::move(shown);
    rebuild();
    endResetModel();
}

void SurveyModel::setGrouping(Grouping grouping)
{
    beginResetModel();
    m_grouping = grouping;
    rebuild();
    endResetModel();
}

std::size_t SurveyModel::shownCount() const { return static_cast<std::size_t>(std::ranges::count(m_shown, true)); }

QString SurveyModel::groupTitle(const survey::Entry &entry) const
{
    const bool isRead = entry.state == survey::State::Read;
    switch (m_grouping) {
    case Grouping::None:
        return {};
    case Grouping::State:
        return text(entry, StateColumn);
    case Grouping::Family:
        return shown(survey::familyOf(entry));
    case Grouping::Format:
        return isRead ? text(entry, FormatColumn) : tr("(not read)");
    case Grouping::Producer:
        break;
    }
    if (!isRead)
        return tr("(not read)");
    return entry.producer.empty() ? tr("(no producer)") : shown(entry.producer);
}

void SurveyModel::rebuild()
{
    m_groups.clear();
    if (m_grouping == Grouping::None)
        m_groups.emplace_back();
    std::map<QString, std::size_t> known;
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        if (!m_shown[i])
            continue;
        std::size_t group = 0;
        if (m_grouping != Grouping::None) {
            const QString title = groupTitle((*m_entries)[i]);
            group = known.emplace(title, m_groups.size()).first->second;
            if (group == m_groups.size())
                m_groups.push_back({title, {}});
        }
        m_groups[group].models.push_back(i);
    }
    arrange();
}

void SurveyModel::arrange()
{
    const auto sortBy = [this](Group &group, const auto &keyOf) {
        const auto key = [&](std::size_t i) { return keyOf((*m_entries)[i]); };
        if (m_sortOrder == Qt::AscendingOrder)
            std::ranges::stable_sort(group.models, std::less(), key);
        else
            std::ranges::stable_sort(group.models, std::greater(), key);
    };
    for (Group &group : m_groups) {
        std::ranges::sort(group.models); // by index, which is by path: m_entries is sorted by path
        if (m_sortColumn == NameColumn && m_sortOrder == Qt::DescendingOrder)
            std::ranges::reverse(group.models);
        else if (m_sortColumn > NameColumn && hasNumbers(m_sortColumn))
            sortBy(group, [this](const survey::Entry &e) { return sortKey(e, m_sortColumn); });
        else if (m_sortColumn > NameColumn)
            sortBy(group, [this](const survey::Entry &e) { return text(e, m_sortColumn); });
    }
    std::ranges::sort(m_groups, [](const Group &a, const Group &b) {
        return std::pair(b.models.size(), a.title) < std::pair(a.models.size(), b.title);
    });
}

void SurveyModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_sortColumn = column;
    m_sortOrder = order;
    arrange();
    endResetModel();
}

const SurveyModel::Group *SurveyModel::groupAt(const QModelIndex &index) const
{
    const bool isGroup = index.isValid() && m_grouping != Grouping::None && index.internalId() == topRows;
    return isGroup ? &m_groups[std::size_t(index.row())] : nullptr;
}

const survey::Entry *SurveyModel::entry(const QModelIndex &index) const
{
    if (!index.isValid() || groupAt(index))
        return nullptr;
    const std::size_t group = m_grouping == Grouping::None ? 0 : index.internalId() - 1;
    return &(*m_entries)[m_groups[group].models[std::size_t(index.row())]];
}

QModelIndex SurveyModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : topRows);
}

QModelIndex SurveyModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == topRows)
        return {};
    return createIndex(int(index.internalId()) - 1, 0, topRows);
}

int SurveyModel::rowCount(const QModelIndex &parent) const
{
    if (m_groups.empty())
        return 0;
    if (!parent.isValid())
        return int(m_grouping == Grouping::None ? m_groups.front().models.size() : m_groups.size());
    const Group *group = parent.column() == 0 ? groupAt(parent) : nullptr;
    return group ? int(group->models.size()) : 0;
}

int SurveyModel::columnCount(const QModelIndex &) const { return ColumnCount + int(m_measuredOn.size()); }

const survey::Measurement *SurveyModel::measurementAt(const survey::Entry &entry, int column) const
{
    if (column < ColumnCount)
        return nullptr;
    const survey::MeasuredOn &on = m_measuredOn[std::size_t(column - ColumnCount)];
    const auto found = std::ranges::find(entry.measurements, on, survey::measuredOn);
    return found == entry.measurements.end() ? nullptr : &*found;
}

double SurveyModel::sortKey(const survey::Entry &entry, int column) const
{
    if (column < ColumnCount)
        return sortNumber(entry, column, m_sortOrder);
    const survey::Measurement *measurement = measurementAt(entry, column);
    return measurement ? measurement->seconds.value_or(unknownKey(m_sortOrder)) : unknownKey(m_sortOrder);
}

namespace {

QVariant timeData(const survey::Measurement *measurement, int role)
{
    if (!measurement)
        return {};
    if (role == exactRole)
        return measurement->seconds ? QVariant(*measurement->seconds) : QVariant(timeCell(*measurement));
    if (role == Qt::ToolTipRole)
        return toolTipText(timeToolTip(*measurement));
    if (role == Qt::ForegroundRole && !measurement->seconds)
        return mutedText(QGuiApplication::palette());
    return {};
}

} // namespace

QString SurveyModel::nameOf(const survey::Entry &entry) const
{
    return shown(std::filesystem::path(entry.path).lexically_relative(m_folder).string());
}

QString SurveyModel::text(const survey::Entry &entry, int column) const
{
    if (column >= ColumnCount) {
        const survey::Measurement *measurement = measurementAt(entry, column);
        return measurement ? timeCell(*measurement) : QString();
    }
    switch (column) {
    case NameColumn:
        return nameOf(entry);
    case StateColumn:
        return shown(survey::name(entry.state));
    case FormatColumn:
        return shown(entry.format);
    case ProducerColumn:
        return shown(entry.producerVersion.empty() ? entry.producer : entry.producer + " " + entry.producerVersion);
    default:
        return numberCell(entry, column);
    }
}

QVariant SurveyModel::groupData(const Group &group, int column, int role) const
{
    if (role != Qt::DisplayRole || column != NameColumn)
        return {};
    return QStringLiteral("%1  (%2)")
        .arg(group.title, counted(static_cast<long long>(group.models.size()), "model", "models"));
}

/// Returns the text of a cell without rounding or cuts, for the tool tip.
QString SurveyModel::fullText(const survey::Entry &entry, int column) const
{
    if (column == NameColumn)
        return shown(entry.path);
    const auto *figure = figureOf(entry, column);
    return isFormula(figure) ? shown(figure->formula) : text(entry, column);
}

QVariant SurveyModel::exactData(const survey::Entry &entry, int column) const
{
    if (hasNumbers(column) && !isFormula(figureOf(entry, column)) && !numberCell(entry, column).isEmpty())
        if (const auto number = quantityOf(entry, column).number())
            return *number;
    return fullText(entry, column);
}

QVariant SurveyModel::modelData(const survey::Entry &entry, int column, int role) const
{
    const bool isFailure = entry.state != survey::State::Read;
    if (role == Qt::DisplayRole)
        return text(entry, column);
    if (column >= ColumnCount)
        return timeData(measurementAt(entry, column), role);
    if (role == exactRole)
        return exactData(entry, column);
    if (role == Qt::ForegroundRole && isFailure && column == StateColumn)
        return errorColor(QGuiApplication::palette());
    if (role == Qt::ToolTipRole)
        return toolTipText(isFailure && column <= StateColumn ? shown(entry.message) : fullText(entry, column));
    return {};
}

QVariant SurveyModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((hasNumbers(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (const Group *group = groupAt(index))
        return groupData(*group, index.column(), role);
    return modelData(*entry(index), index.column(), role);
}

QVariant SurveyModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((hasNumbers(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (section >= ColumnCount && (role == Qt::DisplayRole || role == Qt::ToolTipRole)) {
        const survey::MeasuredOn &on = m_measuredOn[std::size_t(section - ColumnCount)];
        return role == Qt::DisplayRole
            ? shown(survey::titleOf(on, m_measuredOn))
            : toolTipText(tr("Time of a run on %1, machine %2").arg(shown(on.backend), shown(on.machine)));
    }
    if (role != Qt::DisplayRole)
        return {};
    const QString titles[ColumnCount] = {tr("Model"), tr("State"),       tr("Format"),     tr("Producer"),
                                         tr("Opset"), tr("Nodes"),       tr("Parameters"), tr("Weights"),
                                         tr("FLOPs"), tr("Peak memory"), tr("File size")};
    return titles[section];
}

} // namespace cutaway::views
