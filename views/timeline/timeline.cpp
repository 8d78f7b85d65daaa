// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline.h"

#include "core/run/timing.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/session/analysing.h"
#include "views/session/session.h"
#include "views/timeline/lanes.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace cutaway::views {
namespace {

class TimelineView : public QWidget {
public:
    TimelineView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_analysing(session.analysing()),
          m_title(new QLabel(this)),
          m_fit(new QToolButton(this)),
          m_lanes(new Lanes(session, this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        m_title->setTextFormat(Qt::PlainText);
        m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        m_fit->setText(tr("Whole run"));
        m_fit->setToolTip(tr("Show the whole run (0)"));
        connect(m_fit, &QToolButton::clicked, m_lanes, &Lanes::fit);
        connect(m_lanes, &Lanes::rangeChanged, this, [this] { tell(); });
        auto *row = new QHBoxLayout;
        row->setContentsMargins(12, 4, 8, 4);
        row->setSpacing(12);
        row->addWidget(m_title, 1);
        row->addWidget(m_fit);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(row);
        column->addWidget(m_lanes, 1);
        setFocusProxy(m_lanes);
        connect(&session.analysing(), &Analysing::figuresChanged, m_content, &WhenSeen::refresh);
    }

private:
    void fill()
    {
        m_lanes->fill();
        tell();
    }

    void tell()
    {
        const Figures *figures = m_analysing.figures().get();
        const auto timing = figures ? figures->times().timing() : nullptr;
        m_fit->setVisible(timing && timing->sum());
        if (!timing)
            return m_title->setText(tr("No profile yet"));
        if (!timing->sum())
            return m_title->setText(tr("One run takes %1").arg(secondsText(timing->whole.median)));
        const auto [from, to] = m_lanes->range();
        m_title->setText(tr("One run takes %1   ·   its nodes %2   ·   shown: %3 of %4, from %5")
                             .arg(secondsText(timing->whole.median), secondsText(*timing->sum()),
                                  secondsText(to - from), secondsText(timing->instrumented.median), secondsText(from)));
        m_title->setToolTip(tr("Wheel: zoom; drag: move; double-click: show one box. A box is as long as the median "
                               "time of its node."));
    }

    Analysing &m_analysing;
    QLabel *m_title;
    QToolButton *m_fit;
    Lanes *m_lanes;
    WhenSeen *m_content;
};

} // namespace

QWidget *makeTimelineView(Session &session, QWidget *parent) { return new TimelineView(session, parent); }

} // namespace cutaway::views
