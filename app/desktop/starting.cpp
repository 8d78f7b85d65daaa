// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/starting.h"

#include "app/desktop/main_window.h"
#include "app/desktop/panes/panes.h"
#include "core/layout/found/found_parts.h"
#include "core/passes/pipeline.h"
#include "core/query/query.h"
#include "core/sequence/address.h"
#include "views/compilations/side_by_side.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/search/search.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QLineEdit>
#include <QTimer>
#include <QTreeView>
#include <algorithm>
#include <cstdio>

namespace cutaway::desktop {
namespace {

constexpr int betweenStepsMs = 20;
/// After how long recorded steps are shown although some are still being read.
constexpr int readingMs = 1000;

void complain(const QString &subject, const QString &what)
{
    std::fprintf(stderr, "cutaway: %s: %s\n", qPrintable(subject), qPrintable(what));
}

bool isStepping(const views::Stepping &stepping, bool isPatient)
{
    return stepping.isRecorded() ? stepping.isAwaiting() || (isPatient && stepping.isRunning()) : stepping.isRunning();
}

/// Whether a session is at work; with `isPatient`, also while recorded steps are still being read.
bool isUnderWay(views::Session &session, bool isPatient)
{
    const auto isUnseen = [](const views::Session &each) {
        return each.drawing().isBusy() || each.analysing().isBusy() || !each.drawing().diagram();
    };
    const views::Session *other = session.comparing().other();
    return isStepping(session.stepping(), isPatient) || session.comparing().isBusy() || session.running().isBusy()
        || session.searching().isWaiting() || isUnseen(session) || (other && isUnseen(*other));
}

bool isBusy(MainWindow &window, bool isPatient)
{
    const QList<ModelPage *> fronts = window.pages().panes().fronts();
    return window.isOpening()
        || std::ranges::any_of(window.findChildren<const views::SideBySideWindow *>(), &views::SideBySideWindow::isBusy)
        || std::ranges::any_of(fronts, [isPatient](const ModelPage *page) {
               return page->session() && isUnderWay(*page->session(), isPatient);
           });
}

/// Prints why a run of a kind has failed.
void complainOfFailure(Starting &starting, const views::Running &running, views::Running::Kind kind,
                       const QString &subject)
{
    QObject::connect(&running, &views::Running::stateChanged, &starting, [subject, kind, &running] {
        const auto *failed = std::get_if<views::Running::Failed>(&running.state());
        if (failed && failed->kind == kind)
            complain(subject, QString::fromStdString(failed->error.text()));
    });
}

/// Runs the model. `backend` is the one to run it with; "" for the one that is chosen.
void run(Starting &starting, MainWindow &window, const StartRequest &request, views::Running::Kind kind,
         const std::string &backend)
{
    views::Running &running = window.session()->running();
    views::RunSettings settings = running.setup().settings();
    settings.seconds = request.profileSeconds;
    if (!backend.empty())
        settings.backend = backend;
    running.setup().setSettings(settings);
    complainOfFailure(starting, running, kind, request.model);
    running.start(kind);
}

} // namespace

Starting::Starting(MainWindow &window, StartRequest request)
    : QObject(&window),
      m_window(window),
      m_request(std::move(request))
{
    const auto add = [this](const char *option, bool isAsked, auto act) {
        if (isAsked)
            m_steps.push_back({option, std::move(act)});
    };
    add("--bind", !m_request.bindings.empty(), [this] { give(); });
    add("--input", !m_request.inputs.empty() && m_request.bindings.empty(), [this] { give(); });
    add("--passes", m_request.passes.has_value(), [this] { runPasses(); });
    add("--step", m_request.passes || m_request.step, [this] { goToStep(); });
    add("--trace", !m_request.trace.isEmpty() && hasModel(), [this] { openTrace(); });
    add("--against", !m_request.against.isEmpty(), [this] { compareTrace(); });
    add("--profile", m_request.profile.has_value(), [this] { profile(); });
    add("--compare-with", !m_request.compareWith.isEmpty(), [this] { m_window.compareWith(m_request.compareWith); });
    add("--statistics", m_request.statistics.has_value(), [this] { takeStatistics(); });
    add("--data", !m_request.data.isEmpty(), [this] { openData(); });
    add("--show", !m_request.show.isEmpty(), [this] { show(); });
    add("--open-depth", m_request.openDepth.has_value(),
        [this] { m_window.session()->navigation().setDepth(*m_request.openDepth); });
    add("--select", !m_request.select.isEmpty(), [this] { select(); });
    add("--find", !m_request.find.isEmpty(), [this] { find(); });
    add("--beside", !m_request.beside.isEmpty() && (hasModel() || !m_request.trace.isEmpty()),
        [this] { m_window.pages().openBeside(m_request.beside); });
    connect(&window, &MainWindow::opened, this, &Starting::take, Qt::SingleShotConnection);
    connect(
        &window.pages(), &Pages::surveyShown, this,
        [this] {
            if (auto *filter = m_window.pages().current()->findChild<QLineEdit *>())
                filter->setText(m_request.find);
            emit ended(0);
        },
        Qt::SingleShotConnection);
    connect(
        &window, &MainWindow::openingFailed, this,
        [this](const QString &path, const Error &error) {
            complain(path, QString::fromStdString(error.text()));
            if (!m_page && !m_request.beside.isEmpty())
                m_window.pages().openBeside(m_request.beside);
            emit ended(3);
        },
        Qt::SingleShotConnection);
    connect(this, &Starting::ended, this, &QObject::deleteLater);
}

/// Whether a model is opened. A trace is then one of its runs; without a model the trace itself is opened like a model.
bool Starting::hasModel() const { return !m_request.model.isEmpty() || !m_request.row.isEmpty(); }

void Starting::start()
{
    if (m_request.colouring)
        m_window.setColouring(*m_request.colouring);
    const QString &first = !m_request.model.isEmpty() ? m_request.model
        : !m_request.trace.isEmpty()                  ? m_request.trace
                                                      : m_request.beside;
    if (!m_request.row.isEmpty())
        m_window.pages().open(rowOf(m_request.row));
    else if (first.isEmpty())
        emit ended(0);
    else if (m_request.isFollowed)
        m_window.pages().open(Source{.path = first, .isFollowed = true});
    else
        m_window.open(first);
}

void Starting::take()
{
    m_page = m_window.pages().current();
    if (m_request.colouring && std::holds_alternative<views::ByColumn>(*m_request.colouring) && m_window.session())
        m_window.setColouring(*m_request.colouring); // only now, since the column belongs to this model
    if (m_page->listed()) {
        chooseCompilation();
        if (!m_request.compareWith.isEmpty())
            m_window.compareWith(m_request.compareWith);
        tellIgnored();
    }
    next();
}

/// Reports the options that have no effect because the page only lists compilations.
void Starting::tellIgnored() const
{
    const QStringList ofListed{"--select", "--find", "--compare-with"};
    QStringList ignored;
    for (const Step &step : m_steps)
        if (!ofListed.contains(step.option))
            ignored << step.option;
    const auto &listed = *m_page->listed();
    const auto first =
        std::ranges::find_if(listed.sequences, [](const sequence::Sequence &each) { return !each.steps.empty(); });
    if (ignored.isEmpty() || first == listed.sequences.end())
        return;
    const auto at = static_cast<std::size_t>(first - listed.sequences.begin());
    const QString address = QString::fromStdString(sequence::addressOf(listed, at));
    complain(m_request.model,
             QStringLiteral("it holds several graphs, and %1 %2 of one: open one by its address, such as '%3'")
                 .arg(ignored.join(", "), ignored.size() == 1 ? "is" : "are", address));
}

/// Applies options to a list of compilations: `find` is its filter, and `select` the id of the compilation to select.
void Starting::chooseCompilation()
{
    m_page->findChild<QLineEdit *>()->setText(m_request.find);
    auto *list = m_page->findChild<QTreeView *>("compilations");
    const QModelIndexList chosen =
        list->model()->match(list->model()->index(0, 0), Qt::DisplayRole, m_request.select, 1, Qt::MatchExactly);
    if (!chosen.isEmpty())
        list->setCurrentIndex(chosen.front());
    else if (!m_request.select.isEmpty())
        complain(m_request.model, QStringLiteral("there is no compilation %1").arg(m_request.select));
}

void Starting::give()
{
    std::vector<std::string> bindings; // one text per binding, as the view Bindings gives them
    for (const std::string &text : m_request.bindings)
        for (const QString &binding : QString::fromStdString(text).split(','))
            bindings.push_back(binding.toStdString());
    const auto given = m_window.session()->document().give({bindings, m_request.inputs});
    if (!given)
        complain(m_request.model, QString::fromStdString(given.error().text()));
}

void Starting::runPasses()
{
    views::Stepping &stepping = m_window.session()->stepping();
    auto pipeline = m_request.passes->empty()
        ? Result<passes::Pipeline>(passes::defaultPipeline())
        : passes::parsePipeline(*m_request.passes, stepping.chosen().otherPasses());
    if (!pipeline)
        return complain(m_request.model, QString::fromStdString(pipeline.error().text()));
    stepping.chosen().setPipeline(std::move(*pipeline));
    stepping.run();
}

void Starting::goToStep()
{
    views::Stepping &stepping = m_window.session()->stepping();
    if (m_request.step)
        stepping.goTo(*m_request.step);
    stepping.display().setView(m_request.stepView);
    stepping.display().setFocusesChanges(m_request.onlyChanges);
}

/// Opens the table of node data, and colours the graph by it. Errors are printed to standard error.
void Starting::openData()
{
    const auto opened = m_window.session()->annotating().open(m_request.data);
    if (!opened)
        return complain(m_request.data, QString::fromStdString(opened.error().text()));
    if (!opened->isEmpty())
        complain(m_request.data, *opened);
    const auto data = m_window.session()->annotating().data();
    const auto *column = m_request.colouring ? std::get_if<views::ByColumn>(&*m_request.colouring) : nullptr;
    if (column && !m_window.session()->annotating().column(column->name))
        complain(m_request.data, QStringLiteral("there is no column %1").arg(views::shown(column->name)));
    else if (column || (!m_request.colouring && data))
        m_window.setColouring(column ? *column : views::ByColumn{data->columns.front().name});
}

void Starting::openTrace()
{
    complainOfFailure(*this, m_window.session()->running(), views::Running::Kind::Trace, m_request.trace);
    m_window.openTrace(m_request.trace);
}

void Starting::compareTrace()
{
    if (!m_window.session()->running().trace()) {
        if (m_request.trace.isEmpty())
            complain(m_request.against, QStringLiteral("no trace is open to compare it with"));
        return; // the reason why there is no first trace was printed before
    }
    complainOfFailure(*this, m_window.session()->running(), views::Running::Kind::SecondTrace, m_request.against);
    m_window.compareTrace(m_request.against);
}

void Starting::profile() { run(*this, m_window, m_request, views::Running::Kind::Profile, *m_request.profile); }

void Starting::takeStatistics()
{
    run(*this, m_window, m_request, views::Running::Kind::Statistics, *m_request.statistics);
}

void Starting::show()
{
    if (!m_window.showDock(m_request.show))
        complain(m_request.model, QStringLiteral("no view is named %1").arg(m_request.show));
}

void Starting::select()
{
    views::Session &session = *m_window.session();
    const std::string name = m_request.select.toStdString();
    if (const auto found = views::named(session.document().function(), name))
        return session.navigation().reveal(*found);
    query::Pattern pattern;
    pattern.add(name);
    const auto &outline = session.drawing().drawnOutline();
    if (const auto part = outline ? layout::partCalled(*outline, pattern) : std::nullopt)
        return session.navigation().reveal(*part);
    // If the diagram shows all nodes of the part side by side, the part has no box, and its nodes are searched for.
    const auto &named = session.drawing().namedOutline();
    if (named && layout::partCalled(*named, pattern))
        return session.searching().setText("in:" + views::shown(query::quotedName(name)));
    complain(m_request.model, QStringLiteral("nothing is named %1").arg(m_request.select));
}

void Starting::find()
{
    views::Searching &searching = m_window.session()->searching();
    searching.setText(m_request.find);
    if (searching.mistake())
        complain(m_request.model, searching.mistake()->message);
}

void Starting::next()
{
    const bool isThere = m_page && m_window.pages().current() == m_page;
    if (isThere && isBusy(m_window, m_waitedMs < readingMs)) {
        m_waitedMs += betweenStepsMs;
        QTimer::singleShot(betweenStepsMs, this, &Starting::next);
    } else if (isThere && m_page->session() && m_done < m_steps.size()) {
        m_steps[m_done++].act();
        QTimer::singleShot(betweenStepsMs, this, &Starting::next);
    } else {
        emit ended(0);
    }
}

} // namespace cutaway::desktop
