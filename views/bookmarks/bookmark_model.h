// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

namespace cutaway::views {

class Bookmarks;

/// The bookmarks, a row each: their subject, and the note, which can be edited.
class BookmarkModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, NoteColumn, ColumnCount };

    explicit BookmarkModel(Bookmarks &bookmarks, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Bookmarks &m_bookmarks;
};

} // namespace cutaway::views
