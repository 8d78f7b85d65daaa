// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/running.h"
#include "core/base/result.h"

#include "core/analysis/shapes.h"
#include "core/base/located.h"
#include "core/base/unique_names.h"
#include "core/report/timing/activation_report.h"
#include "core/report/timing/run_report.h"
#include "core/run/tensor_file.h"
#include "core/run/values/activations.h"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace cutaway::cli {

namespace {

struct RunOptions {
    RunArguments arguments;
    std::string folder;
    bool json = false;
    bool statistics = false;
    bool csv = false;
};

/// Writes each result that is a tensor to a file. If a value is returned twice, the files get different names.
Result<void> save(const run::Outcome &outcome, const std::filesystem::path &folder)
{
    UniqueNames names;
    for (const run::Output &output : outcome.outputs)
        if (const auto *tensor = std::get_if<protocol::Tensor>(&output.content))
            CUTAWAY_RETURN_IF_ERROR(run::writeTensor(*tensor, folder, names.fresh(output.name)));
    return {};
}

std::string textOf(const report::RunStatistics &run, const RunOptions &options)
{
    if (options.json)
        return report::runJson(run.activations.outcome, &run) + "\n";
    return options.csv ? report::statisticsCsv(run) : report::statisticsText(run);
}

/// Runs the model with statistics of all values. The answer is "no" if a node makes a NaN or an infinity.
Result<Answer> runForStatistics(run::Backend &backend, const Running &running, const RunOptions &options)
{
    const Opened &opened = running.opened;
    const analysis::Shapes shapes = analysis::inferShapes(opened.model, opened.function, running.with.given);
    CUTAWAY_TRY(const auto activations,
                noted(running.with.note, run::activationsOf(backend, running.subject(), running.with.inputs, shapes)));
    if (!options.folder.empty())
        CUTAWAY_RETURN_IF_ERROR(save(activations.outcome, options.folder));
    const report::RunStatistics run{opened.model, opened.function, activations,
                                    run::notFinite(opened.model, opened.function, activations)};
    Answer answer(textOf(run, options), !run.notFinite.empty());
    if (options.csv)
        answer.remarks = report::notFiniteLines(run);
    else if (!options.json && !running.with.note.empty())
        answer.text += running.with.note + "\n";
    return answer;
}

Result<Answer> runModel(const std::string &file, const RunOptions &options)
{
    CUTAWAY_TRY(const auto begun, begin(file, options.arguments));
    const Running &running = begun.running;
    if (options.statistics)
        return runForStatistics(*begun.backend, running, options);
    CUTAWAY_TRY(const auto outcome,
                noted(running.with.note, begun.backend->run(running.subject(), running.with.inputs, {})));
    if (!options.folder.empty())
        CUTAWAY_RETURN_IF_ERROR(save(outcome, options.folder));
    if (options.json)
        return report::runJson(outcome) + "\n";
    return report::runText(outcome) + (running.with.note.empty() ? "" : running.with.note + "\n");
}

} // namespace

Action declareRun(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<RunOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    declareRun(command, options->arguments);
    command.add_option("--save", options->folder, "Write each result as NAME.npy")->type_name("FOLDER");
    auto *json = command.add_flag("--json", options->json, "Write JSON (schema cutaway.run/1)");
    auto *statistics = command.add_flag("--statistics", options->statistics,
                                        "Report the range, mean, zeros, NaNs and infinities of each value, and the "
                                        "node that makes the first NaN or infinity");
    command
        .add_flag("--csv", options->csv, "Write the statistics as CSV, a row per node, for --data of draw and query")
        ->needs(statistics)
        ->excludes(json);
    command.footer(
        "Without --backend, ONNX models run in ONNX Runtime, others in torch or, where its plugin is missing, in\n"
        "Cutaway's own evaluator: slow, and for graphs of operators that it has a rule for (docs/operators.md,\n"
        "column 'evaluated'), control flow, calls and writes in place. It draws no random numbers. Inputs that are\n"
        "not given are random.\n\n"
        "--statistics takes them while values appear; where a plugin runs the model, in several runs if they are "
        "many.\n"
        "Exit code 1: a node makes a NaN or an infinity of what has none. A -inf in a mask is none.\n\n"
        "Examples:\n"
        "  cutaway-cli run resnet50.onnx --bind N=1\n"
        "  cutaway-cli run small.pt2 --input x=@x.npy --save results\n"
        "  cutaway-cli run half.onnx --statistics\n"
        "  cutaway-cli run half.onnx --statistics --csv > run.csv\n"
        "  cutaway-cli draw half.onnx -o half.svg --data run.csv --colour-by data.run.magnitude");
    return [options, &file] { return runModel(file, *options); };
}

} // namespace cutaway::cli
