// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/stepping.h"

#include "core/base/result.h"
#include "core/layout/states.h"
#include "core/passes/proof/bisect.h"
#include "core/request/run_inputs.h"
#include "core/run/number_check.h"
#include "views/parts/text.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/running/run_setup.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cutaway::views {
namespace {

using MakeCheck = std::function<Result<passes::NumberCheck>(const passes::History &, const Task &)>;

/// Returns a function that makes the check, to be called on another thread; an empty one for NumberCheck::None.
MakeCheck checkBy(Stepping::NumberCheck check, const RunSetup &setup)
{
    if (check == Stepping::NumberCheck::None)
        return {};
    if (check == Stepping::NumberCheck::Evaluator)
        return [](const passes::History &history, const Task &task) {
            return passes::NumberCheck::of(*history.modelAfter(0), history.function(), history.given(), task);
        };
    return [find = setup.choices().find, settings = setup.settings()](const passes::History &history,
                                                                      const Task &task) -> Result<passes::NumberCheck> {
        const ir::Model &model = *history.modelAfter(0);
        CUTAWAY_TRY(auto chosen, request::runInputs(model, history.function(), history.given(), {}, settings.seed));
        CUTAWAY_TRY(auto backend,
                    find ? find(settings) : std::unexpected(Error{ErrorKind::Usage, "no backend is available", {}}));
        return run::numberCheck(std::move(backend), {model, history.function(), std::nullopt}, std::move(chosen.inputs),
                                task);
    };
}

/// Sets what checks the numbers of a history. Returns why there is no check although one was asked for, or "".
QString setCheck(passes::History &history, const MakeCheck &make, const Task &task)
{
    history.checkNumbers(nullptr);
    if (!make)
        return {};
    auto check = make(history, task);
    if (!check)
        return QObject::tr("Could not check the results: %1.").arg(shown(check.error().text()));
    history.checkNumbers(std::make_shared<const passes::NumberCheck>(std::move(*check)), task);
    return {};
}

QString outcomeOf(const Result<std::optional<std::size_t>> &bad, double tolerance)
{
    if (!bad)
        return QObject::tr("Could not compare the results: %1.").arg(shown(bad.error().text()));
    return (*bad ? QObject::tr("Results differ by more than %1, or cannot be computed, from this step on.")
                 : QObject::tr("No step changes the results by more than %1."))
        .arg(tolerance);
}

/// Reads the recorded steps that have not been read. In between, `hand` gets the history with the steps so far: first
/// at once, then at intervals that grow with the time that handing over takes, since that is O(steps).
void readRest(passes::History &history, const Task &task,
              const std::function<void(std::shared_ptr<const passes::History>)> &hand)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds least{100};
    constexpr int share = 4; // the interval is at least four times as long as handing over takes
    Clock::time_point next = Clock::now();
    while (!history.unread().empty() && !task.stopRequested()) {
        history.readNext(task);
        const auto began = Clock::now();
        if (began < next || task.stopRequested())
            continue;
        hand(std::make_shared<const passes::History>(history));
        const auto ended = Clock::now();
        next = ended + std::max<Clock::duration>(least, share * (ended - began));
    }
}

std::shared_ptr<const ir::Model> inOne(const passes::History &history)
{
    std::vector<std::shared_ptr<const ir::Model>> states;
    for (std::size_t i = 0; i <= history.steps().size(); ++i) {
        const bool isDivision = i > 0 && history.steps()[i - 1].isDivision();
        if (!isDivision && (states.empty() || states.back() != history.modelAfter(i)))
            states.push_back(history.modelAfter(i));
    }
    return std::make_shared<const ir::Model>(layout::allStates(states, history.function()));
}

/// Whether next() may stop at a position. For a step that has not been read, it is only known whether its text differs
/// from the one before.
bool isStop(const Stepping &stepping, std::size_t position)
{
    if (!stepping.display().skipsUnchanged())
        return true;
    const std::size_t read = stepping.count();
    return position > read ? stepping.history()->unread()[position - read - 1].text == passes::Recorded::Text::Other
                           : stepping.changes().isSeen(position - 1);
}

} // namespace

