// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline.h"

#include "core/run/timing.h"
#include "views/parts/clear_button.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/session/analysing.h"
#include "views/session/running/opened_trace.h"
#include "views/session/session.h"
#include "views/timeline/lanes.h"
#include "views/timeline/trace_lanes.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>

namespace cutaway::views {
namespace {

/// The view Timeline, with the lanes of a profile or those of a trace.
class TimelineView : public QWidget {
public:
    TimelineView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_analysing(session.analysing()),
          m_title(new QLabel(this)),
          m_search(new QLineEdit(this)),
          m_found(new QLabel(this)),
          m_fit(new QToolButton(this)),
          m_stack(new QStackedWidget(this)),
          m_lanes(new Lanes(session, this)),
          m_trace(new TraceLanes(session, this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        m_title->setTextFormat(Qt::PlainText);
        m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(m_fit, &QToolButton::clicked, this, [this] { shownPlot()->fit(); });
        makeSearch();
        for (TimePlot *plot : {static_cast<TimePlot *>(m_lanes), static_cast<TimePlot *>(m_trace)}) {
            m_stack->addWidget(plot);
            connect(plot, &TimePlot::rangeChanged, this, [this] { tell(); });
        }
        auto *row = new QHBoxLayout;
        row->setContentsMargins(12, 4, 8, 4);
        row->setSpacing(12);
        row->addWidget(m_title, 1);
        row->addWidget(m_found);
        row->addWidget(m_search);
        row->addWidget(m_fit);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(row);
        column->addWidget(m_stack, 1);
        setFocusProxy(m_lanes);
        connect(&session.analysing(), &Analysing::figuresChanged, m_content, &WhenSeen::refresh);
        tell();
    }

protected:
    /// Selects the next match when Enter is pressed, and with Shift the previous one.
    bool eventFilter(QObject *, QEvent *event) override
    {
        const auto *key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent *>(event) : nullptr;
        if (!key || (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter))
            return false;
        m_trace->goToHit(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
        tellFound();
        return true;
    }

private:
    void makeSearch()
    {
        m_search->setPlaceholderText(tr("Find events"));
        m_search->setAccessibleName(tr("Find events"));
        m_search->setToolTip(tr("Part of the name of an event or of its node; Enter goes to the next one"));
        m_search->setFixedWidth(180);
        addClearButton(*m_search);
        m_search->installEventFilter(this);
        m_found->setForegroundRole(QPalette::PlaceholderText);
        connect(m_search, &QLineEdit::textChanged, m_trace, &TraceLanes::search);
        connect(m_trace, &TraceLanes::hitsChanged, this, [this] { tellFound(); });
    }

    TimePlot *shownPlot() const { return static_cast<TimePlot *>(m_stack->currentWidget()); }

    void fill()
    {
        m_lanes->fill();
        m_trace->fill();
        m_stack->setCurrentWidget(m_trace->trace() ? static_cast<QWidget *>(m_trace) : m_lanes);
        setFocusProxy(m_stack->currentWidget());
        tell();
    }

    void tellFound()
    {
        const auto &hits = m_trace->hits();
        m_found->setVisible(hits.has_value());
        if (!hits)
            return;
        const auto &found = hits->all;
        const QString all = counted(std::ssize(found), "event", "events");
        const auto chosen = m_trace->chosen();
        const auto place = chosen ? std::ranges::lower_bound(found, *chosen) : found.end();
        const bool isFound = place != found.end() && *place == chosen;
        m_found->setText(isFound ? tr("%1 of %2").arg(place - found.begin() + 1).arg(all) : all);
    }

    void tell()
    {
        const bool isTrace = m_trace->trace() != nullptr;
        const Figures *figures = m_analysing.figures().get();
        const auto timing = figures ? figures->times().timing() : nullptr;
        m_search->setVisible(isTrace);
        m_found->setVisible(isTrace && m_trace->hits());
        m_fit->setVisible(isTrace || (timing && timing->sum()));
        m_fit->setText(isTrace ? tr("Whole trace") : tr("Whole run"));
        m_fit->setToolTip(isTrace ? tr("Show the whole trace (0)") : tr("Show the whole run (0)"));
        if (isTrace)
            return tellTrace(*m_trace->trace());
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

    void tellTrace(const OpenedTrace &trace)
    {
        const auto [from, to] = m_trace->range();
        m_title->setText(
            tr("%1   ·   shown: %2, from %3").arg(trace.linkedText(), secondsText(to - from), secondsText(from)));
        m_title->setToolTip(toolTipText(
            (QStringList(tr("Wheel: zoom; drag: move; double-click: show one event or iteration. Hatched events belong "
                            "to no node."))
             + trace.remarks())
                .join('\n')));
    }

    Analysing &m_analysing;
    QLabel *m_title;
    QLineEdit *m_search;
    QLabel *m_found;
    QToolButton *m_fit;
    QStackedWidget *m_stack;
    Lanes *m_lanes;
    TraceLanes *m_trace;
    WhenSeen *m_content;
};

} // namespace

QWidget *makeTimelineView(Session &session, QWidget *parent) { return new TimelineView(session, parent); }

} // namespace cutaway::views
