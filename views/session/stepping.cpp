// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/stepping.h"

#include "core/passes/bisect.h"
#include "core/passes/number_check.h"
#include "views/parts/text.h"
#include "views/session/session.h"

#include <algorithm>

namespace cutaway::views {
namespace {

/// Why numbers are not checked, or "".
QString setCheck(passes::History &history, bool checks)
{
    if (checks == history.checksNumbers())
        return {};
    if (!checks) {
        history.checkNumbers(nullptr);
        return {};
    }
    auto check = passes::NumberCheck::of(history.modelAfter(0), history.function(), history.given());
    if (!check)
        return QObject::tr("The numbers cannot be checked: %1.").arg(shown(check.error().text()));
    history.checkNumbers(std::make_shared<const passes::NumberCheck>(std::move(*check)));
    return {};
}

} // namespace

Stepping::Stepping(Session &session) : m_session(session), m_pipeline(passes::defaultPipeline())
{
    connect(&m_work, &LatestWork::busyChanged, this, &Stepping::runningChanged);
    connect(&session, &Session::givenChanged, this, &Stepping::startAnew);
}

const passes::Step *Stepping::step() const { return m_position == 0 ? nullptr : &m_history->steps()[m_position - 1]; }

void Stepping::setPipeline(passes::Pipeline pipeline)
{
    if (pipeline == m_pipeline)
        return;
    m_pipeline = std::move(pipeline);
    emit pipelineChanged();
    if (m_history)
        run();
}

void Stepping::run()
{
    const auto known = m_history;
    m_work.request([this, known, pipeline = m_pipeline, model = m_session.givenModel(),
                    function = m_session.functionId(), given = m_session.givenValues(),
                    checks = m_checksNumbers](const std::stop_token &stop) -> LatestWork::Finish {
        auto history = known ? std::make_shared<passes::History>(*known)
                             : std::make_shared<passes::History>(model, function, given);
        const QString problem = setCheck(*history, checks);
        history->run(pipeline, Task{stop, {}});
        return [this, history = std::move(history), problem] {
            finish(history);
            if (!problem.isEmpty())
                emit told(problem);
        };
    });
}

void Stepping::setChecksNumbers(bool checks)
{
    m_checksNumbers = checks;
    if (m_history)
        run();
}

void Stepping::bisect(double tolerance)
{
    if (!m_history)
        return;
    m_work.request([this, history = m_history, tolerance](const std::stop_token &stop) -> LatestWork::Finish {
        const auto check = passes::NumberCheck::of(history->modelAfter(0), history->function(), history->given());
        const auto isGood = [&](const ir::Model &state) -> Result<bool> {
            if (stop.stop_requested())
                return cancelled();
            const auto error = check->largestError(state);
            return error ? Result<bool>(*error <= tolerance) : std::unexpected(error.error());
        };
        const auto bad = check ? passes::firstBadStep(*history, isGood) : std::unexpected(check.error());
        return [this, bad, tolerance] { tellBad(bad, tolerance); };
    });
}

void Stepping::tellBad(const Result<std::optional<std::size_t>> &bad, double tolerance)
{
    if (!bad) {
        emit told(tr("The numbers cannot be compared: %1.").arg(shown(bad.error().text())));
    } else if (!*bad) {
        emit told(tr("Every step keeps the results within %1.").arg(tolerance));
    } else {
        goTo(**bad);
        emit told(tr("From this step on the results differ by more than %1.").arg(tolerance));
    }
}

/// A model or inputs that are other ask for other steps.
void Stepping::startAnew()
{
    if (!m_history)
        return;
    m_work.cancel();
    const bool sameFunction = m_history->function() == m_session.functionId();
    m_history.reset();
    if (sameFunction)
        run();
    else
        clear();
}

void Stepping::finish(std::shared_ptr<const passes::History> history)
{
    const bool isFirst = !m_history;
    m_history = std::move(history);
    m_position = isFirst ? lastChange() : std::min(m_position, m_history->steps().size());
    emit stepsChanged();
    show();
}

std::size_t Stepping::lastChange() const
{
    std::size_t at = count();
    while (at > 0 && !m_history->steps()[at - 1].isChange)
        --at;
    return at;
}

void Stepping::stop() { m_work.cancel(); }

void Stepping::clear()
{
    m_work.cancel();
    m_history.reset();
    m_position = 0;
    emit stepsChanged();
    show();
}

void Stepping::goTo(std::size_t position)
{
    position = std::min(position, count());
    if (position == m_position)
        return;
    m_position = position;
    show();
}

void Stepping::show()
{
    if (m_position == 0)
        m_session.showState({m_session.sharedFileModel()});
    else
        m_session.showState({m_history->modelAfter(m_position), m_history->modelAfter(m_position - 1)});
    if (m_focusesChanges)
        m_session.openMarked();
    emit positionChanged();
}

bool Stepping::next()
{
    std::size_t at = m_position + 1;
    while (at < count() && m_skipsUnchanged && !m_history->steps()[at - 1].isChange)
        ++at;
    if (at > count() || (m_skipsUnchanged && !m_history->steps()[at - 1].isChange))
        return false;
    goTo(at);
    return true;
}

bool Stepping::previous()
{
    if (m_position == 0)
        return false;
    std::size_t at = m_position - 1;
    while (at > 0 && m_skipsUnchanged && !m_history->steps()[at - 1].isChange)
        --at;
    goTo(at);
    return true;
}

void Stepping::setView(View view)
{
    if (view == m_view)
        return;
    m_view = view;
    emit viewChanged();
}

void Stepping::setSkipsUnchanged(bool skips)
{
    m_skipsUnchanged = skips;
    emit viewChanged();
}

void Stepping::setFocusesChanges(bool focuses)
{
    m_focusesChanges = focuses;
    if (focuses)
        m_session.openMarked();
    emit viewChanged();
}

} // namespace cutaway::views
