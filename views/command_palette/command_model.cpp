// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/command_palette/command_model.h"

#include <QAction>
#include <QKeySequence>
#include <QMenu>
#include <algorithm>

namespace cutaway::views {
namespace {

/// Returns the name of an action without the mark of the mnemonic.
QString actionName(const QAction &action)
{
    QString text = action.data().isValid() ? action.data().toString() : action.text();
    return text.remove('&');
}

} // namespace

CommandModel::CommandModel(const QList<QAction *> &actions, bool canFind, QObject *parent)
    : QAbstractListModel(parent),
      m_canFind(canFind)
{
    for (QAction *action : actions)
        if (action->isEnabled() && !action->isSeparator() && !action->menu() && !action->text().isEmpty())
            m_all.append(action);
    m_shown = m_all;
}

void CommandModel::setFilter(const QString &text)
{
    const QStringList words = text.split(' ', Qt::SkipEmptyParts);
    beginResetModel();
    m_text = text.trimmed();
    m_shown.clear();
    for (const auto &action : m_all)
        if (action && std::ranges::all_of(words, [&](const QString &word) {
                return actionName(*action).contains(word, Qt::CaseInsensitive);
            }))
            m_shown.append(action);
    std::ranges::stable_partition(m_shown, [&](const QPointer<QAction> &action) {
        return actionName(*action).startsWith(text, Qt::CaseInsensitive);
    });
    endResetModel();
}

QAction *CommandModel::action(const QModelIndex &index) const
{
    return index.isValid() && !isFind(index) ? m_shown[index.row()].data() : nullptr;
}

int CommandModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_shown.size()) + (m_canFind && !m_text.isEmpty() ? 1 : 0);
}

QVariant CommandModel::data(const QModelIndex &index, int role) const
{
    if (isFind(index))
        return role == Qt::DisplayRole ? QVariant(tr("Find in the graph: %1").arg(m_text)) : QVariant();
    const QAction *of = action(index);
    if (!of)
        return {};
    if (role == Qt::DisplayRole)
        return actionName(*of);
    if (role == shortcutRole)
        return of->shortcut().toString(QKeySequence::NativeText);
    return {};
}

} // namespace cutaway::views
