// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/inspect.h"
#include "app/cli/commands.h"
#include "app/cli/opened.h"
#include "core/report/given.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct Options {
    std::string function;
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
    bool json = false;
};

Result<std::string> inspect(const std::string &file, const Options &options)
{
    Result<Opened> opened = openModel(file, options.function);
    if (!opened)
        return std::unexpected(opened.error());
    auto &[model, function] = *opened;
    const Result<analysis::Given> given = report::readGiven(model, function, options.bindings, options.inputs);
    if (!given)
        return std::unexpected(given.error());
    if (!options.json)
        return report::inspectText(model, *given, function);
    const std::optional<ir::FunctionId> only = options.function.empty() ? std::nullopt : std::optional(function);
    return report::inspectJson(model, *given, only) + "\n";
}

} // namespace

Action declareInspect(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<Options>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command.add_flag("--json", options->json, "Write the whole report as JSON (schema cutaway.report/1)");
    command.add_option("--bind", options->bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    command.add_option("--input", options->inputs, "Fix the shape of an input: x=1x3x224x224:float32; a number: n=3")
        ->type_name("NAME=SHAPE:DTYPE")
        ->allow_extra_args(false);
    command.add_option("--function", options->function, "Report this function instead of all")->type_name("NAME");
    command.footer("Examples:\n"
                   "  cutaway-cli inspect resnet50.pt2\n"
                   "  cutaway-cli inspect bert.onnx --json --input input_ids=1x128:int64\n"
                   "  cutaway-cli inspect llama.pt2 --json --bind s0=4,s1=2048");
    return [options, &file] { return inspect(file, *options); };
}

} // namespace cutaway::cli
