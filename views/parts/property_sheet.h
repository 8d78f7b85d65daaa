// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QScrollArea>
#include <functional>

class QGridLayout;
class QVBoxLayout;

namespace cutaway::views {

/// A scrolling page of titled sections with rows of a name and a value. It is filled anew as a whole:
/// clear(), then what it says from top to bottom.
class PropertySheet : public QScrollArea {
public:
    enum class Look { Plain, Monospace, Number };

    explicit PropertySheet(QWidget *parent = nullptr);

    void clear();
    /// Calls `fill`, which clears and fills the page with the same things anew: the reader keeps the place.
    void refill(const std::function<void()> &fill);
    /// What the page is about, and what that is in full below it.
    void title(const QString &text, const QString &detail = {});
    /// A word on a coloured ground.
    void chip(const QString &text, QColor color);
    void section(const QString &title);
    void row(const QString &name, const QString &value, Look look = Look::Plain, const QString &toolTip = {});
    void link(const QString &name, const QString &value, std::function<void()> action, const QString &toolTip = {});
    /// A name, a link and a text after it, or below where both have no room in a line.
    void link(const QString &name, const QString &value, std::function<void()> action, const QString &toolTip,
              const QString &after);
    void paragraph(const QString &text);
    /// Lines that keep their breaks, in monospace; may be selected.
    void code(const QString &text, const QString &toolTip = {});
    void muted(const QString &text);
    void button(const QString &text, std::function<void()> action);

private:
    QGridLayout *grid();
    void addRow(const QString &name, QWidget *value);
    void addNumber(const QString &name, const QString &value, const QString &toolTip);

    QWidget *m_page = nullptr;
    QVBoxLayout *m_column = nullptr;
    QGridLayout *m_grid = nullptr; ///< of the current section
};

} // namespace cutaway::views
