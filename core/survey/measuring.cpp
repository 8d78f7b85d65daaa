// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/measuring.h"

#include "core/analysis/analysis.h"
#include "core/analysis/counts.h"
#include "core/analysis/known_devices.h"
#include "core/analysis/roofline.h"
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/run/backend.h"
#include "core/run/saved_profile.h"
#include "core/survey/opened.h"
#include "core/survey/own_program.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace cutaway::survey {

namespace {

/// A backend and a device, parsed from "torch@cuda:0".
struct Wanted {
    std::string backend, device;
};

Wanted wantedOf(const std::string &backend)
{
    const std::size_t at = backend.find('@');
    return {backend.substr(0, at), at == backend.npos ? "" : backend.substr(at + 1)};
}

const std::string &backendOf(const Request &request) { return std::get<Profile>(request.asked).backend; }

/// Returns a reason why a profile failed that has nothing to do with the model: the machine lacks the backend or its
/// device; "" if it has both. This is checked only after a failure, because backends take a while to start.
std::string absence(const Wanted &wanted, const Request &request)
{
    const auto output = runOwnProgram({"devices", "--json"}, {.limit = request.limit});
    const auto document = nlohmann::json::parse(output ? output->standardOutput : "", nullptr, false);
    if (!document.is_object() || !document.contains("backends"))
        return {};
    const std::string plugin = wanted.backend.substr(0, wanted.backend.find('/'));
    for (const auto &backend : document["backends"]) {
        if (backend.value("plugin", "") != plugin)
            continue;
        if (backend.contains("message"))
            return backend.value("message", "");
        const auto isIt = [&](const auto &device) { return device.value("id", "") == wanted.device; };
        return wanted.device.empty() || std::ranges::any_of(backend["devices"], isIt)
            ? ""
            : formatted("the backend '{}' has no device '{}' here", plugin, wanted.device);
    }
    return formatted("there is no backend '{}' here", plugin);
}

/// Returns the predicted time on the device of the request, or else on this machine's processor if it was measured once
/// and the model runs on it; nothing if neither is the case.
Result<std::optional<double>> predicted(const Opened &opened)
{
    const std::string &id = opened.request.device;
    const std::string runsOn = wantedOf(backendOf(opened.request)).device;
    if (id.empty() && !runsOn.empty() && runsOn != "cpu")
        return std::nullopt;
    const auto device = analysis::findDevice(id.empty() ? analysis::thisMachine : std::string_view(id));
    if (!device && id.empty())
        return std::nullopt;
    CUTAWAY_RETURN_IF_ERROR(device);
    const analysis::Analysis analysis = analysis::analyse(opened.model, ir::FunctionId{0}, opened.given);
    const auto bytes = static_cast<double>(analysis::countTensors(opened.model).storageBytes);
    return analysis::roofline(opened.model, analysis, *device, bytes).seconds;
}

void take(const run::Timing &timing, Measurement &measurement)
{
    measurement.state = Measurement::State::Measured;
    measurement.seconds = timing.whole.median;
    measurement.p5 = timing.whole.p5;
    measurement.p95 = timing.whole.p95;
    measurement.runs = static_cast<std::int64_t>(timing.whole.count);
    if (timing.peakBytes > 0)
        measurement.peakBytes = static_cast<std::int64_t>(timing.peakBytes);
    const protocol::Conditions &conditions = timing.conditions;
    measurement.processor = conditions.accelerator ? conditions.accelerator->name : conditions.machine.processor;
}

void measure(const std::string &path, const Request &request, const Profile &asked, Measurement &measurement)
{
    const Wanted wanted = wantedOf(asked.backend);
    std::vector<std::string> arguments{
        "profile", path, "--json", "--backend", wanted.backend, "--seconds", formatted("{}", asked.seconds)};
    if (!wanted.device.empty())
        arguments.insert(arguments.end(), {"--device", wanted.device});
    const auto output = runOwnProgram(std::move(arguments), request);
    if (output && output->timedOut) {
        measurement.state = Measurement::State::TimedOut;
        measurement.message = timeoutText(request);
        return;
    }
    const auto profile = output && output->exitCode == 0
        ? run::parseProfile(output->standardOutput)
        : Result<run::SavedProfile>(unreadable(output ? reasonOf(*output, path) : output.error().text()));
    if (profile)
        return take(profile->timing, measurement);
    const std::string absent = absence(wanted, request);
    measurement.state = absent.empty() ? Measurement::State::Refused : Measurement::State::Absent;
    measurement.message = absent.empty() ? profile.error().text() : absent;
}

Measurement::State stateAs(State state)
{
    switch (state) {
    case State::TimedOut:
        return Measurement::State::TimedOut;
    case State::Crashed:
    case State::OutOfMemory:
        return Measurement::State::Crashed;
    default:
        return Measurement::State::Refused;
    }
}

} // namespace

Result<void> parseProfile(const std::string &backend)
{
    const auto [name, device] = wantedOf(backend);
    if (name.empty() || (device.empty() && backend.contains('@')))
        return usageError("'" + backend + "' is no profile; it is a backend, or BACKEND@DEVICE as torch@cuda:0");
    if (name == run::evaluatorName)
        return usageError("the evaluator cannot be profiled; choose another backend");
    return {};
}

Result<Measurement> measured(const std::string &path, const Request &request, const Profile &asked,
                             const OpenModel &open)
{
    CUTAWAY_TRY(const auto opened, openFor(path, request, open));
    CUTAWAY_TRY(const auto atLeast, predicted(opened));
    Measurement measurement{.backend = asked.backend, .predicted = atLeast};
    measure(path, opened.request, asked, measurement);
    return measurement;
}

Measurement measurementOf(const Record &record, const Request &request, const std::string &machine)
{
    Measurement measurement = record.measurement
        ? *record.measurement
        : withoutMeasurement(stateAs(record.state), record.message, request, machine);
    measurement.machine = machine;
    measurement.request = request.name();
    return measurement;
}

Measurement withoutMeasurement(Measurement::State state, std::string message, const Request &request,
                               const std::string &machine)
{
    return {.machine = machine,
            .backend = backendOf(request),
            .request = request.name(),
            .state = state,
            .message = std::move(message)};
}

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::chrono::milliseconds workerLimit(const Request &request)
{
    const double seconds = std::holds_alternative<Profile>(request.asked) ? 2 * request.limit : request.limit;
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

} // namespace cutaway::survey
