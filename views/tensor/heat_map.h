// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tensor/part.h"

#include <QImage>
#include <QWidget>

class QPainter;

namespace cutaway::views {

/// A matrix as a picture: the smallest number in the palest colour, the largest in the strongest, NaN and infinities in
/// the colour of errors.
class HeatMap : public QWidget {
    Q_OBJECT

public:
    explicit HeatMap(QWidget *parent);

    void show(std::shared_ptr<const TensorPart> part);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;

private:
    void paintImage();
    QRectF area() const;
    double scaleHeight() const;
    /// Paints the colour scale with the smallest, middle and largest number, and a note on what the picture leaves out.
    void paintScale(QPainter &painter) const;
    bool isThinned() const;

    std::shared_ptr<const TensorPart> m_part;
    QImage m_image;
    double m_lowest = 0, m_highest = 0;
    bool m_isEmpty = true; ///< whether the picture has no finite number
};

} // namespace cutaway::views
