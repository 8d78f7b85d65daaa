// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/step_model.h"

#include "core/base/text.h"
#include "views/appearance/theme.h"
#include "views/parts/step_text.h"
#include "views/parts/text.h"
#include "views/passes/step_patterns.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

namespace {

/// Returns the largest error of the results after a step against those of the file; "" if they were not compared.
QString errorText(const passes::Step &step)
{
    if (!step.largestError)
        return {};
    if (!*step.largestError)
        return step.largestError->error().kind == ErrorKind::Cancelled ? QStringLiteral("?") : QStringLiteral("✗");
    return std::isfinite(**step.largestError) ? QString::number(**step.largestError, 'g', 2) : QStringLiteral("∞");
}

/// Whether a step has the same graph as the one before, written as another text.
bool isOnlyRewritten(const passes::Step &step)
{
    const auto *recorded = std::get_if<passes::Recorded>(&step.made);
    return recorded && recorded->text == passes::Recorded::Text::Other && !step.isChange;
}

} // namespace

StepModel::StepModel(Stepping &stepping, QObject *parent)
    : QAbstractTableModel(parent),
      m_stepping(stepping),
      m_patterns(new StepPatterns(stepping, this))
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

/// Returns the step before a position if it is not read yet; nullptr if it is read.
const passes::Recorded *StepModel::unreadAt(std::size_t position) const
{
    const std::size_t read = m_history->steps().size();
    return position > read ? &m_history->unread()[position - read - 1] : nullptr;
}

bool StepModel::isShown(std::size_t position) const
{
    if (position == 0)
        return true;
    const passes::Recorded *unread = unreadAt(position);
    const bool isOther = unread
        ? unread->text == passes::Recorded::Text::Other
        : m_stepping.changes().isChange(position - 1) || isOnlyRewritten(m_history->steps()[position - 1]);
    return (isOther || !m_stepping.display().skipsUnchanged())
        && text(position, PassColumn).contains(m_filter, Qt::CaseInsensitive);
}

void StepModel::follow()
{
    const bool hadFailure = m_history && m_history->failure();
    m_history = m_stepping.history();
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; m_history && i <= m_stepping.total(); ++i)
        if (isShown(i))
            positions.push_back(i);
    if (positions == m_positions && !positions.empty() && !hadFailure && !m_history->failure()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1)); // further steps were read; the rows stay
        return;
    }
    beginResetModel();
    m_positions = std::move(positions);
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
    const passes::Recorded *unread = unreadAt(position);
    switch (column) {
    case NumberColumn:
        return QString::number(position);
    case PassColumn:
        return position == 0 ? shown(m_history->startTitle())
            : unread         ? shown(unread->name)
                             : stepName(m_history->steps()[position - 1]);
    case NodesColumn:
        return unread ? QString() : shown(grouped(m_history->totalsAfter(position).nodes));
    case ErrorColumn:
        return position == 0 || unread ? QString() : errorText(m_history->steps()[position - 1]);
    default:
        return position == 0 ? QString() : unread ? tr("not read yet") : changeText(position);
    }
}

QString StepModel::changeText(std::size_t position) const
{
    const StepChanges &changes = m_stepping.changes();
    if (changes.isChange(position - 1))
        return stepDelta(changes.of(position - 1), true, changes.removedWeights(position - 1));
    return isOnlyRewritten(m_history->steps()[position - 1]) ? tr("only its text") : QStringLiteral("–");
}

QString StepModel::toolTip(std::size_t position, int column) const
{
    if (position == 0)
        return {};
    if (const passes::Recorded *unread = unreadAt(position))
        return column == PassColumn ? toolTipText(shown(unread->description, true)) : QString();
    const passes::Step &step = m_history->steps()[position - 1];
    if (column == ErrorColumn && step.largestError && !*step.largestError)
        return toolTipText(shown(step.largestError->error().text()));
    if (column == ChangeColumn && isOnlyRewritten(step))
        return toolTipText(tr("The text differs; the graph is the same."));
    if (column == ChangeColumn)
        return toolTipText(m_patterns->textOf(position));
    return column == PassColumn && !step.entry() ? toolTipText(shown(step.description(), true)) : QString();
}

QVariant StepModel::failureData(const passes::Failure &failure, int column, int role)
{
    if (role == Qt::ForegroundRole)
        return errorColor(QGuiApplication::palette());
    if (role == Qt::ToolTipRole)
        return toolTipText(shown(failure.error.text()));
    if (role == Qt::DisplayRole && column == PassColumn)
        return shown(passes::print(failure.entry));
    return role == Qt::DisplayRole && column == ChangeColumn ? QVariant(tr("failed")) : QVariant();
}

QVariant StepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto at = position(index.row());
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == PassColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (!at)
        return failureData(*m_history->failure(), index.column(), role);
    if (role == Qt::DisplayRole)
        return text(*at, index.column());
    if (role == Qt::ToolTipRole)
        return toolTip(*at, index.column());
    if (role == Qt::ForegroundRole && *at > 0 && (unreadAt(*at) || !m_stepping.changes().isChange(*at - 1)))
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
