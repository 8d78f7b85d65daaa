// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <algorithm>

namespace cutaway::views {

/// Rows of lists and trees, 24 pixels high, or as high as their text.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QSize content = QStyledItemDelegate::sizeHint(option, index);
        return {content.width(), std::max(option.fontMetrics.height() + 8, 24)};
    }
};

/// Rows for shapes and numbers, whose end is left out if there is no room: a number without its middle would be taken
/// for another one.
class EndElidedDelegate : public RowDelegate {
public:
    using RowDelegate::RowDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        RowDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

} // namespace cutaway::views
