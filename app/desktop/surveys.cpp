// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"
#include "app/desktop/recent_files.h"
#include "views/session/session.h"
#include "views/survey/survey.h"

#include <QFileInfo>
#include <QStackedWidget>

namespace cutaway::desktop {

/// Without a path the page that there was, as the user left it.
void MainWindow::showSurvey(const QString &path)
{
    m_opening.cancel();
    m_openingOther.cancel();
    leaveModel();
    if (!path.isEmpty()) {
        if (m_survey)
            m_survey->deleteLater(); // it may be the caller
        m_survey = nullptr;          // so that setCentre() does not keep it
        QWidget *page = views::makeSurveyPage(path,
                                              {[this](const QString &model) { open(model); },
                                               [this](const QString &a, const QString &b) { openTwo(a, b); },
                                               [this] { emit surveyShown(); }},
                                              m_centre);
        page->setProperty("path", path);
        setCentre(page);
        m_survey = page;
        noteOpened(*m_settings, path);
    } else {
        setCentre(m_survey);
    }
    m_backToSurvey->setEnabled(false);
    m_path = m_survey->property("path").toString();
    setWindowTitle(tr("%1 — Cutaway").arg(QFileInfo(m_path).fileName()));
    m_survey->setFocus();
}

/// The second one as soon as the first is there; if that cannot be opened its page says so.
void MainWindow::openTwo(const QString &first, const QString &second)
{
    auto *once = new QObject(this);
    connect(this, &MainWindow::opened, once, [this, once, first, second] {
        once->deleteLater();
        if (m_path == first)
            compareWith(second);
    });
    connect(this, &MainWindow::openingFailed, once, &QObject::deleteLater);
    open(first);
}

} // namespace cutaway::desktop
