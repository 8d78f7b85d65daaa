// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <QWheelEvent>
#include <QWidget>

/// Makes a class of tests one that the program of all views' tests runs when asked for it by the source's name. Each
/// runs in a process of its own; see tst_views.cpp.in.
#define VIEW_TEST(name, Class)                                                                                         \
    int name(const QStringList &arguments)                                                                             \
    {                                                                                                                  \
        Class tests;                                                                                                   \
        return QTest::qExec(&tests, arguments);                                                                        \
    }

/// Turns the wheel at a position in the widget.
inline void turnWheel(QWidget &widget, QPointF at, QPoint by, Qt::KeyboardModifiers keys = {})
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, by, Qt::NoButton, keys, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}
