// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>

namespace cutaway::views {

/// A transparent picture for filling many rectangles fast, with the same pixels as QPainter::fillRect() without
/// antialiasing. A large graph at a small zoom is a few hundred thousand rectangles, for each of which QPainter takes
/// many times as long.
class FarLayer {
public:
    /// `size` is in pixels.
    explicit FarLayer(QSize size);

    /// Returns the image, for painters to draw into, and to be drawn at the end.
    QImage &image() { return m_image; }
    /// Fills a rectangle, which is in pixels.
    void fill(const QRectF &rect, const QColor &color, double opacity);

private:
    QImage m_image;
    uchar *m_bits; ///< the image's bits; asking for them while a painter is active would copy the image
};

} // namespace cutaway::views
