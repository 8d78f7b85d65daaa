// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/session_state.h"

#include "core/analysis/known_devices.h"
#include "views/graph/canvas.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/annotations/run_statistics.h"
#include "views/session/bookmarks.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/running/trace_change.h"
#include "views/session/stepping.h"

#include <QFileInfo>
#include <algorithm>
#include <set>

namespace cutaway::desktop {
namespace {

std::string functionName(const ir::Model &model, ir::FunctionId function)
{
    return std::string(model.context->text(model.at(function).name));
}

std::optional<ir::FunctionId> functionNamed(const ir::Model &model, const std::string &name)
{
    for (std::uint32_t i = 0; i < model.functions.size(); ++i)
        if (functionName(model, {i}) == name)
            return ir::FunctionId{i};
    return {};
}

/// Returns the saved form of a selection, with its name in the first of these functions that contains it; nothing if
/// none does.
std::optional<SavedSubject> savedIn(std::initializer_list<const ir::Function *> functions,
                                    const views::Selection &selection)
{
    for (const ir::Function *function : functions)
        if (views::isThere(*function, selection))
            return savedSubject(*function, selection);
    return {};
}

void addView(SavedSession &state, const views::Session &session, const views::Canvas *canvas)
{
    const ir::Function &drawn = session.drawing().function();
    for (const layout::Subject &box : session.navigation().expansion().open)
        if (const auto saved = savedIn({&drawn}, views::toSelection(box)))
            state.open.push_back(*saved);
    for (const ops::Category category : session.navigation().hiddenCategories())
        state.hidden.emplace_back(ops::name(category));
    state.selected = savedIn({&drawn}, session.navigation().selection());
    if (canvas && canvas->picture())
        state.view = {canvas->sight().middle().x(), canvas->sight().middle().y(), canvas->viewport().zoom};
}

void addBookmarks(SavedSession &state, const views::Session &session)
{
    const views::Document &document = session.document();
    for (const views::Bookmark &bookmark : session.bookmarks().all())
        if (const auto saved =
                savedIn({&document.file().at(bookmark.function), &document.model().at(bookmark.function)},
                        views::toSelection(bookmark.subject)))
            state.bookmarks.push_back(
                {functionName(document.file(), bookmark.function), *saved, bookmark.note.toStdString()});
}

std::string absolute(const std::string &path)
{
    return QFileInfo(QString::fromStdString(path)).absoluteFilePath().toStdString();
}

void addTraces(SavedSession &state, const views::Session &session)
{
    if (const auto trace = session.running().trace())
        state.trace = absolute(trace->path);
    if (const auto change = session.running().traceChange())
        state.against = absolute(change->path);
}

std::optional<SavedSession::Times> timesOf(const views::Session &session)
{
    const auto profile = session.running().profile();
    if (!profile || profile->origin.function != session.document().functionId())
        return {};
    return SavedSession::Times{profile->json, profile->origin.how.toStdString(), profile->origin.given};
}

std::optional<SavedSession::Values> valuesOf(const views::Session &session)
{
    const auto &result = session.running().result();
    if (!result || !result->outputs.statistics || result->origin.function != session.document().functionId())
        return {};
    const views::RunStatistics &statistics = *result->outputs.statistics;
    return SavedSession::Values{statistics.json, statistics.errors, result->origin.how.toStdString(),
                                result->origin.given};
}

/// Sets the colouring, unless it is by times or by a column that the session does not have.
void colour(views::Session &session, const std::string &by)
{
    const auto colouring = views::parseColouring(by);
    const auto *column = colouring ? std::get_if<views::ByColumn>(&*colouring) : nullptr;
    const bool isMissing = column
        ? !session.annotating().column(column->name)
        : colouring == views::Colouring(views::Measure::Measured) && !session.running().profile();
    if (colouring && !isMissing)
        session.analysing().setColouring(*colouring);
}

/// Waits until the trace of a session is read. Then compares the trace with the second one, and sets the saved
/// colouring again, since opening a trace sets another. A colouring that the user chooses meanwhile is kept.
class AfterTrace : public QObject {
public:
    AfterTrace(const SavedSession &saved, views::Session &session)
        : QObject(&session.running()),
          m_session(session),
          m_against(QString::fromStdString(saved.against)),
          m_colouring(saved.colouring)
    {
        const auto follow = [this] { this->follow(); };
        connect(&session.running(), &views::Running::stateChanged, this, follow, Qt::QueuedConnection);
        connect(&session.analysing(), &views::Analysing::colouringChanged, this, [this] {
            if (m_session.running().isBusy())
                m_colouring = views::print(m_session.analysing().colouring());
        });
    }

private:
    void follow()
    {
        views::Running &running = m_session.running();
        if (running.isBusy())
            return;
        colour(m_session, m_colouring);
        if (const QString against = std::exchange(m_against, {}); running.trace() && QFileInfo::exists(against))
            running.compareTrace(against);
        else
            deleteLater();
    }

