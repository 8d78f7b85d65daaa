// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/table_copy.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QShortcut>
#include <QTreeView>

namespace cutaway::views {
namespace {

class RowWriter {
public:
    RowWriter(const QTreeView &list, Rows rows) : m_list(list), m_rows(rows)
    {
        for (int place = 0; place < list.header()->count(); ++place)
            if (const int column = list.header()->logicalIndex(place); !list.isColumnHidden(column))
                m_columns << column;
    }

    QString text()
    {
        QStringList titles;
        for (const int column : m_columns)
            titles << clean(m_list.model()->headerData(column, Qt::Horizontal).toString());
        m_text = titles.join('\t') + '\n';
        write({}, 0);
        return std::move(m_text);
    }

private:
    static QString clean(QString text) { return text.replace('\t', ' ').replace('\n', ' '); }

    void write(const QModelIndex &parent, int depth)
    {
        for (int row = 0; row < m_list.model()->rowCount(parent); ++row) {
            const QModelIndex index = m_list.model()->index(row, 0, parent);
            if (m_rows == Rows::All || m_list.selectionModel()->isRowSelected(row, parent))
                writeRow(index, depth);
            write(index, depth + 1);
        }
    }

    void writeRow(const QModelIndex &row, int depth)
    {
        QStringList cells;
        for (const int column : m_columns) {
            const QModelIndex cell = row.siblingAtColumn(column);
            const QVariant exact = cell.data(exactRole);
            cells << clean((exact.isValid() ? exact : cell.data()).toString());
        }
        m_text += QString(2 * depth, ' ') + cells.join('\t') + '\n';
    }

    const QTreeView &m_list;
    Rows m_rows;
    QList<int> m_columns;
    QString m_text;
};

qsizetype selectedCount(const QTreeView &list)
{
    return list.selectionModel() ? list.selectionModel()->selectedRows().size() : 0;
}

void copyRows(const QTreeView &list, Rows rows) { QGuiApplication::clipboard()->setText(tabSeparated(list, rows)); }

} // namespace

QString tabSeparated(const QTreeView &list, Rows rows)
{
    return list.model() ? RowWriter(list, rows).text() : QString();
}

void copyTable(const QTreeView &list) { copyRows(list, selectedCount(list) > 1 ? Rows::Selected : Rows::All); }

void makeCopyable(QTreeView &list, std::function<void(QMenu &, const QModelIndex &)> addActions)
{
    auto *keys = new QShortcut(QKeySequence::Copy, &list);
    keys->setContext(Qt::WidgetShortcut);
    const auto selected = [&list] { copyRows(list, selectedCount(list) > 0 ? Rows::Selected : Rows::All); };
    QObject::connect(keys, &QShortcut::activated, &list, selected);
    list.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(&list, &QWidget::customContextMenuRequested, &list,
                     [&list, selected, addActions = std::move(addActions)](QPoint at) {
                         auto *menu = new QMenu(QObject::tr("Copy"), &list);
                         menu->setAttribute(Qt::WA_DeleteOnClose);
                         if (const QModelIndex row = list.indexAt(at); addActions && row.isValid()) {
                             addActions(*menu, row);
                             menu->addSeparator();
                         }
                         QAction *some = menu->addAction(QObject::tr("Copy selected rows"), &list, selected);
                         some->setShortcut(QKeySequence::Copy);
                         some->setEnabled(selectedCount(list) > 0);
                         menu->addAction(QObject::tr("Copy all rows"), &list, [&list] { copyRows(list, Rows::All); });
                         menu->popup(list.viewport()->mapToGlobal(at));
                     });
}

} // namespace cutaway::views
