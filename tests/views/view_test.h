// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/// Makes a class of tests one that the program of all views' tests runs when asked for it by the source's name. Each
/// runs in a process of its own; see tst_views.cpp.in.
#define VIEW_TEST(name, Class)                                                                                         \
    int name(const QStringList &arguments)                                                                             \
    {                                                                                                                  \
        Class tests;                                                                                                   \
        return QTest::qExec(&tests, arguments);                                                                        \
    }
