// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/assertions.h"
#include "app/cli/commands.h"
#include "app/cli/profile/profile_comparison.h"
#include "app/cli/running.h"
#include "core/base/located.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/report/timing/timing_report.h"
#include "core/request/given.h"
#include "core/request/model_figures.h"
#include "core/run/reopened.h"
#include "core/trace/times.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace cutaway::cli {

namespace {

struct ProfileOptions {
    RunArguments arguments;
    double seconds = 5;
    std::string csv, trace, saved;
    std::vector<std::string> assertions;
    std::vector<std::string> compared; ///< the files of two saved profiles
    std::string other;                 ///< the file of the second profile's model
    bool json = false;
};

/// Returns the figures that can be asserted: those that a run measures, and those of the model, known before the run.
std::vector<request::NamedFigure> profileFigures()
{
    using request::FigureUnit;
    std::vector<request::NamedFigure> figures{{"time", FigureUnit::Seconds},
                                              {"p95", FigureUnit::Seconds},
                                              {"sum", FigureUnit::Seconds},
                                              {"memory", FigureUnit::Bytes}};
    std::ranges::copy(request::modelFigures(), std::back_inserter(figures));
    return figures;
}

request::Figure measuredFigure(std::optional<double> value, const char *whyUnknown)
{
    return {.value = value, .names = {}, .whyUnknown = value ? "" : whyUnknown};
}

request::Figures figuresOf(const report::TimedFunction &function)
{
    const run::Timing &timing = function.timing;
    request::Figures figures = request::figuresOf(function.model, function.analysis);
    figures["time"] = measuredFigure(timing.whole.median, "");
    figures["p95"] = measuredFigure(timing.whole.p95, "");
    figures["sum"] = measuredFigure(timing.sum(), "the backend does not report times of single nodes");
    figures["memory"] =
        measuredFigure(timing.peakBytes ? std::optional(static_cast<double>(timing.peakBytes)) : std::nullopt,
                       "the backend does not report the memory of its process");
    return figures;
}

Result<void> writeFiles(const report::TimedFunction &function, const ProfileOptions &options)
{
    if (!options.csv.empty())
        if (auto written = writeWholeFile(options.csv, report::timingCsv(function)); !written)
            return written;
    return options.trace.empty() ? Result<void>() : writeWholeFile(options.trace, report::timingTrace(function));
}

/// A function with its times, which were measured now or read from a profile.
struct Timed {
    Opened opened;
    analysis::Given given;
    run::Timing timing;
    std::vector<std::string> notes;
};

Result<Timed> measured(const std::string &file, const ProfileOptions &options)
{
    CUTAWAY_TRY(auto begun, begin(file, options.arguments));
    Running &running = begun.running;
    CUTAWAY_TRY(auto timing,
                noted(running.with.note,
                      run::measure(*begun.backend, running.subject(), running.with.inputs, options.seconds, {})));
    return Timed{std::move(running.opened), std::move(running.with.given), std::move(timing), {}};
}

/// Reopens the model with the input sizes that it was timed with.
Result<Timed> reopened(const std::string &file, const ProfileOptions &options)
{
    CUTAWAY_TRY(const auto saved, withSubject(options.saved, run::readProfile(options.saved)));
    CUTAWAY_TRY(auto opened, openModel(file, options.arguments.function));
    CUTAWAY_TRY(auto found, run::reopen(saved, opened.model, opened.function));
    CUTAWAY_TRY(auto given,
                request::readGiven(opened.model, opened.function, options.arguments.bindings, run::inputTexts(saved)));
    return Timed{std::move(opened), std::move(given), std::move(found.timing), std::move(found.notes)};
}

Result<Answer> profile(const std::string &file, const ProfileOptions &options)
{
    CUTAWAY_TRY(const auto assertions, request::parseAssertions(options.assertions, profileFigures()));
    CUTAWAY_TRY(auto timed, options.saved.empty() ? measured(file, options) : reopened(file, options));
    const auto analysis = analysis::analyse(timed.opened.model, timed.opened.function, timed.given);
    trace::linkCalls(timed.timing, timed.opened.model, analysis);
    const report::TimedFunction function{timed.opened.model, analysis, timed.timing};
    CUTAWAY_RETURN_IF_ERROR(writeFiles(function, options));
    std::string text = options.json ? report::timingJson(function) + "\n" : report::timingText(function);
    for (const std::string &note : options.json ? std::vector<std::string>() : timed.notes)
        text += note + "\n";
    return held(std::move(text), request::broken(assertions, figuresOf(function)), options.json);
}

/// Compares two saved profiles if --compare names them, else profiles the model file.
Result<Answer> profileOrCompare(const std::string &file, const ProfileOptions &options)
{
    if (options.compared.empty()) {
        if (file.empty())
            return usageError("missing model file");
        return options.other.empty() ? profile(file, options) : usageError("a second model file needs --compare");
    }
    if (file.empty() != options.other.empty())
        return usageError("--compare wants both model files, or none where the profiles are of one model");
    std::vector<std::string> models;
    if (!file.empty())
        models = {file, options.other};
    return compareProfiles({options.compared, std::move(models), options.arguments.function, options.json});
}

} // namespace

Action declareProfile(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<ProfileOptions>();
    command.add_option("FILE", file, "The model file")->type_name("");
    command.add_option("OTHER", options->other, "With --compare: the model file of the second profile")->type_name("");
    declareRun(command, options->arguments);
    command
        .add_option("--seconds", options->seconds,
                    "Time limit in seconds, for timing whole runs and again for timing nodes")
        ->check(CLI::Range(0.01, 3600.0))
        ->type_name("S")
        ->capture_default_str();
    command.add_option("--csv", options->csv, "Write a row per node")->type_name("FILE");
    command.add_option("--trace", options->trace, "Write the trace of one run for a viewer such as Perfetto")
        ->type_name("FILE");
    declareAssertions(command, options->assertions,
                      "time and p95 of a run, sum of the nodes' times, memory of the process, and those of inspect");
    command.add_option("--from", options->saved, "Do not measure; read a profile of this model that --json wrote")
        ->type_name("SAVED");
    command
        .add_option(
            "--compare", options->compared,
            "Compare two saved profiles, of one model or of FILE and OTHER; exit code 1: B is slower beyond the noise")
        ->expected(2)
        ->type_name("A B");
    command.add_flag("--json", options->json,
                     "Write JSON (schema cutaway.profile/1, with --compare cutaway.profile-comparison/1)");
    command.footer("Examples:\n"
                   "  cutaway-cli profile resnet50.onnx --bind N=1\n"
                   "  cutaway-cli profile resnet50.onnx --optimization none --csv nodes.csv --trace run.json\n"
                   "  cutaway-cli profile resnet50.onnx --threads 1 --assert 'time<50ms,peak<100MB'\n"
                   "  cutaway-cli profile resnet50.onnx --json > before.json\n"
                   "  cutaway-cli profile resnet50.onnx --from before.json --csv nodes.csv\n"
                   "  cutaway-cli profile --compare before.json after.json\n"
                   "  cutaway-cli profile old.onnx new.onnx --compare old.json new.json");
    return [options, &file] { return profileOrCompare(file, *options); };
}

} // namespace cutaway::cli
