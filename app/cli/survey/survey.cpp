// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/survey/profiling.h"
#include "app/cli/survey/progress.h"
#include "app/cli/survey/survey_elsewhere.h"
#include "core/analysis/known_devices.h"
#include "core/base/located.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/survey/checks.h"
#include "core/survey/comparison.h"
#include "core/survey/measuring.h"
#include "core/survey/model_files.h"
#include "core/survey/own_program.h"
#include "core/survey/workers.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <ranges>
#include <thread>
#include <unistd.h>

namespace cutaway::cli {

namespace {

namespace fs = std::filesystem;

struct SurveyOptions {
    std::vector<std::string> paths;
    std::string output;
    survey::Request request; ///< the request without its checks
    survey::Look look;
    std::vector<std::string> profiles; ///< a backend and its device each: "torch@cuda:0"
    double profileSeconds = survey::Profile().seconds;
    std::uint64_t memory = 0;
    unsigned workers = std::max(1U, std::thread::hardware_concurrency());
    bool again = false;
    bool compares = false;
    bool isWorker = false;
    std::string dask; ///< the address of a Dask scheduler; "" for none
};

/// The models to survey, and the versions of all files at the time when the work was planned.
struct Work {
    std::vector<fs::path> models;
    /// The versions of all files, also of those that were surveyed before.
    std::map<fs::path, survey::FileVersion> versions;
    std::size_t known = 0; ///< the number of models that were surveyed before
};

Result<Work> workOn(const std::vector<fs::path> &models, const survey::Database &database, const SurveyOptions &options)
{
    Work work;
    for (const fs::path &model : models) {
        survey::FileVersion version = survey::versionOf(model);
        CUTAWAY_TRY(const bool known, options.again ? Result<bool>(false) : database.has(version, options.request));
        work.known += known ? 1 : 0;
        if (!known)
            work.models.push_back(model);
        work.versions.emplace(model, std::move(version));
    }
    return work;
}

std::string models(std::size_t count) { return quantity(count, "model"); }

std::string summary(const survey::ModelFiles &files, const Work &work,
                    const std::map<survey::State, std::size_t> &states, std::size_t dropped)
{
    std::string text = models(files.models.size()) + ": " + grouped(static_cast<long long>(work.models.size()))
        + " looked at, " + grouped(static_cast<long long>(work.known)) + " known before\n";
    for (const auto &[state, count] : states)
        text += "  " + std::string(survey::name(state)) + "  " + grouped(static_cast<long long>(count)) + "\n";
    if (dropped > 0)
        text += models(dropped) + " whose files are gone: removed\n";
    if (files.others > 0)
        text += grouped(static_cast<long long>(files.others)) + " other files in the folders\n";
    for (const survey::LeftOut &each : files.leftOut)
        text += "left out: " + sanitized(each.path.string()) + ": " + each.why + "\n";
    return text;
}

/// Returns a line for each check that a model did not pass, also for models that were surveyed before.
Result<std::string> failedChecks(const std::vector<fs::path> &models, const survey::Database &database,
                                 const survey::Request &request, const survey::Look &look)
{
    std::string lines;
    for (const fs::path &model : models)
        for (const std::string &check : look.checks) {
            CUTAWAY_TRY(const survey::CheckAnswer answer, database.answerOf(model.string(), check, request));
            if (answer.passed != true)
                lines += sanitized(model.string()) + ": " + check + (answer.passed ? " failed: " : " has no answer: ")
                    + answer.message + "\n";
        }
    return lines;
}

/// Finds the errors in options that can be found before a model is read.
Result<void> checkOptions(const SurveyOptions &options)
{
    if (options.output.empty())
        return usageError("--output is required");
    if (!options.request.device.empty())
        CUTAWAY_RETURN_IF_ERROR(analysis::findDevice(options.request.device));
    for (const std::string &check : options.look.checks)
        if (const Result<void> known = survey::parseCheck(check); !known)
            return known;
    for (const std::string &profile : options.profiles)
        if (const Result<void> known = survey::parseProfile(profile); !known)
            return known;
    return {};
}

/// Returns the paths of the command line and, in place of "-", those of standard input.
std::vector<std::string> namedPaths(const SurveyOptions &options)
{
    std::vector<std::string> named = options.paths;
    if (!std::ranges::contains(named, "-"))
        return named;
    std::erase(named, "-");
    for (std::string line; std::getline(std::cin, line);)
        if (!line.empty())
            named.push_back(line);
    return named;
}

survey::Workers workersOf(const SurveyOptions &options)
{
    return {.command = {survey::ownProgram(), "survey", "--worker"},
            .count = options.workers,
            .limit = survey::workerLimit(options.request),
            .memory = options.memory > 0 ? std::optional(options.memory) : std::nullopt};
}

/// Surveys the models that are left, and returns how many ended in each state.
Result<std::map<survey::State, std::size_t>> lookAt(const Work &work, const SurveyOptions &options,
                                                    survey::Database &database, const Task &task)
{
    Progress progress(work.models.size(), "models");
    std::map<survey::State, std::size_t> states;
    std::size_t done = 0;
    const auto take = [&](const fs::path &model, const survey::Record &record) -> Result<void> {
        ++states[record.state];
        progress.show(++done);
        return database.put(work.versions.at(model), options.request, record);
    };
    const Result<void> surveyed = survey::surveyAll(work.models, options.request, workersOf(options), task, take);
    if (!surveyed && surveyed.error().kind == ErrorKind::Cancelled)
        return std::unexpected(
            Error{ErrorKind::Cancelled, "stopped after " + models(done) + "; the same command goes on from there", {}});
    CUTAWAY_RETURN_IF_ERROR(surveyed);
    return states;
}

std::vector<survey::Profile> profilesOf(const SurveyOptions &options)
{
    std::vector<survey::Profile> profiles;
    for (const std::string &backend : options.profiles)
        profiles.push_back({backend, options.profileSeconds});
    return profiles;
}

Result<Answer> surveyModels(SurveyOptions options)
{
    CUTAWAY_RETURN_IF_ERROR(checkOptions(options));
    options.request.asked = options.look;
    const std::vector<survey::Profile> profiles = profilesOf(options);
    const std::vector<std::string> named = namedPaths(options);
    if (!options.dask.empty() || std::ranges::any_of(named, survey::isUrl))
        return surveyElsewhere({named, options.output, options.request, profiles, options.memory, options.workers,
                                options.again, options.dask});
    CUTAWAY_TRY(auto database, survey::Database::open(options.output, CUTAWAY_VERSION));
    const Interruption interruption;
    const Task task{interruption.token(), {}};
    const survey::ModelFiles files = survey::findModelFiles(named, task);
    CUTAWAY_TRY(const Work work, workOn(files.models, database, options));
    CUTAWAY_TRY(const auto states, lookAt(work, options, database, task));
    CUTAWAY_TRY(const std::size_t dropped, database.dropMissing());
    std::vector<survey::FileVersion> versions;
    std::ranges::copy(work.versions | std::views::values, std::back_inserter(versions));
    CUTAWAY_TRY(const std::string profiled,
                takeProfiles(versions, profiles, options.request, options.again, workersOf(options), database, task));
    CUTAWAY_TRY(const std::string failed, failedChecks(files.models, database, options.request, options.look));
    return Answer(failed + summary(files, work, states, dropped) + profiled, !failed.empty());
}

/// Compares two surveys, and prints the comparison or writes it in the form that the file's suffix names.
Result<Answer> compareSurveys(const SurveyOptions &options)
{
    if (options.paths.size() != 2)
        return usageError("--compare takes two surveys, the older one first");
    std::vector<std::vector<survey::Entry>> both;
    for (const std::string &path : options.paths) {
        CUTAWAY_TRY(const auto database, located(path, survey::Database::read(path)));
        CUTAWAY_TRY(auto entries, located(path, database.entries()));
        both.push_back(std::move(entries));
    }
    const survey::Comparison comparison = survey::compare(both[0], both[1]);
    const bool isPage = options.output.ends_with(".html");
    const std::string text = isPage ? report::html(comparison.document, {}) : report::markdown(comparison.document);
    if (options.output.empty())
        return Answer(text, comparison.broken > 0);
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(options.output, text));
    return Answer({}, comparison.broken > 0);
}

Result<Answer> act(const SurveyOptions &options)
{
    if (options.isWorker) {
        const int code = survey::serve(STDIN_FILENO, STDOUT_FILENO);
        return Answer({}, code != 0);
    }
    return options.compares ? compareSurveys(options) : surveyModels(options);
}

} // namespace

