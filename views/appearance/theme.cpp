// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/appearance/theme.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleHints>

namespace cutaway::views {
namespace {

/// The window's own colours; the diagram's are drawing::Palette.
struct Colors {
    QColor window, base, raised, text, muted, line, accent, accentText, link;
};

const Colors light{QColor(0xf5f6f8), QColor(0xffffff), QColor(0xffffff), QColor(0x1c2026), QColor(0x5c6570),
                   QColor(0xdcdfe4), QColor(0x2563c9), QColor(0xffffff), QColor(0x1d57b5)};
const Colors dark{QColor(0x21242a), QColor(0x1a1d22), QColor(0x2a2e35), QColor(0xe4e7eb), QColor(0x9ba4b0),
                  QColor(0x363b44), QColor(0x4d8df0), QColor(0x0b1626), QColor(0x7fb0ff)};

QColor mixed(QColor a, QColor b, float share)
{
    const auto mix = [share](float x, float y) { return x + (y - x) * share; };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

QPalette makePalette(const Colors &c)
{
    QPalette palette(c.raised, c.window);
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::Base, c.base);
    palette.setColor(QPalette::AlternateBase, c.window);
    palette.setColor(QPalette::Button, c.raised);
    palette.setColor(QPalette::Mid, c.line);
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.accentText);
    palette.setColor(QPalette::Accent, c.accent);
    palette.setColor(QPalette::Link, c.link);
    palette.setColor(QPalette::PlaceholderText, c.muted);
    palette.setColor(QPalette::ToolTipBase, c.raised);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        palette.setColor(role, c.text);
        QColor disabled = c.muted;
        disabled.setAlphaF(0.6F);
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    return palette;
}

/// The style sheet that makes Fusion flat: lines of one pixel instead of bevels, spaces in multiples of four. Each name
/// with an at sign is replaced by a colour of the theme.
constexpr const char *sheetText = R"(
            QMainWindow::separator { background: @line; width: 1px; height: 1px; }
            QMenuBar { background: @window; padding: 2px 6px; }
            QMenuBar::item { padding: 4px 8px; border-radius: 4px; }
            QMenuBar::item:selected { background: @soft; }
            QMenu { background: @raised; border: 1px solid @line; padding: 4px; }
            QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
            QMenu::item:selected { background: @selected; color: @text; }
            QMenu::item:disabled { color: @muted; }
            QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
            QMenu::icon { padding-left: 8px; }
            QToolBar { background: @window; border: none; border-bottom: 1px solid @line; padding: 4px 8px; spacing: 4px; }
            QToolBar::separator { width: 1px; background: @line; margin: 4px 4px; }
            QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 4px; }
            QToolButton[popupMode="1"] { padding-right: 17px; } QToolButton::menu-indicator { image: none; }
            QToolButton:focus { border-color: @accent; }
            QToolButton::menu-button { border: none; border-radius: 4px; width: 16px; }
            QToolButton:hover, QToolButton::menu-button:hover { background: @soft; }
            QToolButton:pressed, QToolButton:checked { background: @selected; }
            QStatusBar { background: @window; border-top: 1px solid @line; } QStatusBar::item { border: none; }
            QTabBar { background: @window; }
            QTabBar::tab { background: transparent; color: @muted; padding: 6px 12px; border: none;
                           border-bottom: 2px solid transparent; }
            QMainWindow > QTabBar::tab { padding: 6px 6px; }
            QTabBar::tab:top, QTabBar::tab:bottom { border-bottom: 2px solid transparent; }
            QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
            QTabBar[quiet="true"]::tab:selected { color: @muted; border-bottom: 2px solid @line; }
            QTabBar::tab:hover { color: @text; } QTabBar:focus { border: 1px solid @accent; }
            QLineEdit, QAbstractSpinBox[buttonSymbols="NoButtons"] {
                        background: @base; border: 1px solid @line; border-radius: 4px; padding: 4px 8px;
                        selection-background-color: @accent; selection-color: @accentText; }
            QLineEdit:focus, QAbstractSpinBox[buttonSymbols="NoButtons"]:focus { border-color: @accent; }
            QAbstractSpinBox QLineEdit { border: none; padding: 0; }
            QComboBox { background: @raised; border: 1px solid @line; border-radius: 4px; padding: 4px 4px 4px 8px;
                        combobox-popup: 0; }
            QComboBox:hover { border-color: @muted; } QComboBox:focus, QComboBox:on { border-color: @accent; }
            QComboBox:disabled { color: @muted; }
            QComboBox::drop-down { border: none; width: 20px; }
            QComboBox::down-arrow { image: url(:/icons/chevron.svg); width: 12px; height: 12px; }
            QComboBox QAbstractItemView { border: 1px solid @line; }
            QAbstractItemView { background: @base; border: 1px solid @base; outline: none;
                                selection-background-color: @selected; selection-color: @text; }
            QAbstractItemView:focus, QScrollArea:focus, QPlainTextEdit:focus { border: 1px solid @accent; }
            QTreeView::item, QListView::item { padding: 0 4px; border: none; }
            QTreeView::item:hover, QListView::item:hover { background: @soft; }
            QTreeView::item:selected, QListView::item:selected { background: @selected; color: @text; }
            QHeaderView { background: @base; border: none; }
            QHeaderView::section { background: @base; color: @muted; border: none;
                                   border-bottom: 1px solid @line; padding: 6px 7px; }
            QScrollArea, QPlainTextEdit { background: @base; border: 1px solid @base; }
            QToolTip { background: @raised; color: @text; border: 1px solid @line; padding: 4px 6px; }
            QProgressBar { background: @line; border: none; border-radius: 2px; }
            QProgressBar::chunk { background: @accent; border-radius: 2px; }
            QPushButton { background: @raised; border: 1px solid @line; border-radius: 4px; padding: 6px 16px; }
            QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
            QPushButton:hover { border-color: @muted; }
            QPushButton:default { background: @accent; border-color: @accent; color: @accentText; }
            QPushButton:focus { border-color: @accent; } QPushButton:default:focus { border-color: @text; }
            QCheckBox::indicator, QTreeView::indicator { width: 14px; height: 14px; background: @base;
                border: 1px solid @muted; border-radius: 3px; }
            QCheckBox::indicator:checked, QTreeView::indicator:checked { background: @accent; border-color: @accent;
                image: url(:/icons/check.svg); }
            QScrollBar { background: transparent; border: none; }
            QScrollBar:vertical { width: 10px; } QScrollBar:horizontal { height: 10px; }
            QScrollBar::handle { background: @line; border-radius: 3px; margin: 2px; }
            QScrollBar::handle:vertical { min-height: 24px; }
            QScrollBar::handle:horizontal { min-width: 24px; }
            QScrollBar::handle:hover { background: @muted; }
            QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
            QScrollBar::add-page, QScrollBar::sub-page { background: none; }
        )";

