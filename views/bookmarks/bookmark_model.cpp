// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bookmarks/bookmark_model.h"

#include "views/parts/text.h"
#include "views/session/bookmarks.h"

namespace cutaway::views {

BookmarkModel::BookmarkModel(Bookmarks &bookmarks, QObject *parent)
    : QAbstractTableModel(parent),
      m_bookmarks(bookmarks)
{
    connect(&bookmarks, &Bookmarks::changed, this, [this] {
        beginResetModel();
        endResetModel();
    });
}

int BookmarkModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_bookmarks.all().size());
}

int BookmarkModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant BookmarkModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Bookmark &bookmark = m_bookmarks.all()[std::size_t(index.row())];
    const QString text = index.column() == NameColumn ? m_bookmarks.nameOf(bookmark) : bookmark.note;
    if (role == Qt::ToolTipRole)
        return toolTipText(text);
    return role == Qt::DisplayRole || role == Qt::EditRole ? QVariant(text) : QVariant();
}

bool BookmarkModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || index.column() != NoteColumn || role != Qt::EditRole)
        return false;
    m_bookmarks.setNote(std::size_t(index.row()), value.toString());
    return true;
}

Qt::ItemFlags BookmarkModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == NoteColumn ? flags | Qt::ItemIsEditable : flags;
}

QVariant BookmarkModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    return role != Qt::DisplayRole ? QVariant() : section == NameColumn ? tr("Bookmark") : tr("Note");
}

} // namespace cutaway::views
