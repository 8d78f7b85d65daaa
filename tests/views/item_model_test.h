// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModelTester>

/// A model that breaks the rules of item models fails the test.
inline constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::QtTest;
