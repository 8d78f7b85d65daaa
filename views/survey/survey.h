// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace cutaway::views {

/// The window does these on behalf of the page.
struct SurveyActions {
    std::function<void(const QString &path)> open;
    std::function<void(const QString &first, const QString &second)> compare;
    std::function<void()> shown; ///< the database was read, or cannot be
};

/// The models of a survey's database: a page in place of the graph. They can be sorted, filtered by a query about
/// models, grouped and copied; Enter opens one, and two that are selected are compared.
QWidget *makeSurveyPage(const QString &path, const SurveyActions &actions, QWidget *parent);

} // namespace cutaway::views
