// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>
#include <functional>

class QWidget;

namespace cutaway::views {

/// The window does these on behalf of the page.
struct FailureActions {
    std::function<void()> browse; ///< for another file
    std::function<void()> retry;  ///< reads the file again
};

/// The page in place of the graph for a file that could not be read: what is wrong, where, and what can be done.
QWidget *makeFailurePage(const QString &path, const Error &error, const QString &formats, const FailureActions &actions,
                         QWidget *parent);

} // namespace cutaway::views
