// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/step_model.h"

#include "core/base/text.h"
#include "views/appearance/theme.h"
#include "views/parts/step_text.h"
#include "views/parts/text.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

namespace {

/// How far the results are from the file's.
QString errorText(const passes::Step &step)
{
    if (!step.largestError)
        return {};
    if (!*step.largestError)
        return step.largestError->error().kind == ErrorKind::Cancelled ? QStringLiteral("?") : QStringLiteral("✗");
    return std::isfinite(**step.largestError) ? QString::number(**step.largestError, 'g', 2) : QStringLiteral("∞");
}

} // namespace

StepModel::StepModel(Stepping &stepping, QObject *parent) : QAbstractTableModel(parent), m_stepping(stepping)
{
    for (const auto change : {&Stepping::stepsChanged, &Stepping::viewChanged})
        connect(&stepping, change, this, &StepModel::follow);
    follow();
}

void StepModel::setFilter(const QString &filter)
{
    m_filter = filter;
    follow();
}

bool StepModel::isShown(std::size_t position) const
{
    if (position == 0)
        return true;
    const passes::Step &step = m_history->steps()[position - 1];
    return (m_stepping.changes().isChange(position - 1) || !m_stepping.skipsUnchanged())
        && stepName(step).contains(m_filter, Qt::CaseInsensitive);
}

void StepModel::follow()
{
    beginResetModel();
    m_history = m_stepping.history();
    m_positions.clear();
    for (std::size_t i = 0; m_history && i <= m_history->steps().size(); ++i)
        if (isShown(i))
            m_positions.push_back(i);
    endResetModel();
}

int StepModel::rowCount(const QModelIndex &parent) const
{
    const bool fails = m_history && m_history->failure();
    return parent.isValid() ? 0 : int(m_positions.size()) + (fails ? 1 : 0);
}
int StepModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

std::optional<std::size_t> StepModel::position(int row) const
{
    return row >= 0 && row < int(m_positions.size()) ? std::optional(m_positions[std::size_t(row)]) : std::nullopt;
}

int StepModel::rowOf(std::size_t position) const
{
    const auto behind = std::ranges::upper_bound(m_positions, position);
    return int(behind - m_positions.begin()) - 1;
}

QString StepModel::text(std::size_t position, int column) const
{
    if (column == NodesColumn)
        return shown(grouped(m_history->totalsAfter(position).nodes));
    if (position == 0)
        return column == PassColumn  ? shown(m_history->startTitle())
            : column == NumberColumn ? QStringLiteral("0")
                                     : QString();
    const passes::Step &step = m_history->steps()[position - 1];
    switch (column) {
    case NumberColumn:
        return QString::number(position);
    case PassColumn:
        return stepName(step);
    case ErrorColumn:
        return errorText(step);
    default:
        return m_stepping.changes().isChange(position - 1)
            ? stepDelta(m_stepping.changes().of(position - 1), true, m_stepping.changes().removedWeights(position - 1))
            : QStringLiteral("–");
    }
}

QVariant StepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto at = position(index.row());
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == PassColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (!at) {
        const passes::Failure &failure = *m_history->failure();
        if (role == Qt::ForegroundRole)
            return errorColor(QGuiApplication::palette());
        if (role == Qt::ToolTipRole)
            return toolTipText(shown(failure.error.text()));
        if (role == Qt::DisplayRole && index.column() == PassColumn)
            return shown(passes::print(failure.entry));
        return role == Qt::DisplayRole && index.column() == ChangeColumn ? QVariant(tr("failed")) : QVariant();
    }
    if (role == Qt::DisplayRole)
        return text(*at, index.column());
    if (role == Qt::ToolTipRole && index.column() == ErrorColumn && *at > 0)
        if (const auto &error = m_history->steps()[*at - 1].largestError; error && !*error)
            return toolTipText(shown(error->error().text()));
    if (role == Qt::ToolTipRole && index.column() == ChangeColumn && *at > 0)
        return toolTipText(patternsText(*m_history, *at, m_stepping.scope()));
    if (role == Qt::ToolTipRole && index.column() == PassColumn && *at > 0 && !m_history->steps()[*at - 1].entry())
        return toolTipText(shown(m_history->steps()[*at - 1].description(), true));
    if (role == Qt::ForegroundRole && *at > 0 && !m_stepping.changes().isChange(*at - 1))
        return mutedText(QGuiApplication::palette());
    return {};
}

QVariant StepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == PassColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const QString titles[] = {QString(), tr("Step"), tr("Change"), tr("Nodes"), tr("Error")};
    return role == Qt::DisplayRole ? QVariant(titles[section]) : QVariant();
}

} // namespace cutaway::views
