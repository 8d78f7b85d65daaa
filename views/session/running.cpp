// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running.h"

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/run/reopened.h"
#include "core/run/timing.h"
#include "core/run/values/saved_activations.h"
#include "views/parts/text.h"
#include "views/session/annotations/compared_model.h"
#include "views/session/annotations/run_statistics.h"
#include "views/session/document.h"
#include "views/session/running/opened_trace.h"
#include "views/session/running/run_order.h"

#include <QFileInfo>
#include <cassert>
#include <chrono>
#include <iterator>

namespace cutaway::views {

namespace {

/// Describes the settings of a run, which is all that is known of it before it starts.
QString settingsText(const RunSettings &settings)
{
    QString text = shown(settings.backend);
    if (settings.target != "local")
        text += QObject::tr(" on %1").arg(shown(settings.target));
    if (!settings.options.device.empty())
        text += QObject::tr(", device %1").arg(shown(settings.options.device));
    return text;
}

QString conditionsText(const protocol::Conditions &conditions)
{
    QStringList parts;
    for (const std::string &library : conditions.libraries)
        parts << shown(library);
    if (conditions.threads > 0)
        parts << counted(static_cast<long long>(conditions.threads), "thread", "threads");
    if (!conditions.optimization.empty())
        parts << QObject::tr("optimised: %1").arg(shown(conditions.optimization));
    if (!conditions.machine.processor.empty())
        parts << shown(conditions.machine.processor);
    if (!conditions.device.empty() && conditions.device != "cpu")
        parts << QObject::tr("device %1").arg(shown(conditions.device));
    if (conditions.accelerator && !conditions.accelerator->name.empty())
        parts << shown(conditions.accelerator->name);
    return parts.join(QStringLiteral(", "));
}

Result<std::string> fileText(const QString &path)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(path.toStdString()));
    const auto bytes = file.bytes();
    return std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

struct OpenedProfile {
    std::string json;
    run::SavedProfile saved;
    run::Reopened found;
};

/// Reads a saved profile of the file's model or, if that fits better, of the state that passes made.
Result<OpenedProfile> openedProfile(const QString &path, const Document &document)
{
    CUTAWAY_TRY(auto saved, run::readProfile(path.toStdString()));
    auto found = run::reopen(saved, document.file(), document.functionId());
    if (!found || !found->notes.empty())
        if (auto other = run::reopen(saved, document.model(), document.functionId());
            other && (!found || other->notes.size() < found->notes.size()))
            found = std::move(other);
    CUTAWAY_TRY(auto reopened, std::move(found));
    CUTAWAY_TRY(auto json, fileText(path));
    return OpenedProfile{std::move(json), std::move(saved), std::move(reopened)};
}

/// The least time between two reports on the progress of one step, since a person reads them.
constexpr auto progressPause = std::chrono::milliseconds(100);

} // namespace

Running::Running(Document &document) : m_document(document), m_setup(document), m_comparison(document)
{
    connect(&m_work, &LatestWork::busyChanged, this, &Running::ended);
    connect(&m_setup, &RunSetup::changed, this, &Running::dropObstacle);
}

/// Ends the state Failed if an obstacle caused it and the obstacle is gone.
void Running::dropObstacle()
{
    const auto *failed = std::get_if<Failed>(&m_state);
    if (failed && failed->isObstacle && !m_setup.obstacle(failed->kind))
        setState(Idle{});
}

std::vector<std::string> Running::givenTexts() const
{
    std::vector<std::string> texts = m_document.given().bindings;
    texts.insert(texts.end(), m_document.given().inputs.begin(), m_document.given().inputs.end());
    return texts;
}

std::shared_ptr<const run::Timing> Running::timing() const
{
    const bool isOfWhatIsShown =
        m_profile && m_profile->origin.function == m_document.functionId() && m_profile->origin.given == givenTexts();
    return isOfWhatIsShown ? m_profile->timing : nullptr;
}

std::shared_ptr<const OpenedTrace> Running::trace() const { return timing() ? m_profile->trace : nullptr; }

std::shared_ptr<const TraceChange> Running::traceChange() const { return trace() ? m_traceChange : nullptr; }

