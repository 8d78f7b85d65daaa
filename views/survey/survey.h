// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace cutaway::views {

/// Actions that the page asks its window for.
struct SurveyActions {
    std::function<void(const QString &path)> open;
    std::function<void(const QString &first, const QString &second)> compare;
    std::function<void()> shown; ///< called when the database was read, or could not be read
};

/// Makes the page with the models of a survey's database, which stands in place of a graph. The models can be sorted,
/// filtered by a query about models, grouped and copied. Enter opens one, and two selected ones can be compared.
QWidget *makeSurveyPage(const QString &path, const SurveyActions &actions, QWidget *parent);

} // namespace cutaway::views