Stepping::Stepping(Document &document, Navigation &navigation, const RunSetup &setup)
    : m_document(document),
      m_navigation(navigation),
      m_setup(setup),
      m_chosen(document)
{
    connect(&m_work, &LatestWork::busyChanged, this, &Stepping::runningChanged);
    connect(&document, &Document::givenChanged, this, &Stepping::startAnew);
    connect(&m_chosen, &ChosenPasses::pipelineChanged, this, [this] {
        if (m_function && !isRecorded())
            run();
    });
    connect(&m_display, &StepDisplay::scopeChanged, this, [this] { m_changes = {m_history, m_display.scope()}; });
    connect(&m_display, &StepDisplay::placesChanged, this, [this] { show(); });
    connect(&m_display, &StepDisplay::focusChanged, this, [this] {
        if (m_display.focusesChanges())
            m_navigation.openMarked();
    });
    connect(&m_display, &StepDisplay::changed, this, &Stepping::viewChanged);
}

const passes::Step *Stepping::step() const { return m_position == 0 ? nullptr : &m_history->steps()[m_position - 1]; }

void Stepping::show(std::shared_ptr<const passes::History> recorded)
{
    m_recorded = std::move(recorded);
    m_historysCheck = NumberCheck::None;
    if (m_recorded->function() == m_document.functionId())
        begin();
}

/// Shows the first of the recorded steps, and reads those that are not read yet.
void Stepping::begin()
{
    discard();
    m_history = m_recorded;
    m_changes = {m_history, m_display.scope()};
    m_position = 0;
    emit stepsChanged();
    show();
    read();
}

void Stepping::run()
{
    if (isRecorded())
        return m_history ? read() : void();
    m_function = m_document.functionId();
    const bool isOther = m_numberCheck != m_historysCheck || !m_history;
    m_work.request([this, known = m_history, pipeline = m_chosen.pipeline(), model = m_document.models().given,
                    function = m_document.functionId(), given = m_document.givenValues(), isOther, kind = m_numberCheck,
                    makeCheck = checkBy(m_numberCheck, m_setup)](const std::stop_token &stop) -> LatestWork::Finish {
        auto history = known ? std::make_shared<passes::History>(*known)
                             : std::make_shared<passes::History>(model, function, given);
        const Task task{stop, {}};
        const QString problem = isOther ? setCheck(*history, makeCheck, task) : QString();
        history->run(pipeline, task);
        auto all = inOne(*history);
        const NumberCheck check = problem.isEmpty() ? kind : NumberCheck::None;
        return [this, problem, check, all = std::move(all), history = std::move(history)] {
            finish(history, all, check);
            if (!problem.isEmpty())
                emit message(problem);
        };
    });
}

/// Sets the chosen check of numbers for the recorded steps, if it has changed, and reads the remaining steps.
void Stepping::read()
{
    const bool isOther = m_numberCheck != m_historysCheck;
    m_work.request([this, known = m_history, isOther, kind = m_numberCheck,
                    makeCheck = checkBy(m_numberCheck, m_setup)](const std::stop_token &stop) -> LatestWork::Finish {
        auto history = std::make_shared<passes::History>(*known);
        const Task task{stop, {}};
        const QString problem = isOther ? setCheck(*history, makeCheck, task) : QString();
        const NumberCheck check = problem.isEmpty() ? kind : NumberCheck::None;
        readRest(*history, task, [&](std::shared_ptr<const passes::History> part) {
            m_work.hand(stop, [this, part, all = inOne(*part), check] { take(part, all, check); });
        });
        const auto all = inOne(*history);
        return [this, problem, check, all, history = std::move(history)] {
            finish(history, all, check);
            if (!problem.isEmpty())
                emit message(problem);
        };
    });
}

void Stepping::setNumberCheck(NumberCheck check)
{
    m_numberCheck = check;
    if (m_history)
        run();
    emit viewChanged();
}

void Stepping::bisect(double tolerance)
{
    if (!m_history)
        return;
    if (!m_history->unread().empty()) {
        if (!isRunning())
            read();
        return emit message(tr("Not all steps are read yet."));
    }
    const auto makeCheck =
        checkBy(m_numberCheck == NumberCheck::None ? NumberCheck::Evaluator : m_numberCheck, m_setup);
    m_work.request(
        [this, history = m_history, tolerance, makeCheck](const std::stop_token &stop) -> LatestWork::Finish {
            const Task task{stop, {}};
            const auto check = makeCheck(*history, task);
            const auto isGood = [&](const ir::Model &state) { return check->isWithin(tolerance, state, task); };
            const auto bad = check ? passes::firstBadStep(*history, isGood) : std::unexpected(check.error());
            return [this, bad, tolerance] {
                if (bad && *bad)
                    goTo(**bad);
                emit message(outcomeOf(bad, tolerance));
            };
        });
}