RunOrder Running::order(Kind kind) const
{
    RunOrder order{kind,
                   {},
                   m_document.models().file,
                   {},
                   m_document.givenValues().withoutTensors(),
                   m_setup.tensors(),
                   m_setup.choices().find};
    order.origin = {settingsText(m_setup.settings()), m_setup.settings(), m_document.withGiven(),
                    m_document.functionId(),          givenTexts(),       QString()};
    if (m_document.isFileShown() && !m_document.file().path.empty() && m_document.givenValues().replaced.empty())
        order.path = m_document.file().path;
    if (kind == Kind::Statistics && m_compared && m_compared->ofFirst->function == order.origin.function) {
        order.compared = m_compared;
        order.settingsOfCompared = m_setup.settings();
        const run::Offer *chosen = m_setup.offer();
        if (!chosen || run::obstacle(*chosen, *m_compared->second, m_compared->ofSecond->function))
            order.settingsOfCompared.backend = run::evaluatorName; // the evaluator runs all formats
    } else if (kind == Kind::Statistics && !m_setup.settings().reference.empty()
               && m_setup.settings().reference != m_setup.settings().backend) {
        order.reference = m_setup.settings();
        order.reference->backend = m_setup.settings().reference;
        order.reference->options.device.clear();
    }
    return order;
}

void Running::start(Kind kind)
{
    if (const auto reason = m_setup.obstacle(kind))
        return setState(Failed{kind, {ErrorKind::Usage, m_setup.settings().backend + " " + *reason, {}}, true});
    begin(order(kind));
}

void Running::openTrace(const QString &path, std::shared_ptr<const trace::Trace> recorded)
{
    RunOrder order = this->order(Kind::Trace);
    order.trace = path;
    order.recorded = std::move(recorded);
    begin(std::move(order));
}

void Running::compareTrace(const QString &path)
{
    RunOrder order = this->order(Kind::SecondTrace);
    order.trace = path;
    order.first = trace();
    assert(order.first);
    begin(std::move(order));
}

void Running::endTraceComparison()
{
    setTraceChange(nullptr);
    if (const auto *done = std::get_if<Done>(&m_state); done && done->kind == Kind::SecondTrace)
        setState(Idle{});
}

void Running::setTraceChange(std::shared_ptr<const TraceChange> change)
{
    if (m_traceChange == change)
        return;
    m_traceChange = std::move(change);
    emit traceChangeChanged();
}

void Running::begin(RunOrder order)
{
    setState(Busy{order.kind});
    m_work.request([this, order = std::move(order)](const std::stop_token &stop) mutable -> LatestWork::Finish {
        auto last = std::chrono::steady_clock::now() - progressPause;
        std::string step; // the name of the step that was reported last; a new step is reported at once
        const auto progress = [this, &last, &step](std::string_view what, std::uint64_t done, std::uint64_t total) {
            if (const auto now = std::chrono::steady_clock::now(); now - last >= progressPause || what != step) {
                last = now;
                step = what;
                QMetaObject::invokeMethod(this, [this, what = shown(what), done, total] { tell(what, done, total); });
            }
        };
        Result<Product> product = carryOut(order, Task{stop, progress});
        return [this, kind = order.kind, origin = std::move(order.origin), product = std::move(product)] {
            take(kind, origin, product);
        };
    });
}

void Running::stop() { m_work.cancel(); }

void Running::forget()
{
    m_result.reset();
    m_profile.reset();
    if (!isBusy())
        setState(Idle{});
    emit resultChanged();
    m_comparison.end();
    m_comparison.setProfile(nullptr);
    setTraceChange(nullptr);
    emit profileChanged();
}

void Running::tell(const QString &what, std::uint64_t done, std::uint64_t total)
{
    if (const auto *busy = std::get_if<Busy>(&m_state))
        setState(Busy{busy->kind, what, done, total});
}

void Running::take(Kind kind, const RunOrigin &origin, const Result<Product> &product)
{
    if (!product)
        return setState(Failed{kind, product.error()});
    if (const auto *outputs = std::get_if<RunOutputs>(&*product)) {
        m_result = std::make_shared<const RunResult>(origin, *outputs, m_result ? m_result->outputs.tensors : nullptr);
        setState(Done{kind});
        emit resultChanged();
        return;
    }
    if (const auto *change = std::get_if<std::shared_ptr<const TraceChange>>(&*product)) {
        setState(Done{kind});
        return setTraceChange(*change);
    }
    const auto &[timing, json, saved, trace] = std::get<TimedRun>(*product);
    RunProfile profile{origin, std::make_shared<const run::Timing>(timing),
                       std::make_shared<const run::SavedProfile>(saved), json};
    if (const QString how = conditionsText(timing.conditions); !how.isEmpty())
        profile.origin.how = how;
    if (trace) {
        profile.notes = QStringList(sentence(trace->linkedText())) + trace->remarks();
        profile.trace = trace;
    }
    setProfile(std::move(profile), kind);
}

