// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>
#include <functional>

class QWidget;

namespace cutaway::views {

/// Actions that the page asks its window for.
struct FailureActions {
    std::function<void()> browse; ///< asks for another file
    std::function<void()> retry;  ///< reads the file again
};

/// Makes the page for a file that could not be read: the cause, its position, and what the user can do.
QWidget *makeFailurePage(const QString &path, const Error &error, const QString &formats, const FailureActions &actions,
                         QWidget *parent);

} // namespace cutaway::views
