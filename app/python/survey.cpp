// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/survey.h"

#include "app/python/beside.h"
#include "app/python/objects.h"
#include "app/python/parts.h"
#include "app/python/work.h"
#include "core/analysis/known_devices.h"
#include "core/base/result.h"
#include "core/survey/checks.h"
#include "core/survey/database/database.h"
#include "core/survey/measuring.h"
#include "core/survey/model_files.h"
#include "core/survey/request.h"
#include "core/survey/workers.h"

#include <algorithm>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace cutaway::python {

namespace {

namespace fs = std::filesystem;

/// Returns a path as bytes of any encoding, as Python's os.fsencode() does.
std::string pathOf(const nb::handle &text)
{
    return nb::cast<fs::path>(nb::module_::import_("os").attr("fspath")(text)).string();
}
nb::str pathText(const std::string &path)
{
    return nb::steal<nb::str>(PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
}

std::vector<std::string> checksOf(const survey::Request &request)
{
    const auto *look = std::get_if<survey::Look>(&request.asked);
    return look ? look->checks : std::vector<std::string>();
}

Result<void> checkRequest(const survey::Request &request)
{
    if (!request.device.empty())
        CUTAWAY_RETURN_IF_ERROR(analysis::findDevice(request.device));
    for (const std::string &check : checksOf(request))
        if (const Result<void> known = survey::parseCheck(check); !known)
            return known;
    return {};
}

/// A survey that is being made: the models that are left, and the database with the results.
class SurveyHandle {
public:
    SurveyHandle(const nb::list &paths, const fs::path &output, const std::string &request, bool again)
        : m_request(valueOrRaise(survey::parseRequest(request))),
          m_again(again),
          m_database(opened(m_request, output))
    {
        std::vector<std::string> named;
        for (const nb::handle path : paths)
            named.push_back(pathOf(path));
        m_files = performed([&](const Task &task) { return survey::findModelFiles(named, task); });
        for (const fs::path &model : m_files.models)
            plan(survey::versionOf(model));
    }

    /// Adds a model at a URL. If the server does not say when it was changed last, it is surveyed again each time.
    void addUrl(const std::string &url, std::int64_t bytes, std::optional<std::int64_t> modified)
    {
        if (m_versions.contains(url))
            return;
        m_files.models.emplace_back(url);
        plan({url, bytes, modified.value_or(0)}, modified.has_value());
    }

    void leaveOut(const nb::str &path, std::string why) { m_files.leftOut.push_back({pathOf(path), std::move(why)}); }

    nb::list work() const
    {
        nb::list paths;
        for (const std::string &path : m_work)
            paths.append(pathText(path));
        return paths;
    }

    /// Returns the size in bytes and the time of the last change that a model had when the survey began.
    std::pair<std::int64_t, std::int64_t> version(const nb::str &path) const
    {
        const survey::FileVersion &version = m_versions.at(pathOf(path));
        return {version.bytes, version.modified};
    }

    /// Stores the record of a model, which is JSON.
    void put(const nb::str &path, const std::string &record)
    {
        valueOrRaise(keep(pathOf(path), valueOrRaise(survey::parseRecord(record))));
    }

    /// Records that a model crashed its worker.
    void putCrash(const nb::str &path, std::string why)
    {
        survey::Record record;
        record.state = survey::State::Crashed;
        record.message = std::move(why);
        valueOrRaise(keep(pathOf(path), record));
    }

    /// Returns the models that have no profile for a request (JSON) on a machine yet.
    nb::list unmeasured(const std::string &request, const std::string &machine) const
    {
        const survey::Request parsed = valueOrRaise(survey::parseRequest(request));
        nb::list paths;
        for (const auto &[path, version] : m_versions)
            if (valueOrRaise(m_database.lacksMeasurement(version, parsed, machine, m_again)))
                paths.append(pathText(path));
        return paths;
    }

    /// Stores a profile, which is a record in JSON.
    void putMeasurement(const nb::str &path, const std::string &request, const std::string &machine,
                        const std::string &record)
    {
        const survey::Request parsed = valueOrRaise(survey::parseRequest(request));
        valueOrRaise(keepMeasurement(
            pathOf(path), survey::measurementOf(valueOrRaise(survey::parseRecord(record)), parsed, machine)));
    }

    /// Stores that a profile was not taken: `state` is "lost", "crashed" or "absent".
    void putNoMeasurement(const nb::str &path, const std::string &request, const std::string &machine,
                          const std::string &state, const std::string &why)
    {
        const survey::Request parsed = valueOrRaise(survey::parseRequest(request));
        valueOrRaise(keepMeasurement(
            pathOf(path),
            survey::withoutMeasurement(survey::measurementStateOf(state).value_or(survey::Measurement::State::Lost),
                                       why, parsed, machine)));
    }

    /// Takes the profiles of these models on this machine, one after the other.
    void measureHere(const nb::list &paths, const std::string &request, const std::vector<std::string> &command,
                     std::optional<std::uint64_t> memory, const nb::object &progress)
    {
        const survey::Request parsed = valueOrRaise(survey::parseRequest(request));
        const survey::Workers workers{
            .command = command, .count = 1, .limit = survey::workerLimit(parsed), .memory = memory};
        std::vector<fs::path> models;
        for (const nb::handle path : paths)
            models.emplace_back(pathOf(path));
        surveyHere(models, parsed, workers, progress, [&](const fs::path &model, const survey::Record &record) {
            return keepMeasurement(model.string(), survey::measurementOf(record, parsed, survey::hostName()));
        });
    }

    /// Surveys all models that are left on this machine, in processes that `command` starts.
    void lookHere(const std::vector<std::string> &command, unsigned jobs, std::optional<std::uint64_t> memory,
                  const nb::object &progress)
    {
        const survey::Workers workers{
            .command = command, .count = jobs, .limit = survey::workerLimit(m_request), .memory = memory};
        const std::vector<fs::path> models(m_work.begin(), m_work.end());
        surveyHere(models, m_request, workers, progress, [this](const fs::path &model, const survey::Record &record) {
            return keep(model.string(), record);
        });
    }

    nb::dict finish()
    {
        const std::size_t removed = valueOrRaise(m_database.dropMissing());
        nb::dict summary, states;
        for (const auto &[state, count] : m_states)
            states[std::string(survey::name(state)).c_str()] = count;
        nb::list leftOut;
        for (const survey::LeftOut &each : m_files.leftOut)
            leftOut.append(nb::make_tuple(readable(each.path.string()), each.why));
        summary["models"] = m_files.models.size();
        summary["looked_at"] = m_done;
        summary["known"] = m_known;
        summary["states"] = states;
        summary["removed"] = removed;
        summary["others"] = m_files.others;
        summary["left_out"] = leftOut;
        summary["bytes_read"] = m_bytesRead;
        summary["failed_checks"] = failedChecks();
        nb::dict profiles;
        for (const auto &[backend, outcomes] : m_outcomes) {
            nb::dict counts;
            for (const auto &[state, count] : outcomes)
                counts[std::string(survey::name(state)).c_str()] = count;
            profiles[backend.c_str()] = counts;
        }
        summary["profiles"] = profiles;
        return summary;
    }

private:
    static survey::Database opened(const survey::Request &request, const fs::path &output)
    {
        valueOrRaise(checkRequest(request));
        return valueOrRaise(survey::Database::open(output, CUTAWAY_VERSION));
    }

    void plan(survey::FileVersion version, bool isKnown = true)
    {
        const bool isDone = isKnown && !m_again && valueOrRaise(m_database.has(version, m_request));
        m_known += isDone ? 1 : 0;
        if (!isDone)
            m_work.push_back(version.path);
        std::string path = version.path;
        m_versions.emplace(std::move(path), std::move(version));
    }

    Result<void> keep(const std::string &path, const survey::Record &record)
    {
        ++m_states[record.state];
        ++m_done;
        m_bytesRead += record.bytesRead.value_or(0);
        return m_database.put(m_versions.at(path), m_request, record);
    }

    Result<void> keepMeasurement(const std::string &path, const survey::Measurement &measurement)
    {
        ++m_outcomes[measurement.backend][measurement.state];
        return m_database.put(m_versions.at(path), measurement);
    }

    static void surveyHere(const std::vector<fs::path> &models, const survey::Request &request,
                           const survey::Workers &workers, const nb::object &progress, const survey::TakeRecord &keep)
    {
        const auto take = [&](const fs::path &model, const survey::Record &record) -> Result<void> {
            const Result<void> kept = keep(model, record);
            const nb::gil_scoped_acquire acquire;
            if (kept && !progress.is_none())
                progress();
            return kept;
        };
        valueOrRaise(
            performed([&](const Task &task) { return survey::surveyAll(models, request, workers, task, take); }));
    }

    /// Returns (model, check, whether it has an answer, why) for each check not passed, also of models known before.
    nb::list failedChecks() const
    {
        nb::list failed;
        for (const fs::path &model : m_files.models)
            for (const std::string &check : checksOf(m_request))
                if (const auto answer = valueOrRaise(m_database.answerOf(model.string(), check, m_request));
                    answer.passed != true)
                    failed.append(nb::make_tuple(readable(model.string()), check, answer.passed.has_value(),
                                                 readable(answer.message)));
        return failed;
    }

    survey::Request m_request;
    bool m_again;
    survey::Database m_database;
    survey::ModelFiles m_files;
    std::vector<std::string> m_work;
    std::map<std::string, survey::FileVersion> m_versions;
    std::map<survey::State, std::size_t> m_states;
    std::map<std::string, std::map<survey::Measurement::State, std::size_t>> m_outcomes; ///< by the profile's backend
    std::size_t m_known = 0, m_done = 0;
    std::int64_t m_bytesRead = 0;
};

/// Surveys one model in a process of its own, so that a crash does not end this one. Returns the record as JSON.
std::string recordApart(const nb::str &path, const std::string &request, const std::vector<std::string> &command,
                        std::optional<std::uint64_t> memory)
{
    const fs::path model = pathOf(path);
    const survey::Request parsed = valueOrRaise(survey::parseRequest(request));
    const survey::Workers workers{
        .command = command, .count = 1, .limit = survey::workerLimit(parsed), .memory = memory};
    std::string text;
    const auto take = [&](const fs::path &, const survey::Record &record) -> Result<void> {
        text = survey::print(record);
        return {};
    };
    valueOrRaise(performed([&](const Task &task) { return survey::surveyAll({model}, parsed, workers, task, take); }));
    return text;
}

/// Returns the record of a local file. Workers call this function.
std::string recordOfFile(const nb::str &path, const std::string &request)
{
    return survey::print(survey::surveyed(pathOf(path), valueOrRaise(survey::parseRequest(request))));
}

/// Returns the record of a model at a URL of which some byte ranges were fetched. Workers call this function.
std::string recordOfParts(const fs::path &file, const std::string &request, const std::string &url,
                          const nb::dict &ranges, std::int64_t bytesRead)
{
    const FetchedParts parts = fetchedParts(file, url, ranges);
    survey::Record record = survey::surveyed(file.string(), valueOrRaise(survey::parseRequest(request)),
                                             [&](const std::string &) { return openParts(parts, {}); });
    record.bytesRead = bytesRead;
    return survey::print(record);
}

/// Returns the record of a model that could not be fetched. Workers call this function.
std::string recordWithout(const std::string &why)
{
    survey::Record record;
    record.message = why;
    return survey::print(record);
}

constexpr const char *surveyDoc =
    "Looks at many models and keeps what they are in an SQLite database, as 'cutaway-cli survey' does: the same\n"
    "tables, and a survey that was stopped goes on. Returns a dict: 'models', 'looked_at', 'known', 'states',\n"
    "'removed', 'others', 'left_out', 'failed_checks', 'profiles', and 'bytes_read' of models at URLs.\n\n"
    "paths: files, folders, patterns, and URLs of all that fsspec reads (http, s3, sftp); of models at URLs all but\n"
    "the weights is read.\n"
    "client: a dask.distributed.Client; its workers look at the models, one task each. None: processes here, `jobs`\n"
    "at a time.\n"
    "bind, inputs, device: as in Model.analyse, for the models that have such symbols and inputs; an input is a text\n"
    "of the command line or ((8, 3), 'float32'). checks: ['convert:21', 'passes:optimize']. timeout: seconds for a "
    "model.\n"
    "profiles: backends that time the models, ['onnxruntime', 'torch@cuda:0'], one model at a time; on a cluster "
    "those\n"
    "workers that have the resource 'profile'. profile_seconds: limit of one of them.\n"
    "memory: bytes that one model may take. again: also look at models that have not changed. progress: is called\n"
    "with how many models are done and how many there are.";

} // namespace

void bindSurvey(nb::module_ &module)
{
    nb::class_<SurveyHandle>(module, "_Survey")
        .def(nb::init<const nb::list &, const fs::path &, const std::string &, bool>())
        .def("add_url", &SurveyHandle::addUrl, nb::arg("url"), nb::arg("bytes"), nb::arg("modified").none())
        .def("leave_out", &SurveyHandle::leaveOut)
        .def("work", &SurveyHandle::work)
        .def("version", &SurveyHandle::version)
        .def("put", &SurveyHandle::put)
        .def("put_crash", &SurveyHandle::putCrash)
        .def("look_here", &SurveyHandle::lookHere, nb::arg("command"), nb::arg("jobs"), nb::arg("memory").none(),
             nb::arg("progress").none())
        .def("unmeasured", &SurveyHandle::unmeasured)
        .def("put_measurement", &SurveyHandle::putMeasurement)
        .def("put_no_measurement", &SurveyHandle::putNoMeasurement)
        .def("measure_here", &SurveyHandle::measureHere, nb::arg("paths"), nb::arg("request"), nb::arg("command"),
             nb::arg("memory").none(), nb::arg("progress").none())
        .def("finish", &SurveyHandle::finish);
    module.def("_record_apart", recordApart, nb::arg("path"), nb::arg("request"), nb::arg("command"),
               nb::arg("memory").none());
    module.def("_record_of_file", recordOfFile);
    module.def("_record_of_parts", recordOfParts);
    module.def("_record_without", recordWithout);
    module.def("_host_name", survey::hostName);
    module.def("_check_profile", [](const std::string &profile) { valueOrRaise(survey::parseProfile(profile)); });
    module.def(
        "survey",
        [](const nb::args &positional, const nb::kwargs &named) {
            return moduleBeside("cutaway_remote.survey").attr("survey")(*positional, **named);
        },
        nb::sig("def survey(paths: str | os.PathLike[str] | collections.abc.Iterable[str | os.PathLike[str]], output: "
                "str | os.PathLike[str], *, client: typing.Any = None, bind: dict[str, int] | None = None, inputs: "
                "dict[str, typing.Any] | None = None, device: str = '', checks: list[str] = [], profiles: list[str] "
                "= [], profile_seconds: float = 1, timeout: float = 60, memory: int | None = None, jobs: int | None = "
                "None, again: bool = False, progress: "
                "collections.abc.Callable[[int, int], None] | None = None) -> dict[str, typing.Any]"),
        surveyDoc);
}

} // namespace cutaway::python
