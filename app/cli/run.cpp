// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/running.h"

#include "core/base/unique_names.h"
#include "core/report/timing/run_report.h"
#include "core/run/tensor_file.h"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace cutaway::cli {

namespace {

struct RunOptions {
    RunArguments arguments;
    std::string folder;
    bool json = false;
};

/// A value that is returned twice has one name, and its results two files.
Result<void> save(const run::Outcome &outcome, const std::filesystem::path &folder)
{
    UniqueNames names;
    for (const run::Output &output : outcome.outputs)
        if (const auto *tensor = std::get_if<protocol::Tensor>(&output.content))
            if (const auto written = run::writeTensor(*tensor, folder, names.fresh(output.name)); !written)
                return std::unexpected(written.error());
    return {};
}

Result<Answer> runModel(const std::string &file, const RunOptions &options)
{
    const auto begun = begin(file, options.arguments);
    if (!begun)
        return std::unexpected(begun.error());
    const Running &running = begun->running;
    const auto outcome = begun->backend->run(running.subject(), running.with.inputs, {});
    if (!outcome)
        return std::unexpected(running.explained(outcome.error()));
    if (!options.folder.empty())
        if (const auto saved = save(*outcome, options.folder); !saved)
            return std::unexpected(saved.error());
    if (options.json)
        return report::runJson(*outcome) + "\n";
    return report::runText(*outcome) + (running.with.note.empty() ? "" : running.with.note + "\n");
}

} // namespace

Action declareRun(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<RunOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    declareRun(command, options->arguments);
    command.add_option("--save", options->folder, "Write each result as NAME.npy")->type_name("FOLDER");
    command.add_flag("--json", options->json, "Write JSON (schema cutaway.run/1)");
    command.footer(
        "Without --backend, ONNX models run in ONNX Runtime, others in torch or, where its plugin is missing, in\n"
        "Cutaway's own evaluator: slow, and for graphs of operators that it has a rule for (docs/operators.md,\n"
        "column 'evaluated'), control flow, calls and writes in place. It draws no random numbers. Inputs that are\n"
        "not given are random.\n\n"
        "Examples:\n"
        "  cutaway-cli run resnet50.onnx --bind N=1\n"
        "  cutaway-cli run small.pt2 --input x=@x.npy --save results");
    return [options, &file] { return runModel(file, *options); };
}

} // namespace cutaway::cli
