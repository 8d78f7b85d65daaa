// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/survey/profiling.h"

#include "app/cli/survey/progress.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/survey/measuring.h"

#include <map>

namespace cutaway::cli {

namespace {

using Outcomes = std::map<survey::Measurement::State, std::size_t>;

std::string outcomeLine(const std::string &profile, const Outcomes &outcomes)
{
    std::vector<std::string> parts;
    for (const auto &[state, count] : outcomes)
        parts.push_back(std::string(survey::name(state)) + " " + grouped(static_cast<long long>(count)));
    return "  " + profile + "  " + (parts.empty() ? "all known before" : joined(parts, ", ")) + "\n";
}

/// Profiles the models of a survey on one backend.
class Profiling {
public:
    Profiling(const survey::Request &request, const std::string &backend, survey::Database &database)
        : m_request(request),
          m_backend(backend),
          m_database(database)
    {
    }

    Result<void> plan(const std::vector<survey::FileVersion> &models, bool again)
    {
        for (const survey::FileVersion &model : models) {
            CUTAWAY_TRY(const bool lacking, m_database.lacksMeasurement(model, m_request, m_machine, again));
            if (!lacking)
                continue;
            m_models.emplace_back(model.path);
            m_versions.emplace(model.path, model);
        }
        return {};
    }

    Result<Outcomes> run(const survey::Workers &workers, const Task &task)
    {
        Progress progress(m_models.size(), "models on " + m_backend);
        std::size_t done = 0;
        Outcomes outcomes;
        const auto take = [&](const std::filesystem::path &model, const survey::Record &record) {
            const survey::Measurement measurement = survey::measurementOf(record, m_request, m_machine);
            ++outcomes[measurement.state];
            progress.show(++done);
            return m_database.put(m_versions.at(model.string()), measurement);
        };
        const Result<void> all = survey::surveyAll(m_models, m_request, workers, task, take);
        if (!all && all.error().kind == ErrorKind::Cancelled)
            return std::unexpected(Error{ErrorKind::Cancelled,
                                         "stopped after " + grouped(static_cast<long long>(done)) + " profiles of "
                                             + m_backend + "; the same command goes on from there",
                                         {}});
        CUTAWAY_RETURN_IF_ERROR(all);
        return outcomes;
    }

private:
    const survey::Request &m_request;
    const std::string &m_backend; ///< the backend that the request asks for
    survey::Database &m_database;
    const std::string m_machine = survey::hostName();
    std::vector<std::filesystem::path> m_models;
    std::map<std::string, survey::FileVersion> m_versions;
};

} // namespace

Result<std::string> takeProfiles(const std::vector<survey::FileVersion> &models,
                                 const std::vector<survey::Profile> &profiles, const survey::Request &request,
                                 bool again, survey::Workers workers, survey::Database &database, const Task &task)
{
    std::string lines = profiles.empty() ? "" : "profiles:\n";
    for (const survey::Profile &profile : profiles) {
        survey::Request one = request;
        one.asked = profile;
        workers.count = 1; // two models at a time would slow each other down
        workers.limit = survey::workerLimit(one);
        Profiling profiling(one, profile.backend, database);
        CUTAWAY_RETURN_IF_ERROR(profiling.plan(models, again));
        CUTAWAY_TRY(const Outcomes outcomes, profiling.run(workers, task));
        lines += outcomeLine(profile.backend, outcomes);
    }
    return lines;
}

} // namespace cutaway::cli
