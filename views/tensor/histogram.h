// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/statistics.h"

#include <QWidget>

namespace cutaway::views {

/// A plot of the number of elements in each interval.
class HistogramPlot : public QWidget {
    Q_OBJECT

public:
    explicit HistogramPlot(QWidget *parent);

    /// Shows the text `notice` in place of a histogram.
    void clear(const QString &notice);
    void show(const tensor::Histogram &histogram);
    /// Returns the numbers at both ends, with the digits that fit; the second is "" if both texts would be the same.
    std::pair<QString, QString> endTexts(double room, const QFontMetricsF &metrics) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRectF area() const;
    std::optional<std::size_t> barAt(QPointF place) const;
    double edge(std::size_t bar) const;

    tensor::Histogram m_histogram;
    QString m_notice;
};

} // namespace cutaway::views