void Running::setProfile(RunProfile profile, Kind kind)
{
    setTraceChange(nullptr); // the change belongs to the previous profile
    m_profile = std::make_shared<const RunProfile>(std::move(profile));
    setState(Done{kind});
    m_comparison.setProfile(m_profile->saved);
    emit profileChanged();
}

void Running::failUnless(const Result<void> &done, Kind kind)
{
    if (!done)
        setState(Failed{kind, done.error()});
}

void Running::setInputFile(ir::ValueId input, const QString &path)
{
    failUnless(m_setup.readInput(input, path), Kind::Run);
}

void Running::open(const QString &path)
{
    auto opened = openedProfile(path, m_document);
    if (!opened)
        return failUnless(std::unexpected(opened.error()));
    auto &[json, saved, found] = *opened;
    if (const auto given = m_document.give({{}, m_setup.withoutFixed(run::inputTexts(saved))}); !given)
        return failUnless(given);
    RunOrder order = this->order(Kind::Profile);
    order.origin.how = conditionsText(saved.timing.conditions);
    QStringList notes{tr("Opened from %1.").arg(QFileInfo(path).fileName())};
    for (const std::string &note : found.notes)
        notes << shown(note);
    setProfile({order.origin, std::make_shared<const run::Timing>(std::move(found.timing)),
                std::make_shared<const run::SavedProfile>(std::move(saved)), std::move(json), notes});
}

void Running::save(const QString &path) { failUnless(writeWholeFile(path.toStdString(), m_profile->json)); }

void Running::compareWith(const QString &path) { failUnless(m_comparison.read(path)); }

Result<void> Running::restore(const std::string &json, const QString &how, std::vector<std::string> given)
{
    CUTAWAY_TRY(auto saved, run::parseProfile(json));
    CUTAWAY_TRY(auto found, run::reopen(saved, m_document.file(), m_document.functionId()));
    RunOrder order = this->order(Kind::Profile);
    order.origin.how = how;
    order.origin.given = std::move(given);
    QStringList notes;
    for (const std::string &note : found.notes)
        notes << shown(note);
    setProfile({order.origin, std::make_shared<const run::Timing>(std::move(found.timing)),
                std::make_shared<const run::SavedProfile>(std::move(saved)), json, notes});
    return {};
}

Result<void> Running::restoreStatistics(const std::string &json, const std::string &errors, const QString &how,
                                        std::vector<std::string> given)
{
    const ir::Function &function = m_document.function();
    CUTAWAY_TRY(auto activations, run::parseActivations(json, function));
    auto statistics = std::make_shared<RunStatistics>();
    statistics->notFinite = run::notFinite(m_document.model(), m_document.functionId(), activations);
    statistics->columns = run::columnsOf(function, activations);
    if (!errors.empty()) {
        CUTAWAY_TRY(const auto table, node_data::parseTable(errors));
        std::ranges::move(node_data::dataOf(function, table).columns, std::back_inserter(statistics->columns));
    }
    statistics->json = json;
    statistics->errors = errors;
    statistics->activations = std::move(activations);
    RunResult result{order(Kind::Statistics).origin, {}};
    result.origin.how = how;
    result.origin.given = std::move(given);
    const run::Outcome &outcome = statistics->activations.outcome;
    result.outputs = {shown(outcome.backend), outcome.seconds, {}, nullptr, std::move(statistics)};
    m_result = std::make_shared<const RunResult>(std::move(result));
    setState(Done{Kind::Statistics});
    emit resultChanged();
    return {};
}

/// Sets the state Stopped if the work ended without a result, that is, while the state is still Busy.
void Running::ended()
{
    const auto *busy = std::get_if<Busy>(&m_state);
    if (busy && !m_work.isBusy())
        setState(Stopped{busy->kind});
}

void Running::setState(State state)
{
    m_state = std::move(state);
    emit stateChanged();
}

} // namespace cutaway::views
