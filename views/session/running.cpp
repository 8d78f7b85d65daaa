// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running.h"

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/ir/node_ref.h"
#include "core/report/timing/run_report.h"
#include "core/request/given.h"
#include "core/request/run_inputs.h"
#include "core/request/written_model.h"
#include "core/run/reopened.h"
#include "core/run/tensor_file.h"
#include "core/run/timing.h"
#include "core/run/values/saved_activations.h"
#include "core/tensor/statistics.h"
#include "views/parts/text.h"
#include "views/session/annotations/compared_model.h"
#include "views/session/annotations/run_statistics.h"
#include "views/session/document.h"
#include "views/session/running/opened_trace.h"
#include "views/session/running/run_order.h"

#include <QFileInfo>
#include <algorithm>
#include <chrono>
#include <iterator>

namespace cutaway::views {

namespace {

/// Describes the settings: all that is known of a run before it starts.
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

std::vector<ir::Dim> dimsOf(const protocol::Tensor &tensor) { return {tensor.shape.begin(), tensor.shape.end()}; }

/// Whether nothing is left open of an input.
bool isFixed(const ir::TensorType *type)
{
    const auto isNumber = [](const ir::Dim &dim) { return std::holds_alternative<std::int64_t>(dim); };
    return type && type->dtype && type->shape && std::ranges::all_of(*type->shape, isNumber);
}

/// The least time between two reports on the progress of one step, which a person reads.
constexpr auto progressPause = std::chrono::milliseconds(100);

} // namespace

Running::Running(Document &document) : m_document(document)
{
    connect(&m_work, &LatestWork::busyChanged, this, &Running::ended);
    connect(&document, &Document::functionChanged, this, [this] { m_inputFiles.clear(); });
}

void Running::setChoices(RunChoices choices)
{
    const auto isSame = [](const RunChoices &a, const RunChoices &b) {
        return a.backends == b.backends && a.targets == b.targets && a.problem == b.problem;
    };
    const bool changes = !isSame(choices, m_choices);
    m_choices = std::move(choices);
    if (!changes)
        return;
    chooseBackend();
    dropObstacle();
    emit choicesChanged();
}

void Running::chooseBackend()
{
    const auto suits = [this](const run::Offer &offer) { return !obstacle(offer); };
    const auto &all = m_choices.backends;
    auto best = std::ranges::find(all, m_chosen, &run::Offer::name);
    if (best == all.end() || !suits(*best))
        best = std::ranges::find_if(all, suits);
    if (const std::string name = best == all.end() ? "" : best->name; name != m_settings.backend) {
        m_settings.backend = name;
        m_settings.options.device.clear();
        m_devices.forget();
    }
}

void Running::setSettings(RunSettings settings)
{
    if (settings.backend != m_settings.backend)
        m_chosen = settings.backend;
    const bool isElsewhere = settings.backend != m_settings.backend || settings.target != m_settings.target;
    if (isElsewhere)
        settings.options.device.clear();
    m_settings = std::move(settings);
    if (isElsewhere)
        m_devices.forget();
    dropObstacle();
    emit choicesChanged();
}

void Running::findDevices()
{
    if (m_choices.devices)
        m_devices.find([ask = m_choices.devices, settings = m_settings] { return ask(settings); });
}

/// Ends the state Failed that an obstacle has caused once the obstacle is gone.
void Running::dropObstacle()
{
    const auto *failed = std::get_if<Failed>(&m_state);
    if (failed && failed->isObstacle && !obstacle(failed->kind))
        setState(Idle{});
}

const run::Offer *Running::offer() const
{
    const auto found = std::ranges::find(m_choices.backends, m_settings.backend, &run::Offer::name);
    return found == m_choices.backends.end() ? nullptr : &*found;
}

std::optional<std::string> Running::obstacle(Kind kind) const
{
    const run::Offer *chosen = offer();
    if (!chosen)
        return "no backend is available";
    if (kind == Kind::Profile && !chosen->takesTimes)
        return "does not measure times";
    return obstacle(*chosen);
}

std::optional<std::string> Running::obstacle(const run::Offer &offer) const
{
    if (!isHere(offer))
        return "is not installed";
    return run::obstacle(offer, m_document.model(), m_document.functionId());
}

/// Whether a backend is installed. On other targets than this machine that is unknown before it is tried, and assumed.
bool Running::isHere(const run::Offer &offer) const
{
    return offer.absence.empty() || m_settings.target != plugin::Target().name;
}

std::vector<std::string> Running::missing() const
{
    const ir::Model &model = m_document.model();
    std::vector<std::string> sentences;
    bool takesTimes = false;
    for (const run::Offer &offer : m_choices.backends) {
        if (run::obstacle(offer, model, ir::FunctionId{0}))
            continue;
        if (isHere(offer))
            takesTimes |= offer.takesTimes;
        else if (!std::ranges::contains(sentences, offer.absence))
            sentences.push_back(offer.absence);
    }
    if (sentences.empty() && !takesTimes)
        sentences.push_back("there is no plugin that profiles " + model.format
                            + " models; 'cutaway-cli plugins' shows where plugins are searched for");
    return sentences;
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

RunOrder Running::order(Kind kind) const
{
    RunOrder order{
        kind, {}, m_document.models().file, {}, m_document.givenValues().withoutTensors(), tensors(), m_choices.find};
    order.origin = {settingsText(m_settings), m_settings,   m_document.withGiven(),
                    m_document.functionId(),  givenTexts(), QString()};
    if (m_document.isFileShown() && !m_document.file().path.empty() && m_document.givenValues().replaced.empty())
        order.path = m_document.file().path;
    if (kind == Kind::Statistics && m_compared && m_compared->ofFirst->function == order.origin.function) {
        order.compared = m_compared;
        order.settingsOfCompared = m_settings;
        const run::Offer *chosen = offer();
        if (!chosen || run::obstacle(*chosen, *m_compared->second, m_compared->ofSecond->function))
            order.settingsOfCompared.backend = run::evaluatorName; // which takes all formats
    } else if (kind == Kind::Statistics && !m_settings.reference.empty()
               && m_settings.reference != m_settings.backend) {
        order.reference = m_settings;
        order.reference->backend = m_settings.reference;
        order.reference->options.device.clear();
    }
    return order;
}

void Running::start(Kind kind)
{
    if (const auto reason = obstacle(kind))
        return setState(Failed{kind, {ErrorKind::Usage, m_settings.backend + " " + *reason, {}}, true});
    begin(order(kind));
}

void Running::openTrace(const QString &path)
{
    RunOrder order = this->order(Kind::Trace);
    order.trace = path;
    begin(std::move(order));
}

void Running::begin(RunOrder order)
{
    setState(Busy{order.kind});
    m_work.request([this, order = std::move(order)](const std::stop_token &stop) mutable -> LatestWork::Finish {
        auto last = std::chrono::steady_clock::now() - progressPause;
        std::string step; // a new one is told at once
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
    endComparison();
    emit profileChanged();
}

void Running::tell(const QString &what, std::uint64_t done, std::uint64_t total)
{
    if (const auto *busy = std::get_if<Busy>(&m_state))
        setState(Busy{busy->kind, what, done, total});
}

void Running::take(Kind kind, const Origin &origin, const Result<Product> &product)
{
    if (!product)
        return setState(Failed{kind, product.error()});
    if (const auto *outputs = std::get_if<Outputs>(&*product)) {
        m_result = std::make_shared<const RunResult>(origin, *outputs, m_result ? m_result->outputs.tensors : nullptr);
        setState(Done{kind});
        emit resultChanged();
        return;
    }
    const auto &[timing, json, saved, trace] = std::get<TimedRun>(*product);
    Profile profile{origin, std::make_shared<const run::Timing>(timing),
                    std::make_shared<const run::SavedProfile>(saved), json};
    if (const QString how = conditionsText(timing.conditions); !how.isEmpty())
        profile.origin.how = how;
    if (trace) {
        profile.notes = QStringList(sentence(trace->linkedText())) + trace->remarks();
        profile.trace = trace;
    }
    setProfile(std::move(profile), kind);
}

void Running::setProfile(Profile profile, Kind kind)
{
    m_profile = std::make_shared<const Profile>(std::move(profile));
    setState(Done{kind});
    setBaseline(m_baseline);
    emit profileChanged();
}

void Running::failUnless(const Result<void> &done, Kind kind)
{
    if (!done)
        setState(Failed{kind, done.error()});
}

ir::ValueRef Running::inFile(ir::ValueId input) const
{
    return {m_document.file().at(m_document.functionId()).graph, input};
}

run::GivenTensors Running::tensors() const
{
    run::GivenTensors tensors = m_document.givenValues().tensors;
    for (const auto &[input, file] : m_inputFiles)
        tensors.insert_or_assign(std::string(inFile(input).name()), file.tensor);
    return tensors;
}

void Running::setInputFile(ir::ValueId input, const QString &path) { failUnless(takeInput(input, path), Kind::Run); }

/// Sizes that the file of the model leaves open are given as if they were written in Bindings.
Result<void> Running::takeInput(ir::ValueId input, const QString &path)
{
    const ir::TensorType *type = inFile(input).tensorType();
    auto tensor = run::readTensor(path.toStdString(), type ? type->dtype : std::nullopt);
    if (!tensor) {
        tensor.error().where += (tensor.error().where.empty() ? "" : ", ") + path.toStdString();
        return std::unexpected(tensor.error());
    }
    const std::string name(inFile(input).name()), text = run::inputText({name, tensor->dtype, tensor->shape});
    if (isFixed(type) && (type->dtype != tensor->dtype || *type->shape != dimsOf(*tensor)))
        return std::unexpected(
            Error{ErrorKind::Usage, "the file has " + text + ", which does not match the type of the input", {}});
    GivenTexts given = m_document.given();
    std::erase_if(given.inputs, [&](const std::string &each) { return each.starts_with(name + "="); });
    if (!isFixed(type))
        given.inputs.push_back(text);
    if (auto done = m_document.give(given); !done)
        return done;
    m_inputFiles.insert_or_assign(input, InputFile{path, std::move(*tensor)});
    emit choicesChanged();
    return {};
}

void Running::setRandom(ir::ValueId input)
{
    m_inputFiles.erase(input);
    emit choicesChanged();
}

void Running::open(const QString &path) { failUnless(reopen(path)); }

void Running::save(const QString &path) { failUnless(writeWholeFile(path.toStdString(), m_profile->json)); }

void Running::compareWith(const QString &path) { failUnless(readBaseline(path)); }

Result<void> Running::reopen(const QString &path)
{
    CUTAWAY_TRY(auto saved, run::readProfile(path.toStdString()));
    auto found = run::reopen(saved, m_document.file(), m_document.functionId());
    if (!found || !found->notes.empty()) // it may be of what passes made
        if (auto other = run::reopen(saved, m_document.model(), m_document.functionId());
            other && (!found || other->notes.size() < found->notes.size()))
            found = std::move(other);
    if (!found)
        return std::unexpected(found.error());
    CUTAWAY_TRY(const std::string json, fileText(path));
    if (auto given = m_document.give({{}, openInputs(saved)}); !given)
        return given;
    RunOrder order = this->order(Kind::Profile);
    order.origin.how = conditionsText(saved.timing.conditions);
    QStringList notes{tr("Opened from %1.").arg(QFileInfo(path).fileName())};
    for (const std::string &note : found->notes)
        notes << shown(note);
    setProfile({order.origin, std::make_shared<const run::Timing>(std::move(found->timing)),
                std::make_shared<const run::SavedProfile>(std::move(saved)), json, notes});
    return {};
}

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

/// Sizes that the file says itself need not be given.
std::vector<std::string> Running::openInputs(const run::SavedProfile &saved) const
{
    const ir::Graph &graph = m_document.file().at(m_document.functionId()).graph;
    std::vector<std::string> texts = run::inputTexts(saved);
    for (const ir::ValueId id : graph.at(ir::Graph::body).inputs) {
        const ir::ValueRef value(graph, id);
        const std::string start = std::string(value.name()) + "=";
        if (isFixed(value.tensorType()))
            std::erase_if(texts, [&](const std::string &text) { return text.starts_with(start); });
    }
    return texts;
}

void Running::setBaseline(std::optional<Baseline> baseline)
{
    m_baseline = std::move(baseline);
    m_change.reset();
    if (m_baseline && m_profile && m_profile->saved != m_baseline->profile)
        m_change = std::make_shared<const ProfileChange>(
            changeSince(*m_baseline, m_profile->saved, m_document.file().at(m_document.functionId()).graph));
    emit comparisonChanged();
}

void Running::keepToCompare()
{
    if (m_profile)
        setBaseline(Baseline{tr("an earlier profile"), m_profile->saved});
}

Result<void> Running::readBaseline(const QString &path)
{
    CUTAWAY_TRY(auto saved, run::readProfile(path.toStdString()));
    CUTAWAY_RETURN_IF_ERROR(run::reopen(saved, m_document.file(), m_document.functionId()));
    setBaseline(Baseline{QFileInfo(path).fileName(), std::make_shared<const run::SavedProfile>(std::move(saved))});
    return {};
}

void Running::endComparison() { setBaseline(std::nullopt); }

/// Work that was stopped gives nothing: it ends while it is still thought to be under way.
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
