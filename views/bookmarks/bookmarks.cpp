// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bookmarks/bookmarks.h"

#include "views/bookmarks/bookmark_model.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/session/bookmarks.h"
#include "views/session/session.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QStackedLayout>
#include <QTreeView>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr int bookmarkNameWidth = 360;

class BookmarksView : public QWidget {
public:
    BookmarksView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_bookmarks(session.bookmarks()),
          m_model(new BookmarkModel(session.bookmarks(), this)),
          m_list(new QTreeView(this)),
          m_pages(new QStackedLayout(this))
    {
        auto *nothing = new QLabel(tr("No bookmarks. Ctrl+D bookmarks the selection, Ctrl+Shift+N adds a note."), this);
        nothing->setForegroundRole(QPalette::PlaceholderText);
        nothing->setAlignment(Qt::AlignCenter);
        nothing->setWordWrap(true);
        nothing->setMinimumWidth(1);
        m_pages->addWidget(nothing);
        m_pages->addWidget(m_list);
        setUpList();
        connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this,
                [this] { m_row = m_list->currentIndex().row(); });
        connect(m_model, &QAbstractItemModel::modelReset, this, [this] { follow(); });
        connect(
            &m_bookmarks, &Bookmarks::noteRequested, this, [this](std::size_t index) { edit(int(index)); },
            Qt::QueuedConnection); // the editor opens only after the dock has been raised
        setFocusProxy(m_list);
        follow();
    }

private:
    void setUpList()
    {
        m_list->setModel(m_model);
        m_list->setRootIsDecorated(false);
        m_list->setItemDelegateForColumn(BookmarkModel::NameColumn, new RowDelegate(m_list));
        m_list->setUniformRowHeights(true);
        m_list->setAllColumnsShowFocus(true);
        m_list->setTextElideMode(Qt::ElideMiddle);
        m_list->setAccessibleName(tr("Bookmarks"));
        m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
        m_list->header()->setStretchLastSection(true);
        m_list->header()->resizeSection(BookmarkModel::NameColumn, bookmarkNameWidth);
        const auto reveal = [this](const QModelIndex &index) { m_bookmarks.reveal(std::size_t(index.row())); };
        connect(m_list, &QTreeView::clicked, this, reveal);
        connect(m_list, &QTreeView::activated, this, [reveal](const QModelIndex &index) {
            if (index.column() == BookmarkModel::NameColumn)
                reveal(index);
        });
        auto *remove = new QAction(tr("Remove bookmark"), m_list);
        remove->setShortcut(QKeySequence::Delete);
        remove->setShortcutContext(Qt::WidgetShortcut);
        connect(remove, &QAction::triggered, this, [this] {
            if (const QModelIndex index = m_list->currentIndex(); index.isValid())
                m_bookmarks.remove(std::size_t(index.row()));
        });
        m_list->addAction(remove);
        makeCopyable(*m_list);
    }

    /// Shows the bookmarks again, and keeps the current row, so that users of the keyboard stay where they are.
    void follow()
    {
        m_pages->setCurrentIndex(m_bookmarks.all().empty() ? 0 : 1);
        m_list->setCurrentIndex(m_model->index(std::min(m_row, m_model->rowCount() - 1), BookmarkModel::NameColumn));
    }

    void edit(int row)
    {
        const QModelIndex note = m_model->index(row, BookmarkModel::NoteColumn);
        m_list->setCurrentIndex(note);
        m_list->edit(note);
    }

    Bookmarks &m_bookmarks;
    BookmarkModel *m_model;
    QTreeView *m_list;
    QStackedLayout *m_pages;
    int m_row = -1; ///< the current row
};

} // namespace

QWidget *makeBookmarks(Session &session, QWidget *parent) { return new BookmarksView(session, parent); }

} // namespace cutaway::views
