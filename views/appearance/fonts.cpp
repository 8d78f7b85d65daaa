// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/appearance/fonts.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QStringList>
#include <array>

namespace cutaway::views {
namespace {

QString firstInstalled(const QStringList &families, const QString &defaultValue)
{
    for (const QString &family : families)
        if (QFontDatabase::hasFamily(family))
            return family;
    return defaultValue;
}

const QString &monospaceFamily()
{
    // If the system answers "monospace", it has chosen no family; a better one is then looked for.
    static const QString family = [] {
        const QString system = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
        const bool generic = system.compare("monospace", Qt::CaseInsensitive) == 0;
        return generic ? firstInstalled({"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono"}, system) : system;
    }();
    return family;
}

QFont sized(const QString &family, int pixels, QFont::Weight weight)
{
    QFont font(family);
    font.setPixelSize(pixels);
    font.setWeight(weight);
    if (family == monospaceFamily())
        font.setStyleStrategy(QFont::PreferNoShaping); // ligatures would show "≠" for "!="
    // Widths must scale with the zoom, so glyphs are not snapped to pixels.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

/// Returns the metrics of the font of a style, which are made once per thread.
const QFontMetricsF &metricsOf(layout::Line::Style style)
{
    using Style = layout::Line::Style;
    thread_local const std::array<QFontMetricsF, 4> all{
        QFontMetricsF(diagramFont(Style::Title)), QFontMetricsF(diagramFont(Style::Muted)),
        QFontMetricsF(diagramFont(Style::Detail)), QFontMetricsF(diagramFont(Style::Weight))};
    return all[static_cast<std::size_t>(style)];
}

} // namespace

void chooseInterfaceFont(QApplication &application)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    const QString family = font.family();
    if (family.isEmpty() || family.startsWith("Sans", Qt::CaseInsensitive)) {
        font = QFont(firstInstalled({"Inter", "Noto Sans", "DejaVu Sans"}, family));
        font.setPixelSize(13);
    }
    application.setFont(font);
}

QFont diagramFont(layout::Line::Style style)
{
    const QString family = QApplication::font().family();
    switch (style) {
    case layout::Line::Style::Title:
        return sized(family, 13, QFont::Medium);
    case layout::Line::Style::Weight:
        return sized(monospaceFamily(), 11, QFont::Normal);
    case layout::Line::Style::Muted:
    case layout::Line::Style::Detail:
        break;
    }
    return sized(family, 11, QFont::Normal);
}

QFont edgeLabelFont() { return diagramFont(layout::Line::Style::Weight); }

double diagramTextWidth(std::string_view text, layout::Line::Style style)
{
    return metricsOf(style).horizontalAdvance(QString::fromUtf8(text));
}

QFont monospaceFont()
{
    QFont font = QApplication::font();
    font.setFamily(monospaceFamily());
    font.setStyleStrategy(QFont::PreferNoShaping); // ligatures would show "≠" for "!="
    if (font.pixelSize() > 0)
        font.setPixelSize(font.pixelSize() - 1);
    return font;
}

QFont titleFont(double scale)
{
    QFont font = QApplication::font();
    if (font.pixelSize() > 0)
        font.setPixelSize(qRound(font.pixelSize() * scale));
    else
        font.setPointSizeF(font.pointSizeF() * scale);
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace cutaway::views
