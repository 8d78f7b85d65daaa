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

} // namespace cutaway::views