    views::Session &m_session;
    QString m_against;
    std::string m_colouring;
};

/// Restores a saved state in a session, part by part.
class SessionRestoring {
public:
    SessionRestoring(const SavedSession &saved, views::Session &session) : m_saved(saved), m_session(session) { }

    bool restoreFunction()
    {
        const ir::Model &file = m_session.document().file();
        const auto function = m_saved.function.empty() ? ir::FunctionId{0} : functionNamed(file, m_saved.function);
        if (!function || file.functions.empty()) {
            tell(QObject::tr("The function %1 of the session is not in this model.")
                     .arg(views::shown(m_saved.function)));
            m_unfit.rest = m_saved;
            return false;
        }
        m_session.document().setFunction(*function);
        return true;
    }

    void restoreTimes()
    {
        if (!m_saved.times)
            return;
        const SavedSession::Times &times = *m_saved.times;
        if (const auto done = m_session.running().restore(times.profile, views::shown(times.how), times.given); !done) {
            tell(QObject::tr("Measured times not restored: %1.").arg(views::shown(done.error().text())));
            m_unfit.rest.times = times;
        }
    }

    void restoreValues()
    {
        if (!m_saved.values)
            return;
        const auto &[run, errors, how, given] = *m_saved.values;
        if (const auto done = m_session.running().restoreStatistics(run, errors, views::shown(how), given); !done) {
            tell(QObject::tr("Statistics of values not restored: %1.").arg(views::shown(done.error().text())));
            m_unfit.rest.values = m_saved.values;
        }
    }

    void restoreGiven()
    {
        if (const auto done = m_session.document().give({m_saved.bindings, m_saved.inputs}); !done) {
            tell(QObject::tr("Sizes not restored: %1.").arg(views::shown(done.error().text())));
            m_unfit.rest.bindings = m_saved.bindings;
            m_unfit.rest.inputs = m_saved.inputs;
        }
    }

    void restoreData()
    {
        if (m_saved.data.empty() || m_saved.data == m_session.annotating().path().toStdString())
            return;
        if (const auto opened = m_session.annotating().open(QString::fromStdString(m_saved.data)); !opened) {
            tell(QObject::tr("Node data not restored: %1.").arg(views::shown(opened.error().text())));
            m_unfit.rest.data = m_saved.data;
        }
    }

    void restoreColouring() { colour(m_session, m_saved.colouring); }

    void restorePasses()
    {
        views::Stepping &stepping = m_session.stepping();
        if (stepping.recorded())
            return goToSavedStep();
        if (m_saved.pipeline.empty())
            return;
        auto pipeline = passes::parsePipeline(m_saved.pipeline, stepping.chosen().otherPasses());
        if (!pipeline) {
            tell(QObject::tr("Passes not restored: %1.").arg(views::shown(pipeline.error().text())));
            m_unfit.rest.pipeline = m_saved.pipeline;
            return;
        }
        stepping.chosen().setPipeline(std::move(*pipeline));
        goToSavedStep();
        if (m_saved.step)
            stepping.run();
    }

    /// Starts to read the trace; until it is read, the saved times are shown. A trace that is the model's file itself
    /// is opened with the model.
    void restoreTrace()
    {
        const QString path = QString::fromStdString(m_saved.trace);
        if (path.isEmpty())
            return;
        if (!QFileInfo::exists(path)) {
            tell(QObject::tr("The trace %1 was not found; the times that it had are shown.")
                     .arg(QFileInfo(path).fileName()));
            m_unfit.rest.trace = m_saved.trace;
            m_unfit.rest.against = m_saved.against;
            return;
        }
        new AfterTrace(m_saved, m_session); // the object deletes itself when the trace has been read
        if (QFileInfo(path) != QFileInfo(QString::fromStdString(m_session.document().file().path)))
            m_session.running().openTrace(path);
    }

    void restoreDevice()
    {
        if (m_saved.device.empty() || m_saved.device == m_session.analysing().device().id)
            return;
        if (const auto device = analysis::findDevice(m_saved.device))
            m_session.analysing().setDevice(*device);
        else
            tell(QObject::tr("Device not restored: %1.").arg(views::shown(device.error().text())));
    }

