// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>

namespace cutaway::views {

/// A transparent picture that rectangles are filled into, with the pixels that QPainter::fillRect() would fill without
/// antialiasing. From far a graph is a few hundred thousand of them, and what QPainter does for each takes many times
/// as long.
class FarLayer {
public:
    /// `size`: in pixels.
    explicit FarLayer(QSize size);

    /// The image, to be drawn into as well, and to be drawn in the end.
    QImage &image() { return m_image; }
    /// `rect`: in pixels.
    void fill(const QRectF &rect, const QColor &color, double opacity);

private:
    QImage m_image;
    uchar *m_bits; ///< a painter may be active on the image: asking that would copy it
};

} // namespace cutaway::views
