// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run/run.h"

#include "core/base/overloaded.h"
#include "views/appearance/theme.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/run/changes.h"
#include "views/run/profile_files.h"
#include "views/run/results.h"
#include "views/run/settings_form.h"
#include "views/run/trace_memory.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/document.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/session.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

namespace cutaway::views {
namespace {

constexpr int progressSteps = 1000;

QString doing(const Running::Busy &busy)
{
    if (busy.kind == Running::Kind::Trace || busy.kind == Running::Kind::SecondTrace)
        return QObject::tr("Opening the trace…");
    const QString kind = busy.kind == Running::Kind::Profile ? QObject::tr("Profiling") : QObject::tr("Running");
    return busy.what.isEmpty() ? kind + QStringLiteral("…") : QObject::tr("%1: %2…").arg(kind, busy.what);
}

class RunView : public QWidget {
public:
    RunView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_session(session),
          m_running(session.running()),
          m_run(new QPushButton(tr("Run"), this)),
          m_profile(new QPushButton(tr("Profile"), this)),
          m_stop(new QPushButton(tr("Stop"), this)),
          m_form(new SettingsForm(session, this)),
          m_state(new QLabel(this)),
          m_missing(new QLabel(this)),
          m_progress(new QProgressBar(this)),
          m_sheet(new PropertySheet(this))
    {
        setAutoFillBackground(true);
        setBackgroundRole(QPalette::Base);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeButtons());
        column->addWidget(m_form);
        column->addLayout(makeState());
        column->addWidget(m_sheet, 1);
        setFocusProxy(m_form); // a disabled button takes no focus
        connect(&m_running, &Running::stateChanged, this, [this] { followState(); });
        connect(&m_running.setup(), &RunSetup::changed, this, [this] { followState(); });
        connect(&m_running.setup(), &RunSetup::changed, m_form, [this] {
            m_form->fill();
            m_sheet->refill([this] { fill(); });
        });
        for (const auto change : {&Running::resultChanged, &Running::profileChanged, &Running::traceChangeChanged})
            connect(&m_running, change, this, [this] { fill(); });
        connect(&m_running.comparison(), &BaselineComparison::changed, this, [this] { fill(); });
        connect(&session.document(), &Document::functionChanged, this, [this] {
            m_form->fill();
            followState();
        });
        connect(&session.annotating(), &Annotating::changed, this, [this] { m_sheet->refill([this] { fill(); }); });
        for (const auto change : {&Analysing::figuresChanged, &Analysing::measuringChanged})
            connect(&session.analysing(), change, this, [this] { m_sheet->refill([this] { fill(); }); });
        followState();
        fill();
    }

private:
    QLayout *makeButtons()
    {
        auto *row = new QHBoxLayout;
        row->setContentsMargins(12, 8, 12, 4);
        row->setSpacing(8);
        connect(m_run, &QPushButton::clicked, this, [this] { m_running.start(Running::Kind::Run); });
        connect(m_profile, &QPushButton::clicked, this, [this] { m_running.start(Running::Kind::Profile); });
        connect(m_stop, &QPushButton::clicked, this, [this] { m_running.stop(); });
        m_stop->setToolTip(tr("Stop the run; a backend that does not respond is killed"));
        row->addWidget(m_profile);
        row->addWidget(m_run);
        row->addStretch();
        row->addWidget(m_stop);
        auto *more = new QToolButton(this);
        more->setText(QStringLiteral("⋯"));
        more->setToolTip(tr("More"));
        more->setAccessibleName(more->toolTip());
        more->setAutoRaise(true);
        more->setPopupMode(QToolButton::InstantPopup);
        more->setMenu(makeMoreMenu());
        row->addWidget(more);
        return row;
    }

    QMenu *makeMoreMenu()
    {
        auto *menu = new QMenu(tr("More"), this);
        menu->setToolTipsVisible(true);
        QAction *statistics =
            menu->addAction(tr("Run with statistics"), this, [this] { m_running.start(Running::Kind::Statistics); });
        statistics->setToolTip(tr("Takes statistics of all values, and finds the first NaN and the first infinity"));
        menu->addSeparator();
        menu->addAction(tr("Open profile…"), this, [this] { openProfile(m_session, window()); });
        QAction *save = menu->addAction(tr("Save profile…"), this, [this] { saveProfile(m_session, window()); });
        menu->addSeparator();
        QAction *keep =
            menu->addAction(tr("Use as baseline of later profiles"), this, [this] { m_running.comparison().keep(); });
        menu->addAction(tr("Compare with profile…"), this, [this] { compareProfile(m_session, window()); });
        QAction *end = menu->addAction(tr("End comparison"), this, [this] { m_running.comparison().end(); });
        menu->addSeparator();
        menu->addAction(tr("Clear results and times"), this, [this] { m_running.forget(); });
        connect(menu, &QMenu::aboutToShow, this, [this, statistics, save, keep, end] {
            statistics->setEnabled(!m_running.isBusy() && !m_running.setup().obstacle(Running::Kind::Statistics));
            save->setEnabled(m_running.profile() != nullptr);
            keep->setEnabled(m_running.profile() != nullptr);
            end->setEnabled(m_running.comparison().baseline().has_value());
        });
        return menu;
    }

