// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/canvas.h"

#include <QWidget>

namespace cutaway::views {

/// A legend of the colours of a picture's nodes, as a few lines of dots and words.
class CategoryLegend : public QWidget {
public:
    explicit CategoryLegend(Canvas &canvas);

    /// Whether boxes have the colours of categories, but names that are too small to be read.
    bool isUseful() const;
    QSize sizeWithin(int width) const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Entry {
        QString text;
        ops::Category category;
        QPoint at; ///< the position of the entry's dot in the widget
    };
    void collect();
    std::vector<Entry> placed(int width) const;

    Canvas &m_canvas;
    std::vector<ops::Category> m_categories; ///< categories of closed nodes, the most frequent first
};

} // namespace cutaway::views
