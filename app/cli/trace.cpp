// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/assertions.h"
#include "app/cli/commands.h"
#include "app/cli/report_output.h"
#include "app/cli/request.h"
#include "core/report/traces/trace_comparison.h"
#include "core/report/traces/trace_report.h"
#include "core/request/model_figures.h"
#include "core/trace/recorded_model.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace cutaway::cli {

namespace {

struct TraceOptions {
    std::vector<std::string> files; ///< the file of the model, if there is one, and that of the trace
    std::string against;
    RequestArguments arguments;
    std::vector<std::string> assertions;
    ReportOutput report;
    bool json = false;
    bool csv = false;

    const std::string &trace() const { return files.back(); }
    std::string model() const { return files.size() > 1 ? files.front() : ""; }
};

/// A model that was given, or one that is made of a trace alone.
struct TracedModel {
    Opened opened;
    analysis::Analysis analysis;
    std::optional<sequence::FoundStep> step; ///< the step that an address in a log names, whose graph is the model
    std::optional<analysis::Device> device;  ///< the device that the user names
};

Result<TracedModel> tracedModel(const TraceOptions &options, const trace::Trace &recorded)
{
    if (options.model().empty()) {
        Opened opened{trace::recordedModel(recorded), ir::FunctionId{0}};
        auto analysis = analysis::analyse(opened.model, opened.function);
        return TracedModel{std::move(opened), std::move(analysis), {}, {}};
    }
    CUTAWAY_TRY(Request request, readRequest(options.model(), options.arguments));
    auto step = sequence::stepOfLog(options.model());
    auto analysis = report::analysedAsRun(request.opened.model, request.opened.function, std::move(request.given),
                                          recorded, step ? &*step : nullptr);
    return TracedModel{std::move(request.opened), std::move(analysis), std::move(step), std::move(request.device)};
}

Result<report::TraceReport> reportOf(const TracedModel &model, const trace::Trace &recorded, const std::string &path,
                                     const TraceOptions &options)
{
    return report::measuredReport({.modelPath = options.model(),
                                   .tracePath = path,
                                   .model = model.opened.model,
                                   .analysis = model.analysis,
                                   .trace = recorded},
                                  model.step ? &*model.step : nullptr, model.device);
}

/// Returns the figures that can be asserted: those of a trace, and those of the model.
std::vector<request::NamedFigure> traceFigures()
{
    using request::FigureUnit;
    std::vector<request::NamedFigure> figures{{"time", FigureUnit::Seconds}, {"p95", FigureUnit::Seconds},
                                              {"sum", FigureUnit::Seconds},  {"device", FigureUnit::Seconds},
                                              {"memory", FigureUnit::Bytes}, {"linked", FigureUnit::Count},
                                              {"ratio", FigureUnit::Count}};
    std::ranges::copy(request::modelFigures(), std::back_inserter(figures));
    return figures;
}

request::Figure figure(std::optional<double> value, const char *whyUnknown = "")
{
    return {.value = value, .names = {}, .whyUnknown = value ? "" : whyUnknown};
}

request::Figures figuresOf(const report::TraceReport &report)
{
    constexpr double inSeconds = 1e-9;
    request::Figures figures = request::figuresOf(report.model, report.analysis);
    const protocol::Spread run = trace::durationsOf(report.linked);
    figures["time"] = figure(run.median);
    figures["p95"] = figure(run.p95);
    double sum = 0;
    for (const auto &[node, time] : report.summary.nodes)
        sum += time.median * inSeconds;
    figures["sum"] = figure(sum);
    const auto device = trace::deviceTimesOf(report.trace, report.linked);
    figures["device"] =
        figure(device ? std::optional(device->median) : std::nullopt, "the trace has no work on devices");
    std::optional<double> peak;
    for (const trace::MemoryUse &use : report.memory)
        peak = std::max(peak.value_or(0), static_cast<double>(use.peakBytes()));
    figures["memory"] = figure(peak, "the trace has no memory events");
    figures["linked"] = figure(100 * trace::linkedShare(report.linked));
    figures["ratio"] = figure(std::nullopt, "it needs --against");
    return figures;
}

Result<Answer> compareTraces(const report::TraceReport &a, const report::TraceReport &b, const TraceOptions &options,
                             const std::vector<request::Assertion> &assertions)
{
    const auto comparison = trace::compare({a.trace, a.linked, a.summary}, {b.trace, b.linked, b.summary}, a.graph());
    const report::TraceComparison compared{a.modelPath, a.tracePath, b.tracePath, a.graph(), comparison};
    std::string text;
    if (options.report.isWanted()) {
        CUTAWAY_TRY(text, written(report::traceComparisonDocument(compared), options.report));
    } else {
        text = options.json ? report::traceComparisonJson(compared) + "\n"
            : options.csv   ? report::traceComparisonCsv(compared)
                            : report::traceComparisonText(compared);
    }
    if (assertions.empty())
        return Answer(std::move(text), comparison.whole.verdict() == run::Verdict::Slower);
    request::Figures figures = figuresOf(b);
    figures["ratio"] = figure(comparison.whole.ratio(), "a run in A took no time");
    return held(std::move(text), request::broken(assertions, figures), options.json || options.csv);
}

Result<Answer> reportTrace(const report::TraceReport &report, const TraceOptions &options,
                           const std::vector<request::Assertion> &assertions)
{
    std::string text;
    if (options.report.isWanted()) {
        CUTAWAY_TRY(text, written(report::traceDocument(report), options.report));
    } else {
        text = options.json ? report::traceJson(report) + "\n"
            : options.csv   ? report::traceCsv(report)
                            : report::traceText(report);
    }
    return held(std::move(text), request::broken(assertions, figuresOf(report)), options.json || options.csv);
}

Result<Answer> linkTrace(const TraceOptions &options)
{
    CUTAWAY_TRY(const auto assertions, request::parseAssertions(options.assertions, traceFigures()));
    CUTAWAY_TRY(const trace::Trace &recorded, trace::read(options.trace()));
    CUTAWAY_TRY(const TracedModel &model, kept(tracedModel(options, recorded)));
    CUTAWAY_TRY(const auto first, reportOf(model, recorded, options.trace(), options));
    if (options.against.empty())
        return reportTrace(first, options, assertions);
    CUTAWAY_TRY(const trace::Trace &other, trace::read(options.against));
    CUTAWAY_TRY(const auto second, reportOf(model, other, options.against, options));
    return compareTraces(first, second, options, assertions);
}

void declareForms(CLI::App &command, TraceOptions &options)
{
    auto *json = command.add_flag("--json", options.json,
                                  "Write JSON (schema cutaway.trace/1, with --against cutaway.trace-comparison/1)");
    auto *csv = command.add_flag("--csv", options.csv, "Write a table with a row per node")->excludes(json);
    const auto [output, markdown] =
        declareReportOutput(command, options.report, "Write a report: .html or .md; with --against, the comparison");
    for (CLI::Option *form : {output, markdown})
        form->excludes(json)->excludes(csv);
}

} // namespace