Action declareSurvey(CLI::App &command, std::string &)
{
    auto options = std::make_shared<SurveyOptions>();
    command
        .add_option("PATH", options->paths,
                    "Model files, folders with all that is in them, patterns, URLs; - reads names from standard input")
        ->type_name("");
    command
        .add_option("-o,--output", options->output,
                    "The SQLite database of the survey, which is created or continued; with --compare: .md or .html")
        ->type_name("FILE");
    command.add_option("--bind", options->request.bindings, "Fix sizes by symbol in the models that have it: s0=8")
        ->type_name("S=N,...");
    command
        .add_option("--input", options->request.inputs, "What an input is, of the models that have one of this name")
        ->type_name("NAME=VALUE");
    command
        .add_option("--device", options->request.device,
                    "Estimate the time on this processor, see 'cutaway-cli devices'")
        ->type_name("ID");
    command
        .add_option("--check", options->look.checks,
                    "Ask each model a question: passes:PIPELINE, convert:OPSET, numbers:BACKEND, backend:BACKEND, "
                    "lint:SEVERITY, "
                    "assert:'flops<=8G'; exit code 1 if one fails, or has no answer")
        ->type_name("CHECK");
    command
        .add_option("--profile", options->profiles,
                    "Time the models on these backends, one after the other: onnxruntime, torch@cuda:0")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("BACKEND[@DEVICE],...");
    command
        .add_option("--profile-seconds", options->profileSeconds,
                    "Time limit of a profile in seconds, for timing whole runs and again for timing nodes")
        ->check(CLI::Range(0.01, 3600.0))
        ->type_name("S")
        ->capture_default_str();
    command
        .add_option("--timeout", options->request.limit, "Stop at a model that takes longer, and go on with the next")
        ->check(CLI::PositiveNumber)
        ->type_name("SECONDS")
        ->capture_default_str();
    command.add_option("--memory", options->memory, "Memory that one model may take, such as 4GB (default: no limit)")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("SIZE");
    command
        .add_option("--jobs", options->workers,
                    "Number of models that are analysed at a time (default: one per processor)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    command
        .add_option("--dask", options->dask,
                    "Look at the models on the workers of this Dask scheduler, by the Python module")
        ->type_name("ADDRESS");
    command.add_flag("--again", options->again, "Also analyse models again that have not changed");
    command.add_flag("--compare", options->compares,
                     "Compare two surveys, the older one first; exit code 1: a model cannot be read any more");
    command.add_flag("--worker", options->isWorker)->group("");
    command.footer(
        "Each model has its rows in the database, also one that is broken, crashes or takes too long. A survey "
        "that was\nstopped goes on where it was; models that have not changed are not looked at again.\n\n"
        "Examples:\n"
        "  cutaway-cli survey models/ -o zoo.db\n"
        "  cutaway-cli survey 'zoo/*.onnx' -o zoo.db --bind N=8 --device h100-sxm --timeout 20 --memory 4GB\n"
        "  cutaway-cli survey zoo/ -o zoo.db --profile onnxruntime,torch --device this-machine\n"
        "  cutaway-cli survey --compare last-week.db zoo.db -o changes.html\n"
        "  cutaway-cli survey /shared/zoo -o zoo.db --dask tcp://login1:8786\n"
        "  sqlite3 zoo.db 'SELECT * FROM operator_use LIMIT 10'");
    return [options] { return act(*options); };
}

} // namespace cutaway::cli
