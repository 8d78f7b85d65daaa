// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/pipeline.h"
#include "app/cli/request.h"
#include "core/analysis/known_devices.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/report/page/page.h"
#include "core/report/traces/trace_report.h"
#include "core/run/reopened.h"
#include "core/sequence/address.h"
#include "core/sequence/history.h"
#include "core/survey/comparison.h"
#include "core/survey/model_reports.h"
#include "core/survey/own_program.h"
#include "core/trace/times.h"

#include <CLI/CLI.hpp>
#include <thread>

namespace cutaway::cli {

namespace {

namespace fs = std::filesystem;

struct ReportArguments {
    RequestArguments arguments;
    std::string output;
    bool withModels = false;
    bool isInteractive = false;
    std::string profile, trace;          ///< files with measured times for an interactive page
    std::optional<std::string> pipeline; ///< the pipeline whose states an interactive page shows; "": the default one
};

std::string suffixOf(const std::string &output) { return std::filesystem::path(output).extension().string(); }

/// Writes the reports of all models into a folder beside the survey's, "zoo.models" for "zoo.html", and returns links.
Result<survey::ReportLinks> reportModels(const std::vector<survey::Entry> &entries, const fs::path &output)
{
    const Interruption interruption;
    const survey::Workers workers{.command = {survey::ownProgram(), "report"},
                                  .count = std::max(1U, std::thread::hardware_concurrency())};
    const fs::path folder = fs::path(output).replace_extension("models");
    CUTAWAY_TRY(auto names, survey::writeModelReports(entries, folder, workers, {interruption.token(), {}}));
    for (auto &[path, name] : names)
        name = (folder.filename() / name).string();
    return names;
}

/// Writes a report of all models of a survey.
Result<void> writeSurvey(const std::string &file, const std::string &output, bool withModels)
{
    const std::string suffix = suffixOf(output);
    if (suffix != ".md" && suffix != ".html")
        return usageError("the report of a survey is .md or .html, not " + suffix);
    CUTAWAY_TRY(const auto database, survey::Database::read(file));
    CUTAWAY_TRY(const auto entries, database.entries());
    CUTAWAY_TRY(const auto links, withModels ? reportModels(entries, output) : Result<survey::ReportLinks>());
    const report::Document document = survey::zooReport(entries, links);
    return writeWholeFile(output, suffix == ".html" ? report::html(document, {}) : report::markdown(document));
}

// ---- the interactive page

/// Runs the pipeline and returns the states of the function after each pass. Errors: a pass fails.
Result<passes::History> historyOf(const Request &request, const std::string &pipeline)
{
    CUTAWAY_TRY(const auto passes, readPipeline(pipeline));
    const auto &[model, function] = request.opened;
    passes::History history(std::make_shared<const ir::Model>(model), function, request.given);
    history.run(passes);
    if (history.failure())
        return std::unexpected(history.failure()->error);
    return history;
}

/// Returns the measured times of the nodes, from a saved profile or a trace; null if neither is given. Errors: those of
/// readProfile(), reopen() and trace::read().
Result<std::shared_ptr<const run::Timing>> timesFor(const Request &request, const ReportArguments &options)
{
    const auto &[model, function] = request.opened;
    if (!options.profile.empty()) {
        CUTAWAY_TRY(const auto saved, withSubject(options.profile, run::readProfile(options.profile)));
        CUTAWAY_TRY(auto reopened, run::reopen(saved, model, function));
        for (const std::string &note : reopened.notes)
            std::fprintf(stderr, "cutaway: note: %s\n", note.c_str());
        return std::make_shared<const run::Timing>(std::move(reopened.timing));
    }
    if (options.trace.empty())
        return nullptr;
    CUTAWAY_TRY(const auto recorded, withSubject(options.trace, trace::read(options.trace)));
    const auto analysis = report::analysedAsRun(model, function, request.given, recorded, nullptr);
    return std::make_shared<const run::Timing>(
        trace::timesOf(recorded, trace::link(recorded, model, analysis, nullptr)));
}

/// Writes the interactive page of a sequence of graphs, as a compiler's log has them.
Result<void> writePage(const sequence::Sequence &sequence, const ReportArguments &options)
{
    const RequestArguments &asked = options.arguments;
    if (!options.profile.empty() || !options.trace.empty())
        return usageError("measured times are of a model, not of a sequence of graphs");
    if (options.pipeline || !asked.bindings.empty() || !asked.inputs.empty() || !asked.function.empty())
        return usageError(
            "a sequence of graphs has its own states and sizes: leave out --pipeline, --bind, --input and "
            "--function");
    CUTAWAY_TRY(const auto device, analysis::findDevice(asked.device));
    CUTAWAY_TRY(const auto history, sequence::historyOf(sequence));
    const report::Subject subject{*history.modelAfter(0), history.function(), history.given(), {&device, nullptr}};
    CUTAWAY_TRY(const auto page, report::interactivePage(subject, {&history}));
    return writeWholeFile(options.output, page);
}

Result<void> writePage(const std::string &file, const ReportArguments &options)
{
    CUTAWAY_TRY(const auto found, sequence::find(std::span(&file, 1)));
    if (const auto *sequence = std::get_if<sequence::Sequence>(&found))
        return writePage(*sequence, options);
    if (std::holds_alternative<sequence::Document>(found))
        return usageError("the file has several sequences of graphs, which 'cutaway-cli steps' lists; name one: " + file
                          + "#0/0");
    CUTAWAY_TRY(const Request &request, kept(readRequest(file, options.arguments)));
    const auto &[model, function] = request.opened;
    std::optional<passes::History> history;
    if (options.pipeline) {
        CUTAWAY_TRY(history, historyOf(request, *options.pipeline));
    }
    const report::Subject subject{model, function, request.given, {request.devicePlace(), nullptr}};
    CUTAWAY_TRY(const auto times, timesFor(request, options));
    CUTAWAY_TRY(const auto page, report::interactivePage(subject, {history ? &*history : nullptr, times}));
    return writeWholeFile(options.output, page);
}

Result<void> makeReport(const std::string &file, ReportArguments options)
{
    if (survey::isDatabase(file))
        return options.isInteractive ? usageError("an interactive page is of one model, not of a survey")
                                     : writeSurvey(file, options.output, options.withModels);
    if (options.arguments.device.empty()) {
        CUTAWAY_TRY(const auto device, analysis::defaultDevice());
        options.arguments.device = device.id;
    }
    if (options.isInteractive)
        return writePage(file, options);
    CUTAWAY_TRY(const Request &request, kept(readRequest(file, options.arguments)));
    const auto &[model, function] = request.opened;
    const report::Additions additions{request.devicePlace(), request.sweepPlace()};
    return report::writeReport({model, function, request.given, additions}, request.function.has_value(),
                               options.output);
}

/// Returns why a report cannot have this name, or "". It is checked before reading, so that a wrong name fails at once.
std::string checkReportSuffix(const std::string &output)
{
    const std::string suffix = suffixOf(output);
    if (report::isReportSuffix(suffix))
        return {};
    return "the report's name must end in .md, .html, .json or .csv, not '" + suffix + "'";
}

} // namespace

Action declareReport(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<ReportArguments>();
    declareRequest(command, file, options->arguments);
    command.add_option("-o,--output", options->output, "The report: .md, .html, .json or .csv (a row per node)")
        ->required()
        ->type_name("REPORT")
        ->check(checkReportSuffix);
    command.add_flag("--with-models", options->withModels,
                     "Of a survey: also write the report of each model, into a folder beside, and link them");
    auto *interactive = command.add_flag(
        "--interactive", options->isInteractive,
        "Write a page (.html) in which one opens modules, searches, reads nodes and colours by a figure");
    command
        .add_option("--pipeline", options->pipeline,
                    "Of an interactive page: also step through the states after these passes, see 'passes run'")
        ->type_name("PASSES")
        ->needs(interactive);
    auto *profile = command
                        .add_option("--profile", options->profile,
                                    "Of an interactive page: also the times of a saved profile, see 'profile --json'")
                        ->type_name("PROFILE")
                        ->needs(interactive);
    command
        .add_option("--trace", options->trace,
                    "Of an interactive page: also the times of a run that was recorded elsewhere, see 'trace'")
        ->type_name("TRACE")
        ->needs(interactive)
        ->excludes(profile);
    command.callback([options] {
        if (options->isInteractive && suffixOf(options->output) != ".html")
            throw CLI::ValidationError("--interactive", "an interactive page is .html");
        if (options->isInteractive && !options->arguments.sweep.empty())
            throw CLI::ExcludesError("--sweep", "--interactive");
        if (suffixOf(options->output) == ".csv" && !options->arguments.sweep.empty())
            throw CLI::ExcludesError("--sweep", "a .csv report, which has a row per node");
    });
    command.footer(
        "Without --device times are those of this machine if 'cutaway-cli devices calibrate' has measured it,\n"
        "else of h100-sxm.\n\n"
        "Examples:\n"
        "  cutaway-cli report resnet50.pt2 -o resnet50.html\n"
        "  cutaway-cli report llama.pt2 -o llama.md --bind s0=1,s1=2048 --device h200-sxm\n"
        "  cutaway-cli report bert.onnx -o bert.html --bind seq=128 --sweep batch=1:256\n"
        "  cutaway-cli report resnet50.pt2 -o page.html --interactive --pipeline optimize\n"
        "  cutaway-cli report resnet50.pt2 -o page.html --interactive --profile times.json\n"
        "  cutaway-cli report 'run.log#0/0' -o page.html --interactive (what torch.compile did)\n"
        "  cutaway-cli report zoo.db -o zoo.html (of a survey)\n"
        "  cutaway-cli report zoo.db -o zoo.html --with-models");
    return [options, &file] { return makeReport(file, *options).transform([] { return std::string(); }); };
}

} // namespace cutaway::cli
