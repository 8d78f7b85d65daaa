// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/opened.h"
#include "app/cli/request.h"
#include "core/report/traces/trace_report.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace cutaway::cli {

namespace {

struct TraceOptions {
    std::string model, trace;
    RequestArguments arguments;
    bool json = false;
    bool csv = false;
};

Result<Answer> linkTrace(const TraceOptions &options)
{
    CUTAWAY_TRY(const trace::Trace &recorded, trace::read(options.trace));
    const Result<Request> &request = kept(readRequest(options.model, options.arguments));
    if (!request)
        return std::unexpected(request.error());
    const ir::Model &model = request->opened.model;
    const auto analysis = analysis::analyse(model, request->opened.function, request->given);
    // A graph of a log has an address and no file, and kernels, whose nodes the log knows.
    std::error_code error;
    const auto step =
        std::filesystem::exists(options.model, error) ? std::nullopt : std::optional(sequence::findStep(options.model));
    report::TraceReport report{options.model, options.trace, model, analysis, recorded, {}, {}};
    report.linked = trace::link(recorded, model, analysis, step && *step ? &**step : nullptr);
    report.summary = trace::summaryOf(recorded, report.linked, model.at(request->opened.function).graph);
    return options.json ? report::traceJson(report) + "\n"
        : options.csv   ? report::traceCsv(report)
                        : report::traceText(report);
}

} // namespace

Action declareTrace(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<TraceOptions>();
    command.add_option("MODEL", options->model, "The model that was run, or a graph of a log of torch.compile")
        ->required()
        ->type_name("");
    command.add_option("TRACE", options->trace, "What torch.profiler or ONNX Runtime recorded, packed by gzip or not")
        ->required()
        ->type_name("");
    command.add_option("--bind", options->arguments.bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    command.add_option("--function", options->arguments.function, "The function that was run instead of the main one")
        ->type_name("NAME");
    auto *json = command.add_flag("--json", options->json, "Write JSON (schema cutaway.trace/1)");
    command.add_flag("--csv", options->csv, "Write a table with a row per node")->excludes(json);
    command.footer("Examples:\n"
                   "  cutaway-cli trace resnet50.pt2 run.pt.trace.json.gz\n"
                   "  cutaway-cli trace bert.onnx onnxruntime_profile.json --csv > times.csv\n"
                   "  cutaway-cli trace 'run.log#0/0/inductor_post_grad_graph' compiled.trace.json");
    return [options, &file] {
        file = options->model;
        return linkTrace(*options);
    };
}

} // namespace cutaway::cli
