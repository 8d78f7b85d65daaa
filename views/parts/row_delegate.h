// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <algorithm>

namespace cutaway::views {

/// Draws rows of lists and trees, 24 pixels high, or as high as their text.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QSize content = QStyledItemDelegate::sizeHint(option, index);
        return {content.width(), std::max(option.fontMetrics.height() + 8, 24)};
    }
};

/// Draws texts that are elided at the end, for shapes and numbers: without its middle, a number would read as another
/// number.
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