QString styleSheet(const Colors &c)
{
    const QColor soft(c.text.red(), c.text.green(), c.text.blue(), 18);
    const QColor selected = mixed(c.base, c.accent, &c == &dark ? 0.26 : 0.18);
    QString sheet = QString::fromUtf8(sheetText);
    // Longer names come first, since "@accent" is the beginning of "@accentText".
    const std::pair<const char *, QColor> names[] = {{"@accentText", c.accentText},
                                                     {"@accent", c.accent},
                                                     {"@selected", selected},
                                                     {"@window", c.window},
                                                     {"@raised", c.raised},
                                                     {"@base", c.base},
                                                     {"@muted", c.muted},
                                                     {"@text", c.text},
                                                     {"@line", c.line},
                                                     {"@soft", soft}};
    for (const auto &[name, color] : names) {
        const QString value = QStringLiteral("rgba(%1, %2, %3, %4)");
        sheet.replace(name, value.arg(color.red()).arg(color.green()).arg(color.blue()).arg(color.alpha()));
    }
    return sheet;
}

void setColors(QApplication &application, const Colors &colors)
{
    application.setPalette(makePalette(colors));
    application.setStyleSheet(styleSheet(colors));
}

bool systemIsDark() { return QApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark; }

} // namespace

void applyTheme(QApplication &application, Theme theme)
{
    static QMetaObject::Connection following;
    QObject::disconnect(following);
    if (QApplication::style()->name() != "fusion")
        QApplication::setStyle(QStyleFactory::create("fusion"));
    if (theme == Theme::System) {
        following = QObject::connect(QApplication::styleHints(), &QStyleHints::colorSchemeChanged, &application,
                                     [&application] { setColors(application, systemIsDark() ? dark : light); });
    }
    setColors(application, theme == Theme::Dark || (theme == Theme::System && systemIsDark()) ? dark : light);
}

bool isDark(const QPalette &palette) { return palette.color(QPalette::Window).lightness() < 128; }

const drawing::Palette &diagramPalette(const QPalette &palette)
{
    return isDark(palette) ? drawing::darkPalette() : drawing::lightPalette();
}

QColor toColor(drawing::Rgb rgb) { return {rgb.r, rgb.g, rgb.b}; }
QColor mutedText(const QPalette &palette) { return palette.color(QPalette::PlaceholderText); }
QColor separator(const QPalette &palette) { return palette.color(QPalette::Mid); }
QColor errorColor(const QPalette &palette) { return isDark(palette) ? QColor(0xff8a80) : QColor(0xb3261e); }
QColor warningColor(const QPalette &palette) { return isDark(palette) ? QColor(0xf2b84b) : QColor(0x8a5a00); }

} // namespace cutaway::views
