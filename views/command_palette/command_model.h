// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QList>
#include <QPointer>

class QAction;

namespace cutaway::views {

/// Enabled actions whose name contains every typed word; those that start with the text come first.
class CommandModel : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr int shortcutRole = Qt::UserRole;

    explicit CommandModel(const QList<QAction *> &actions, QObject *parent = nullptr);

    void setFilter(const QString &text);
    QAction *action(const QModelIndex &index) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QList<QPointer<QAction>> m_all;
    QList<QPointer<QAction>> m_shown;
};

} // namespace cutaway::views
