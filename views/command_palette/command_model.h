// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QList>
#include <QPointer>

class QAction;

namespace cutaway::views {

/// Enabled actions whose name contains every typed word; those that start with the text come first. With `canFind`, a
/// last row stands for a search for the text.
class CommandModel : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr int shortcutRole = Qt::UserRole;

    explicit CommandModel(const QList<QAction *> &actions, bool canFind = false, QObject *parent = nullptr);

    void setFilter(const QString &text);
    /// Returns the action of a row; null for the row that stands for a search.
    QAction *action(const QModelIndex &index) const;
    bool isFind(const QModelIndex &index) const { return index.isValid() && index.row() == m_shown.size(); }
    const QString &text() const { return m_text; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QList<QPointer<QAction>> m_all;
    QList<QPointer<QAction>> m_shown;
    bool m_canFind;
    QString m_text;
};

} // namespace cutaway::views
