// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/inspect.h"
#include "app/cli/assertions.h"
#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "core/base/result.h"
#include "core/report/timing/sweep_report.h"
#include "core/request/model_figures.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct InspectOptions {
    RequestArguments arguments;
    bool json = false;
    bool csv = false;
    std::vector<std::string> assertions;
};

std::string sweepIn(const InspectOptions &options, const Request &request)
{
    if (options.csv)
        return report::sweepCsv(*request.sweep);
    return options.json ? report::sweepJson(request.opened.model, *request.sweep, request.devicePlace()) + "\n"
                        : report::sweepText(*request.sweep, request.devicePlace());
}

std::string reportIn(const InspectOptions &options, const Request &request)
{
    if (request.sweep)
        return sweepIn(options, request);
    const auto &[model, function] = request.opened;
    const report::Additions additions{request.devicePlace(), nullptr};
    return options.json ? report::inspectJson(model, request.given, request.function, additions) + "\n"
                        : report::inspectText(model, request.given, function, additions);
}

std::vector<std::string> brokenOf(const std::vector<request::Assertion> &assertions, const Request &request)
{
    if (assertions.empty())
        return {};
    const auto &[model, function] = request.opened;
    return request::broken(assertions, request::figuresOf(model, analysis::analyse(model, function, request.given)));
}

Result<Answer> inspect(const std::string &file, const InspectOptions &options)
{
    CUTAWAY_TRY(const auto assertions, request::parseAssertions(options.assertions, request::modelFigures()));
    CUTAWAY_TRY(const Request &request, kept(readRequest(file, options.arguments)));
    return held(reportIn(options, request), brokenOf(assertions, request), options.json);
}

} // namespace

Action declareInspect(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<InspectOptions>();
    declareRequest(command, file, options->arguments);
    auto *json = command.add_flag("--json", options->json,
                                  "Write the whole report as JSON (schema cutaway.report/1; a sweep: cutaway.sweep/1)");
    command.add_flag("--csv", options->csv, "Write a sweep as CSV")->needs("--sweep")->excludes(json);
    declareAssertions(
        command, options->assertions,
        "flops, macs, params, nodes; bytes that nodes move, of weights, at the peak; names: ops, and inputs "
        "and outputs (dtypes), as ops!~Loop")
        ->excludes("--sweep");
    command.footer("Examples:\n"
                   "  cutaway-cli inspect resnet50.pt2\n"
                   "  cutaway-cli inspect bert.onnx --json --input input_ids=1x128:int64\n"
                   "  cutaway-cli inspect pad.onnx --input pads=[0,0,1,1] --input x=@x.npy\n"
                   "  cutaway-cli inspect llama.pt2 --json --bind s0=4,s1=2048 --device h100-sxm\n"
                   "  cutaway-cli inspect llama.pt2 --bind s1=2048 --sweep s0=1:64:*2 --csv\n"
                   "  cutaway-cli inspect resnet50.onnx --assert 'flops<=8.2G' --assert 'peak<64MiB,ops!~Loop'");
    return [options, &file] { return inspect(file, *options); };
}

} // namespace cutaway::cli
