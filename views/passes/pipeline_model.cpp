// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/pipeline_model.h"

#include "core/base/text.h"
#include "core/print/figures.h"
#include "views/appearance/theme.h"
#include "views/parts/step_text.h"
#include "views/parts/text.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>

namespace cutaway::views {

PipelineModel::PipelineModel(Stepping &stepping, QObject *parent) : QAbstractTableModel(parent), m_stepping(stepping)
{
    connect(&stepping, &Stepping::stepsChanged, this, &PipelineModel::follow);
    connect(&stepping.chosen(), &ChosenPasses::pipelineChanged, this, &PipelineModel::follow);
    follow();
}

/// Takes the pipeline over, and assigns its steps to the entries: each iteration has a step for each entry that is
/// switched on, in order.
void PipelineModel::follow()
{
    const bool sameRows = m_pipeline.entries.size() == m_stepping.chosen().pipeline().entries.size();
    if (!sameRows)
        beginResetModel();
    m_pipeline = m_stepping.chosen().pipeline();
    m_outcomes.assign(m_pipeline.entries.size(), {});
    std::vector<std::size_t> enabled;
    for (std::size_t i = 0; i < m_pipeline.entries.size(); ++i)
        if (m_pipeline.entries[i].isEnabled)
            enabled.push_back(i);
    const auto *history = m_stepping.history().get();
    for (std::size_t i = 0; history && !enabled.empty() && i < history->steps().size(); ++i) {
        const passes::Step &step = history->steps()[i];
        Outcome &outcome = m_outcomes[enabled[i % enabled.size()]];
        ++outcome.runs;
        outcome.delta.removed += step.nodes.removed.size();
        outcome.delta.added += step.nodes.added.size();
        outcome.delta.changed += step.nodes.changed.size();
        outcome.delta.removedWeights += m_stepping.changes().removedWeights(i);
        outcome.isChange |= step.isChange;
        outcome.seconds += step.seconds;
        outcome.remarks = step.remarks;
    }
    if (history && history->failure() && !enabled.empty())
        m_outcomes[enabled[history->steps().size() % enabled.size()]].isFailure = true;
    if (!sameRows)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int PipelineModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_pipeline.entries.size());
}
int PipelineModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant PipelineModel::text(int row, int column) const
{
    const Outcome &outcome = m_outcomes[std::size_t(row)];
    const passes::Entry &entry = m_pipeline.entries[std::size_t(row)];
    if (column == PassColumn)
        return shown(passes::print(entry));
    if (outcome.isFailure)
        return column == OutcomeColumn ? tr("failed") : QString();
    if (!entry.isEnabled || outcome.runs == 0)
        return {};
    if (column == TimeColumn)
        return shown(print::secondsText(outcome.seconds));
    const QString left = outcome.remarks.empty() ? QString() : QStringLiteral(" *"); // the tool tip has the remarks
    return (outcome.isChange ? deltaText(outcome.delta) : QStringLiteral("–")) + left;
}

QString PipelineModel::toolTip(int row) const
{
    const passes::Entry &entry = m_pipeline.entries[std::size_t(row)];
    QString text = passText(*entry.pass);
    if (entry.addedFor)
        text += "\n\n" + tr("Added, since %1 needs it.").arg(shown(entry.addedFor->name));
    for (const std::string &remark : m_outcomes[std::size_t(row)].remarks)
        text += "\n\n" + shown(remark);
    if (m_outcomes[std::size_t(row)].isFailure)
        text += "\n\n" + shown(m_stepping.history()->failure()->error.text());
    return toolTipText(text);
}

QVariant PipelineModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const passes::Entry &entry = m_pipeline.entries[std::size_t(index.row())];
    const Outcome &outcome = m_outcomes[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return toolTip(index.row());
    case Qt::CheckStateRole:
        return index.column() == PassColumn ? QVariant(entry.isEnabled ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() == PassColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (outcome.isFailure)
            return errorColor(QGuiApplication::palette());
        if (!entry.isEnabled || (outcome.runs > 0 && !outcome.isChange))
            return mutedText(QGuiApplication::palette());
        return {};
    default:
        return {};
    }
}

QVariant PipelineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == PassColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const QString titles[] = {tr("Pass"), tr("Nodes"), tr("Time")};
    return role == Qt::DisplayRole ? QVariant(titles[section]) : QVariant();
}

Qt::ItemFlags PipelineModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == PassColumn ? flags | Qt::ItemIsUserCheckable : flags;
}

void PipelineModel::put(std::vector<passes::Entry> entries)
{
    passes::Pipeline pipeline = m_pipeline;
    pipeline.entries = std::move(entries);
    m_stepping.chosen().setPipeline(std::move(pipeline));
}

bool PipelineModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || index.column() != PassColumn || role != Qt::CheckStateRole)
        return false;
    auto entries = m_pipeline.entries;
    entries[std::size_t(index.row())].isEnabled = value.toInt() == Qt::Checked;
    put(std::move(entries));
    return true;
}

void PipelineModel::add(const passes::Pass &pass, int row)
{
    auto entries = m_pipeline.entries;
    entries.insert(entries.begin() + std::clamp(row, 0, rowCount()), {&pass, passes::Settings(pass.options)});
    put(passes::withNeeds({.entries = std::move(entries)}).entries);
}

void PipelineModel::remove(int row)
{
    auto entries = m_pipeline.entries;
    entries.erase(entries.begin() + row);
    put(std::move(entries));
}

bool PipelineModel::move(int row, int by)
{
    const int target = row + by;
    if (row < 0 || target < 0 || target >= rowCount())
        return false;
    auto entries = m_pipeline.entries;
    std::swap(entries[std::size_t(row)], entries[std::size_t(target)]);
    put(std::move(entries));
    return true;
}

} // namespace cutaway::views
