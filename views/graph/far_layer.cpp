// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/far_layer.h"

#include <algorithm>
#include <cmath>

namespace cutaway::views {

FarLayer::FarLayer(QSize size) : m_image(size, QImage::Format_ARGB32_Premultiplied)
{
    m_image.fill(Qt::transparent);
    m_bits = m_image.bits();
}

void FarLayer::fill(const QRectF &rect, const QColor &color, double opacity)
{
    const auto pixel = [](double at, int last) { return int(std::clamp(std::floor(at + 0.5), 0.0, double(last))); };
    const int left = pixel(rect.left(), m_image.width()), right = pixel(rect.right(), m_image.width());
    const int top = pixel(rect.top(), m_image.height()), bottom = pixel(rect.bottom(), m_image.height());
    const int alpha = int(std::lround(color.alpha() * opacity));
    const QRgb source = qPremultiply(qRgba(color.red(), color.green(), color.blue(), alpha));
    for (int y = top; y < bottom; ++y) {
        auto *row = reinterpret_cast<QRgb *>(m_bits + qsizetype(y) * m_image.bytesPerLine());
        if (alpha == 255) {
            std::fill(row + left, row + std::max(left, right), source);
            continue;
        }
        const auto over = [&](int part, int below) { return part + below * (255 - alpha) / 255; };
        for (int x = left; x < right; ++x)
            row[x] = qRgba(over(qRed(source), qRed(row[x])), over(qGreen(source), qGreen(row[x])),
                           over(qBlue(source), qBlue(row[x])), over(alpha, qAlpha(row[x])));
    }
}

} // namespace cutaway::views
