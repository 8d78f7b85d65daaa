// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/pages.h"
#include "app/desktop/panes/panes.h"
#include "app/desktop/recent_files.h"
#include "views/session/session.h"
#include "views/survey/survey.h"

namespace cutaway::desktop {

/// Opens a survey in a tab as a model has one; its models open in tabs of their own.
void Pages::openSurvey(const QString &path)
{
    m_survey = pageOf(path);
    if (m_survey)
        return m_panes->setCurrent(*m_survey);
    ModelPage &page = add(path, m_panes->active());
    m_survey = &page;
    page.setPage(views::makeSurveyPage(path,
                                       {[this](const QString &model) { open(model); },
                                        [this](const QString &a, const QString &b) { openTwo(a, b); },
                                        [this] { emit surveyShown(); }},
                                       &page));
    noteOpened(m_settings, path);
    m_panes->setCurrent(page);
    activate();
}

void Pages::showSurvey()
{
    if (m_survey)
        m_panes->setCurrent(*m_survey);
}

/// The second one as soon as the first is there; if that cannot be opened its page says so.
void Pages::openTwo(const QString &first, const QString &second)
{
    open(first);
    ModelPage *page = pageOf(first);
    if (page && page->session())
        page->openingOther().start(second);
    else if (page)
        page->wantedOther = second;
}

} // namespace cutaway::desktop
