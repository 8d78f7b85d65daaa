// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/running.h"
#include "core/base/whole_file.h"
#include "core/ops/dim_arithmetic.h"
#include "core/report/assertion.h"
#include "core/report/timing_report.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct Options {
    RunWishes wishes;
    double seconds = 5;
    std::string csv, trace, assertions;
    bool json = false;
};

/// What can be asserted: seconds and bytes.
std::map<std::string, double> figuresOf(const report::TimedFunction &function)
{
    std::map<std::string, double> figures{
        {"time", function.timing.whole.median}, {"p95", function.timing.whole.p95}, {"sum", function.timing.sum()}};
    if (const auto peak = ops::number(function.analysis.totals.peakBytes))
        figures["peak"] = static_cast<double>(*peak);
    if (function.timing.peakBytes)
        figures["memory"] = static_cast<double>(function.timing.peakBytes);
    return figures;
}

Result<void> writeFiles(const report::TimedFunction &function, const Options &options)
{
    if (!options.csv.empty())
        if (auto written = writeWholeFile(options.csv, report::timingCsv(function)); !written)
            return written;
    return options.trace.empty() ? Result<void>() : writeWholeFile(options.trace, report::timingTrace(function));
}

Result<Answer> profile(const std::string &file, const Options &options)
{
    const auto assertions = options.assertions.empty() ? Result<std::vector<report::Assertion>>()
                                                       : report::parseAssertions(options.assertions);
    if (!assertions)
        return std::unexpected(assertions.error());
    const auto running = readRunning(file, options.wishes);
    if (!running)
        return std::unexpected(running.error());
    const auto backend = backendFor(running->opened.model, options.wishes);
    if (!backend)
        return std::unexpected(backend.error());
    const auto timing = run::measure(**backend, running->subject(), running->inputs, options.seconds, {});
    if (!timing)
        return std::unexpected(running->explained(timing.error()));
    const auto analysis = analysis::analyse(running->opened.model, running->opened.function, running->given);
    const report::TimedFunction function{running->opened.model, analysis, *timing};
    if (const auto written = writeFiles(function, options); !written)
        return std::unexpected(written.error());
    const auto lines = report::broken(*assertions, figuresOf(function));
    if (!lines)
        return std::unexpected(lines.error());
    std::string text = options.json ? report::timingJson(function) + "\n" : report::timingText(function);
    if (!options.json)
        for (const std::string &line : *lines)
            text += line + "\n";
    return Answer(std::move(text), !lines->empty());
}

} // namespace

Action declareProfile(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<Options>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    declareRunWishes(command, options->wishes);
    command
        .add_option("--seconds", options->seconds, "How long at most: once as it is, once with a clock at each node")
        ->check(CLI::Range(0.01, 3600.0))
        ->type_name("S")
        ->capture_default_str();
    command.add_option("--csv", options->csv, "Write a row per node")->type_name("FILE");
    command.add_option("--trace", options->trace, "Write one run for a trace viewer, as Perfetto")->type_name("FILE");
    command
        .add_option("--assert", options->assertions,
                    "What must hold, else exit code 1: time<5ms,peak<100MB; figures are time and p95 of a run, sum of "
                    "the nodes, peak of activations, memory of the process")
        ->type_name("FIGURE<LIMIT,...");
    command.add_flag("--json", options->json, "Write JSON (schema cutaway.profile/1)");
    command.footer("Examples:\n"
                   "  cutaway-cli profile resnet50.onnx --bind N=1\n"
                   "  cutaway-cli profile resnet50.onnx --optimization none --csv nodes.csv --trace run.json\n"
                   "  cutaway-cli profile resnet50.onnx --threads 1 --assert 'time<50ms,peak<100MB'");
    return [options, &file] { return profile(file, *options); };
}

} // namespace cutaway::cli