Action declareTrace(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<TraceOptions>();
    command
        .add_option("FILES", options->files,
                    "The model that was run, or a graph of a log of torch.compile, and what torch.profiler or ONNX "
                    "Runtime recorded, packed by gzip or not; a trace alone tells its operators and modules")
        ->required()
        ->expected(1, 2)
        ->type_name("[MODEL] TRACE");
    command
        .add_option("--against", options->against,
                    "Compare with this trace of the same model: what is slower by more than the noise, new, gone "
                    "or moved; exit code 1: a run is slower beyond the noise, unless --assert decides")
        ->type_name("TRACE");
    command.add_option("--bind", options->arguments.bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    command.add_option("--function", options->arguments.function, "The function that was run instead of the main one")
        ->type_name("NAME");
    command
        .add_option("--device", options->arguments.device,
                    "Compare with the time that this processor needs at least, see 'cutaway-cli devices'; without "
                    "it, the one that the trace names")
        ->type_name("ID");
    declareAssertions(command, options->assertions,
                      "time and p95 of a run, sum of the nodes' times, device time of a run, memory at its peak, the "
                      "linked share in percent, with --against the ratio of the runs B / A, where the others are B's, "
                      "and those of inspect");
    declareForms(command, *options);
    command.footer("Examples:\n"
                   "  cutaway-cli trace resnet50.pt2 run.pt.trace.json.gz\n"
                   "  cutaway-cli trace run.pt.trace.json.gz\n"
                   "  cutaway-cli trace bert.onnx onnxruntime_profile.json --csv > times.csv\n"
                   "  cutaway-cli trace bert.onnx before.json --against after.json --assert 'ratio<1.05'\n"
                   "  cutaway-cli trace resnet50.pt2 run.pt.trace.json.gz --device h100-sxm -o run.html\n"
                   "  cutaway-cli trace 'run.log#0/0/inductor_post_grad_graph' compiled.trace.json");
    return [options, &file] {
        file = options->files.front();
        return linkTrace(*options);
    };
}

} // namespace cutaway::cli