/// Clears the steps, since another model or other inputs need others, and runs the passes again for the same function.
/// The old steps go at once, since a view must not show a step that is being replaced.
void Stepping::startAnew()
{
    if (isRecorded())
        return takeRecorded();
    if (!m_function)
        return;
    const bool sameFunction = m_function == m_document.functionId();
    const ir::ScopeId scope = m_display.scope();
    clear();
    if (!sameFunction)
        return;
    m_display.setScope(scope);
    run();
}

/// Shows the recorded steps for their own function, and none for others. They do not depend on the given inputs.
void Stepping::takeRecorded()
{
    const bool sameFunction = m_recorded->function() == m_document.functionId();
    if (sameFunction) {
        if (!m_history)
            begin();
        return;
    }
    m_work.cancel(); // the work may be reading further steps
    if (m_history)
        showNone();
}

void Stepping::discard()
{
    m_function.reset();
    m_history.reset();
    m_changes = {};
    m_all = m_drawn = {};
    m_awaited.reset();
}

/// Takes over a history to which further recorded steps were added.
void Stepping::take(std::shared_ptr<const passes::History> history, std::shared_ptr<const ir::Model> all,
                    NumberCheck check)
{
    m_historysCheck = check;
    m_recorded = m_history = std::move(history);
    m_all = {std::move(all), count()};
    m_changes.extend(m_history);
    emit stepsChanged();
    goToAwaited();
}

void Stepping::finish(std::shared_ptr<const passes::History> history, std::shared_ptr<const ir::Model> all,
                      NumberCheck check)
{
    const bool isFirst = !m_history;
    m_historysCheck = check;
    m_history = std::move(history);
    m_all = m_drawn = {std::move(all), count()};
    m_changes = {m_history, m_display.scope()};
    if (isRecorded())
        m_recorded = m_history; // with the result of the number check
    m_position = isFirst ? m_changes.countSeen() : std::min(m_position, count());
    emit stepsChanged();
    show();
    goToAwaited();
}

void Stepping::stop()
{
    m_work.cancel();
    if (!m_history)
        m_function.reset();
    if (std::exchange(m_awaited, std::nullopt))
        emit positionChanged();
}

void Stepping::clear()
{
    if (isRecorded())
        return goTo(0);
    m_work.cancel();
    showNone();
}

void Stepping::showNone()
{
    discard();
    m_position = 0;
    emit stepsChanged();
    m_display.setScope({});
    show();
}

void Stepping::goTo(std::size_t position)
{
    const bool wasAwaiting = std::exchange(m_awaited, std::nullopt).has_value();
    position = std::min(position, total());
    if (position > count()) {
        m_awaited = position;
        if (!isRunning())
            read(); // continues the reading that was stopped
    } else if (position != m_position) {
        m_position = position;
        return show();
    }
    if (wasAwaiting || m_awaited)
        emit positionChanged();
}

void Stepping::goToAwaited()
{
    if (m_awaited && *m_awaited <= count())
        goTo(*m_awaited);
}

void Stepping::show()
{
    if (m_position > m_drawn.until)
        m_drawn = m_all;
    const auto all = m_display.holdsPlaces() ? m_drawn.model : nullptr;
    if (m_position == 0)
        m_document.show({m_document.models().file, nullptr, all});
    else if (step()->isDivision())
        m_document.show({m_history->modelAfter(m_position), nullptr, nullptr});
    else
        m_document.show({m_history->modelAfter(m_position), m_history->modelAfter(m_position - 1), all});
    if (m_display.focusesChanges())
        m_navigation.openMarked();
    emit positionChanged();
}

bool Stepping::next()
{
    std::size_t at = m_position + 1;
    while (at <= total() && !isStop(*this, at))
        ++at;
    if (at > total())
        return false;
    goTo(at);
    return true;
}

bool Stepping::previous()
{
    if (m_position == 0)
        return false;
    std::size_t at = m_position - 1;
    while (at > 0 && m_display.skipsUnchanged() && !m_changes.isSeen(at - 1))
        --at;
    goTo(at);
    return true;
}

} // namespace cutaway::views
