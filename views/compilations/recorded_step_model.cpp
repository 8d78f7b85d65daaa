// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compilations/recorded_step_model.h"

#include "core/base/text.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>

namespace cutaway::views {

namespace {

bool isUnchanged(const sequence::Step &step) { return step.changed == false; }

/// Returns the kind and the direction of a step: "post-grad, backward".
QString stageText(const sequence::Step &step)
{
    QString text = shown(sequence::name(step.kind)).replace('_', '-');
    if (step.direction && shown(sequence::name(*step.direction)) != text)
        text += QStringLiteral(", ") + shown(sequence::name(*step.direction));
    return text;
}

QString changeText(const sequence::Step &step)
{
    if (!step.outline)
        return QObject::tr("cannot be read");
    if (!step.outline->isWhole)
        return QObject::tr("cut off");
    if (!step.previous)
        return {};
    return !step.changed ? QObject::tr("not compared") : *step.changed ? QObject::tr("changed") : QObject::tr("–");
}

} // namespace

void RecordedStepModel::setSequence(const sequence::Sequence *sequence)
{
    m_sequence = sequence;
    follow();
}

void RecordedStepModel::setShowsUnchanged(bool shows)
{
    m_showsUnchanged = shows;
    follow();
}

std::size_t RecordedStepModel::unchangedCount() const
{
    return m_sequence ? std::size_t(std::ranges::count_if(m_sequence->steps, isUnchanged)) : 0;
}

void RecordedStepModel::follow()
{
    beginResetModel();
    m_steps.clear();
    for (std::size_t i = 0; m_sequence && i < m_sequence->steps.size(); ++i)
        if (m_showsUnchanged || !isUnchanged(m_sequence->steps[i]))
            m_steps.push_back(i);
    endResetModel();
}

const sequence::Step *RecordedStepModel::step(const QModelIndex &index) const
{
    return index.isValid() ? &m_sequence->steps[m_steps[std::size_t(index.row())]] : nullptr;
}

int RecordedStepModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_steps.size()); }
int RecordedStepModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QString RecordedStepModel::text(std::size_t at, int column) const
{
    const sequence::Step &step = m_sequence->steps[at];
    switch (column) {
    case NumberColumn:
        return QString::number(at);
    case NameColumn:
        return shown(step.name);
    case StageColumn:
        return stageText(step);
    case NodesColumn:
        return step.outline ? shown(grouped(std::int64_t(step.outline->nodes))) : QStringLiteral("?");
    default:
        return changeText(step);
    }
}

QVariant RecordedStepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const sequence::Step &step = *this->step(index);
    const bool isNumber = index.column() == NumberColumn || index.column() == NodesColumn;
    if (role == Qt::DisplayRole)
        return text(m_steps[std::size_t(index.row())], index.column());
    if (role == Qt::TextAlignmentRole)
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == NameColumn)
        return toolTipText(shown(step.address));
    if (role == Qt::ForegroundRole && !step.outline)
        return errorColor(QGuiApplication::palette());
    if (role == Qt::ForegroundRole && isUnchanged(step))
        return mutedText(QGuiApplication::palette());
    return {};
}

QVariant RecordedStepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const bool isNumber = section == NumberColumn || section == NodesColumn;
    if (role == Qt::TextAlignmentRole)
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const QString titles[] = {QString(), tr("Step"), tr("Stage"), tr("Nodes"), tr("Change")};
    return role == Qt::DisplayRole ? QVariant(titles[section]) : QVariant();
}

} // namespace cutaway::views
