// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/inspect.h"
#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "core/report/timing/sweep_report.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct InspectOptions {
    RequestArguments arguments;
    bool json = false;
    bool csv = false;
};

std::string sweepIn(const InspectOptions &options, const Request &request)
{
    if (options.csv)
        return report::sweepCsv(*request.sweep);
    return options.json ? report::sweepJson(request.opened.model, *request.sweep, request.devicePlace()) + "\n"
                        : report::sweepText(*request.sweep, request.devicePlace());
}

Result<std::string> inspect(const std::string &file, const InspectOptions &options)
{
    const Result<Request> &request = kept(readRequest(file, options.arguments));
    if (!request)
        return std::unexpected(request.error());
    if (request->sweep)
        return sweepIn(options, *request);
    const auto &[model, function] = request->opened;
    const report::Additions additions{request->devicePlace(), nullptr};
    return options.json ? report::inspectJson(model, request->given, request->function, additions) + "\n"
                        : report::inspectText(model, request->given, function, additions);
}

} // namespace

Action declareInspect(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<InspectOptions>();
    declareRequest(command, file, options->arguments);
    auto *json = command.add_flag("--json", options->json,
                                  "Write the whole report as JSON (schema cutaway.report/1; a sweep: cutaway.sweep/1)");
    command.add_flag("--csv", options->csv, "Write a sweep as CSV")->needs("--sweep")->excludes(json);
    command.footer("Examples:\n"
                   "  cutaway-cli inspect resnet50.pt2\n"
                   "  cutaway-cli inspect bert.onnx --json --input input_ids=1x128:int64\n"
                   "  cutaway-cli inspect pad.onnx --input pads=[0,0,1,1] --input x=@x.npy\n"
                   "  cutaway-cli inspect llama.pt2 --json --bind s0=4,s1=2048 --device h100-sxm\n"
                   "  cutaway-cli inspect llama.pt2 --bind s1=2048 --sweep s0=1:64:*2 --csv");
    return [options, &file] { return inspect(file, *options); };
}

} // namespace cutaway::cli
