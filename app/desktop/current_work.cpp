// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/current_work.h"

#include "app/desktop/pages.h"
#include "app/desktop/status.h"
#include "views/session/analysing.h"
#include "views/session/comparing.h"
#include "views/session/drawing.h"
#include "views/session/running.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

namespace cutaway::desktop {

namespace {

QString activity(views::Running::Kind kind)
{
    switch (kind) {
    case views::Running::Kind::Trace:
    case views::Running::Kind::SecondTrace:
        return CurrentWork::tr("Opening the trace");
    case views::Running::Kind::Profile:
        return CurrentWork::tr("Profiling the model");
    case views::Running::Kind::Run:
    case views::Running::Kind::Statistics:
        break;
    }
    return CurrentWork::tr("Running the model");
}

} // namespace

CurrentWork::CurrentWork(Pages &pages, Status &status) : m_pages(pages), m_status(status)
{
    connect(&pages, &Pages::workChanged, this, &CurrentWork::show);
    connect(&pages, &Pages::progress, &status, &Status::progress);
}

void CurrentWork::follow(views::Session &session, QObject &context)
{
    const auto show = [this] { this->show(); };
    connect(&session.drawing(), &views::Drawing::busyChanged, &context, show);
    connect(&session.analysing(), &views::Analysing::busyChanged, &context, show);
    connect(&session.stepping(), &views::Stepping::runningChanged, &context, show);
    connect(&session.running(), &views::Running::stateChanged, &context, [this, &session, wasBusy = false]() mutable {
        const bool isBusy = session.running().isBusy();
        if (std::exchange(wasBusy, isBusy) != isBusy) // the steps of a run are shown by the Run page itself
            this->show();
    });
    const auto followOther = [&session, &context, show] { // the layout of the compared model is work, too
        if (const views::Session *other = session.comparing().other())
            connect(&other->drawing(), &views::Drawing::busyChanged, &context, show);
    };
    connect(&session.comparing(), &views::Comparing::otherChanged, &context, followOther);
    followOther();
}

void CurrentWork::show()
{
    ModelPage *page = m_pages.current();
    views::Session *session = page ? page->session() : nullptr;
    if (session && session->stepping().isRunning())
        m_status.begin(session->stepping().isRecorded() ? tr("Reading the steps") : tr("Running passes"),
                       [session] { session->stepping().stop(); });
    else if (session && session->analysing().isBusy())
        m_status.begin(tr("Analysing"), [session] { session->analysing().cancel(); });
    else if (session && session->drawing().isBusy())
        m_status.begin(tr("Laying out"), [session] { session->drawing().cancel(); });
    else if (const auto *busy = session ? std::get_if<views::Running::Busy>(&session->running().state()) : nullptr)
        m_status.begin(activity(busy->kind), [session] { session->running().stop(); });
    else if (ModelPage *opening = m_pages.opening())
        m_status.begin(tr("Opening %1").arg(opening->name()), [opening] {
            opening->opening().cancel();
            opening->openingOther().cancel();
        });
    else
        m_status.end();
}

} // namespace cutaway::desktop
