// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QScrollArea>
#include <functional>

class QGridLayout;
class QPushButton;
class QVBoxLayout;

namespace cutaway::views {

class ElidedLabel;

/// A scrolling page of titled sections whose rows have a name and a value. To change it, call clear() and add all
/// content again from top to bottom.
class PropertySheet : public QScrollArea {
public:
    enum class Look { Plain, Monospace, Number };

    explicit PropertySheet(QWidget *parent = nullptr);

    void clear();
    /// Calls `fill`, which has to clear the page and to add the same items again, and keeps the scroll position.
    void refill(const std::function<void()> &fill);
    /// Adds the title of the page, with `detail`, the full name, below.
    void title(const QString &text, const QString &detail = {});
    /// Adds a word on a pale tint of `color`, after a dot in `color` itself.
    void chip(const QString &text, QColor color);
    void section(const QString &title);
    void row(const QString &name, const QString &value, Look look = Look::Plain, const QString &toolTip = {});
    void link(const QString &name, const QString &value, std::function<void()> action, const QString &toolTip = {});
    /// Adds a row of a number whose name is a link.
    void linkedNumber(const QString &name, const QString &value, std::function<void()> action, const QString &toolTip);
    /// Adds a name and a link with a text after it, or below it if the line is too short for both.
    void link(const QString &name, const QString &value, std::function<void()> action, const QString &toolTip,
              const QString &after);
    void paragraph(const QString &text);
    /// Adds selectable monospace text that keeps its line breaks.
    void code(const QString &text, const QString &toolTip = {});
    void muted(const QString &text);
    void button(const QString &text, std::function<void()> action);
    /// Adds a choice of one item of `all`; `action` gets the index of the chosen item.
    void choice(const QString &name, const QStringList &all, int current, std::function<void(int)> action);
    /// Adds a button that disappears when it is pressed, since what it does is needed only once.
    void buttonOnce(const QString &text, std::function<void()> action);

private:
    QGridLayout *grid();
    void addRow(const QString &name, QWidget *value, Qt::Alignment ofName = Qt::AlignTop);
    QPushButton *addButton(const QString &text, std::function<void()> action);
    QWidget *wholeText(const QString &text, const QString &toolTip);
    void addNumber(ElidedLabel *name, const QString &value, const QString &toolTip);

    QWidget *m_page = nullptr;
    QVBoxLayout *m_column = nullptr;
    QGridLayout *m_grid = nullptr; ///< the grid of the current section
    int m_placeToKeep = 0;         ///< the scroll position that refill() restores once the page is high enough; 0: none
};

} // namespace cutaway::views
