// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/column_widths.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTimer>
#include <QTreeView>
#include <algorithm>
#include <vector>

namespace cutaway::views {
namespace {

constexpr int lookedAt = 200; ///< the number of rows that are measured, from the top, which a user sees first
constexpr int around = 20;    ///< pixels around the text of a cell
constexpr int least = 48;

/// Distributes `room` pixels among columns whose contents need these widths. Narrow columns get their width first, and
/// wide ones share the rest; none gets more than it needs.
std::vector<int> sharedOut(std::vector<int> needed, int room)
{
    std::vector<std::size_t> order(needed.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return needed[i]; });
    for (std::size_t n = 0; n < order.size(); ++n) {
        int &column = needed[order[n]];
        column = std::min(column, std::max(room / int(order.size() - n), least));
        room -= column;
    }
    return needed;
}

class ColumnWidths : public QObject {
public:
    explicit ColumnWidths(QTreeView &list) : QObject(&list), m_list(list)
    {
        m_due.setSingleShot(true);
        m_due.setInterval(0);
        connect(&m_due, &QTimer::timeout, this, [this] { fit(); });
        connect(list.model(), &QAbstractItemModel::modelReset, &m_due, qOverload<>(&QTimer::start));
        connect(list.model(), &QAbstractItemModel::layoutChanged, &m_due, qOverload<>(&QTimer::start));
        connect(list.header(), &QHeaderView::sectionResized, this, [this] {
            m_isUsers |= !m_isFitting && QGuiApplication::mouseButtons() != Qt::NoButton
                && m_list.header()->viewport()->underMouse();
        });
        list.viewport()->installEventFilter(this);
        m_due.start();
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
            m_due.start();
        return QObject::eventFilter(watched, event);
    }

private:
    int neededBy(int column) const
    {
        const QAbstractItemModel &model = *m_list.model();
        int widest = m_list.header()->sectionSizeHint(column) - around;
        for (int row = 0; row < std::min(model.rowCount(), lookedAt); ++row)
            widest =
                std::max(widest, m_list.fontMetrics().horizontalAdvance(model.index(row, column).data().toString()));
        return widest + around;
    }

    void fit()
    {
        if (m_isUsers || !m_list.isVisible())
            return;
        std::vector<int> needed;
        const int count = m_list.model()->columnCount();
        for (int column = 0; column < count; ++column)
            needed.push_back(neededBy(column));
        const std::vector<int> widths = sharedOut(needed, m_list.viewport()->width());
        m_isFitting = true;
        for (int column = 0; column < count; ++column)
            m_list.header()->resizeSection(column, widths[std::size_t(column)]);
        m_isFitting = false;
    }

    QTreeView &m_list;
    QTimer m_due;
    bool m_isFitting = false, m_isUsers = false;
};

} // namespace

void fitColumns(QTreeView &list) { new ColumnWidths(list); }

} // namespace cutaway::views