    QLayout *makeState()
    {
        auto *column = new QVBoxLayout;
        column->setContentsMargins(12, 0, 12, 4);
        column->setSpacing(6);
        m_progress->setTextVisible(false);
        m_progress->setFixedHeight(4);
        for (const auto &[label, name] : {std::pair(m_state, tr("State")), std::pair(m_missing, tr("Missing"))}) {
            label->setWordWrap(true);
            label->setTextFormat(Qt::PlainText);
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
            label->setAccessibleName(name);
            column->addWidget(label);
        }
        m_state->setForegroundRole(QPalette::WindowText); // with its background the label would use the role Text
        m_missing->setForegroundRole(QPalette::PlaceholderText);
        column->addWidget(m_progress);
        return column;
    }

    void followButton(QPushButton &button, Running::Kind kind, const QString &what)
    {
        const auto reason = m_running.setup().obstacle(kind);
        button.setEnabled(!m_running.isBusy() && !reason);
        button.setToolTip(
            reason ? toolTipText(tr("%1 %2").arg(shown(m_running.setup().settings().backend), shown(*reason)).trimmed())
                   : what);
    }

    void followState()
    {
        followButton(*m_profile, Running::Kind::Profile, tr("Measure the time of each node"));
        followButton(*m_run, Running::Kind::Run, tr("Run the model and show its results"));
        m_profile->setDefault(m_profile->isEnabled());
        const auto *busy = std::get_if<Running::Busy>(&m_running.state());
        m_stop->setEnabled(busy != nullptr);
        m_progress->setVisible(busy != nullptr);
        if (busy) {
            m_progress->setRange(0, busy->total == 0 ? 0 : progressSteps);
            if (busy->total > 0)
                m_progress->setValue(int(double(busy->done) / double(busy->total) * progressSteps));
        }
        QPalette colors = palette();
        if (std::holds_alternative<Running::Failed>(m_running.state()))
            colors.setColor(QPalette::WindowText, errorColor(colors));
        m_state->setPalette(colors);
        m_state->setText(stateText());
        m_state->setVisible(!m_state->text().isEmpty());
        m_missing->setText(missingText());
        m_missing->setVisible(!m_missing->text().isEmpty());
    }

    QString missingText() const
    {
        QStringList sentences;
        for (const std::string &each : m_running.setup().missing())
            sentences << sentence(shown(each));
        if (!sentences.isEmpty())
            sentences << tr("Checked again automatically.");
        return sentences.join(' ').replace(QLatin1String(" /"), QLatin1String("\n/")); // lines break after a slash
    }

    QString stateText() const
    {
        return std::visit(
            Overloaded{[this](const Running::Idle &) { return shown(m_running.setup().choices().problem); },
                       [](const Running::Busy &busy) { return doing(busy); },
                       [this](const Running::Done &done) { return doneText(done.kind); },
                       [](const Running::Stopped &) { return tr("Stopped."); },
                       [](const Running::Failed &failed) { return sentence(shown(failed.error.text())); }},
            m_running.state());
    }

    QString doneText(Running::Kind kind) const
    {
        const auto seconds = [](double s) { return numberText(Quantity::Unit::Second, s); };
        if (kind == Running::Kind::Statistics && !m_running.result()->outputs.tensors)
            return tr("Statistics of an earlier session are shown.");
        if (kind == Running::Kind::Trace)
            return sentence(m_running.profile()->trace->linkedText());
        if (kind == Running::Kind::SecondTrace)
            return tr("Both traces are compared below.");
        return kind != Running::Kind::Profile
            ? tr("The run took %1; the results are below.").arg(seconds(m_running.result()->outputs.seconds))
            : tr("One run takes %1.").arg(seconds(m_running.profile()->timing->whole.median));
    }

    void fill()
    {
        m_sheet->clear();
        fillTraceChange(*m_sheet, m_session);
        fillProfile(*m_sheet, m_session);
        fillChanges(*m_sheet, m_session);
        fillTraceMemory(*m_sheet, m_session);
        fillNotFinite(*m_sheet, m_session);
        fillOutputs(*m_sheet, m_session);
        fillInputs(*m_sheet, m_session);
    }

    Session &m_session;
    Running &m_running;
    QPushButton *m_run, *m_profile, *m_stop;
    SettingsForm *m_form;
    QLabel *m_state;
    QLabel *m_missing; ///< how to install a missing backend
    QProgressBar *m_progress;
    PropertySheet *m_sheet;
};

} // namespace

QWidget *makeRunView(Session &session, QWidget *parent) { return new RunView(session, parent); }

} // namespace cutaway::views