    void restoreBookmarks()
    {
        const ir::Model &file = m_session.document().file();
        std::vector<views::Bookmark> all;
        for (const SavedSession::Mark &mark : m_saved.bookmarks) {
            const auto function = functionNamed(file, mark.function);
            const auto selection = function ? found(file.at(*function), mark.subject) : std::nullopt;
            const auto subject = selection ? views::subjectOf(file.at(*function), *selection) : std::nullopt;
            if (subject)
                all.push_back({*function, *subject, QString::fromStdString(mark.note)});
            else
                m_unfit.rest.bookmarks.push_back(mark);
        }
        m_session.bookmarks().set(std::move(all));
        if (const auto lost = m_unfit.rest.bookmarks.size(); lost > 0)
            tell(QObject::tr(
                     "%1 of the session's bookmarks are on nothing that this model has; they stay in the session.")
                     .arg(lost));
    }

    void restoreView(views::Canvas *canvas)
    {
        const ir::Function &function = m_session.document().function();
        layout::Expansion expansion;
        for (const SavedSubject &box : m_saved.open)
            if (const auto there = found(function, box))
                if (const auto subject = views::subjectOf(function, *there))
                    expansion.open.insert(*subject);
        m_session.navigation().show(std::move(expansion));
        std::set<ops::Category> hidden;
        for (int i = 0; i < ops::categoryCount; ++i)
            if (const auto category = static_cast<ops::Category>(i);
                std::ranges::contains(m_saved.hidden, ops::name(category)))
                hidden.insert(category);
        m_session.navigation().setHiddenCategories(std::move(hidden));
        m_session.navigation().select(m_saved.selected ? found(function, *m_saved.selected).value_or(views::Selection{})
                                                       : views::Selection{});
        if (canvas && m_saved.view)
            canvas->lookAt({m_saved.view->x, m_saved.view->y}, m_saved.view->zoom);
    }

    Unfit take() { return std::move(m_unfit); }

private:
    void goToSavedStep()
    {
        views::Stepping &stepping = m_session.stepping();
        if (m_saved.step && stepping.isRecorded() && stepping.history())
            stepping.goTo(*m_saved.step);
        else if (m_saved.step)
            QObject::connect(
                &stepping, &views::Stepping::stepsChanged, &stepping,
                [&stepping, step = *m_saved.step] { stepping.goTo(step); }, Qt::SingleShotConnection);
    }

    void tell(const QString &problem) { m_unfit.problems << problem; }

    const SavedSession &m_saved;
    views::Session &m_session;
    Unfit m_unfit;
};

} // namespace

SavedSession stateOf(const views::Session &session, const views::Canvas *canvas)
{
    const views::Document &document = session.document();
    SavedSession state;
    if (document.file().functions.empty())
        return state;
    state.function = functionName(document.file(), document.functionId());
    addView(state, session, canvas);
    state.colouring = views::print(session.analysing().colouring());
    state.data = session.annotating().path().toStdString();
    if (const views::Session *other = session.comparing().other())
        state.compared = other->document().file().path;
    state.bindings = document.given().bindings;
    state.inputs = document.given().inputs;
    state.device = session.analysing().device().id;
    state.pipeline = passes::printPipeline(session.stepping().chosen().pipeline());
    if (session.stepping().history())
        state.step = session.stepping().position();
    addTraces(state, session);
    state.times = timesOf(session);
    state.values = valuesOf(session);
    addBookmarks(state, session);
    return state;
}

Unfit restore(const SavedSession &saved, views::Session &session, views::Canvas *canvas)
{
    SessionRestoring restoring(saved, session);
    if (restoring.restoreFunction()) {
        restoring.restoreTimes();
        restoring.restoreValues();
        restoring.restoreData();
        restoring.restoreColouring();
        restoring.restoreGiven();
        restoring.restorePasses();
        restoring.restoreTrace();
        restoring.restoreDevice();
        restoring.restoreBookmarks();
        restoring.restoreView(canvas);
    }
    return restoring.take();
}

void addRest(SavedSession &session, const SavedSession &rest)
{
    session.bookmarks.insert(session.bookmarks.end(), rest.bookmarks.begin(), rest.bookmarks.end());
    if (!rest.pipeline.empty() && session.pipeline == passes::printPipeline(passes::defaultPipeline()))
        session.pipeline = rest.pipeline;
    if (session.bindings.empty() && session.inputs.empty()) {
        session.bindings = rest.bindings;
        session.inputs = rest.inputs;
    }
    if (!session.times)
        session.times = rest.times;
    if (!session.values)
        session.values = rest.values;
    if (session.data.empty())
        session.data = rest.data;
    if (session.trace.empty()) {
        session.trace = rest.trace;
        session.against = rest.against;
    }
}

} // namespace cutaway::desktop
