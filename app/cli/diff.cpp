// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/diff.h"
#include "app/cli/commands.h"
#include "app/cli/opened.h"
#include "app/cli/request.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/report/difference.h"
#include "core/request/given.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace cutaway::cli {

namespace {

struct DiffOptions {
    std::string before, after;
    std::string function;
    std::vector<std::string> bindings, inputs;
    std::string output;
    bool json = false;
    bool markdown = false;
    bool noNames = false;
    bool weights = false;
};

/// A model and the analysis of the compared function.
struct Analysed {
    Opened opened;
    analysis::Analysis analysis;
};

Result<Analysed> analysed(const std::string &path, const DiffOptions &options)
{
    CUTAWAY_TRY(Opened opened, openModel(path, options.function));
    CUTAWAY_TRY(const auto given, request::readGiven(opened.model, opened.function, options.bindings, options.inputs));
    analysis::Analysis analysis = analysis::analyse(opened.model, opened.function, given.withoutTensors());
    return Analysed{std::move(opened), std::move(analysis)};
}

Result<Answer> compareModels(const DiffOptions &options)
{
    CUTAWAY_TRY(const Analysed before, withSubject(options.before, analysed(options.before, options)));
    CUTAWAY_TRY(const Analysed after, withSubject(options.after, analysed(options.after, options)));
    const diff::Side a{before.opened.model, before.analysis}, b{after.opened.model, after.analysis};
    const diff::Difference difference = diff::compare(a, b, {.useNames = !options.noNames});
    const report::Comparison comparison{a, b, difference};
    const bool isNo = !difference.isEqual() || !difference.isComplete();
    if (options.markdown)
        return Answer(report::differenceComment(comparison), isNo);
    const auto list = options.weights ? report::WeightList::All : report::WeightList::Brief;
    if (options.output.empty())
        return Answer(report::differenceIn(comparison, options.json ? ".json" : "", list), isNo);
    const std::string suffix = std::filesystem::path(options.output).extension().string();
    CUTAWAY_RETURN_IF_ERROR(
        withSubject(options.output, writeWholeFile(options.output, report::differenceIn(comparison, suffix, list))));
    return Answer("", isNo);
}

/// Returns why a report cannot have this name, or "". It is checked before reading, so that a wrong name fails at once.
std::string checkDifferenceSuffix(const std::string &output)
{
    const std::string suffix = std::filesystem::path(output).extension().string();
    if (report::isDifferenceSuffix(suffix))
        return {};
    return "the report's name must end in .html, .md, .json, .diff or .txt, not '" + suffix + "'";
}

} // namespace

Action declareDiff(CLI::App &command, std::string &)
{
    auto options = std::make_shared<DiffOptions>();
    command.add_option("A", options->before, "A model file")->required()->type_name("");
    command.add_option("B", options->after, "The file to compare with")->required()->type_name("");
    auto *json = command.add_flag("--json", options->json, "Write JSON (schema cutaway.diff/1)");
    auto *output =
        command.add_option("-o,--output", options->output, "Write a file instead: .html, .md, .json, .diff or .txt")
            ->type_name("FILE")
            ->check(checkDifferenceSuffix);
    command
        .add_flag("--markdown", options->markdown, "Write a comment for a pull request: totals, and the diff folded up")
        ->excludes(json)
        ->excludes(output);
    command.add_option("--function", options->function, "Compare this function of both files (default: the main one)")
        ->type_name("NAME");
    command.add_option("--bind", options->bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, options->inputs);
    command.add_flag("--no-names", options->noNames, "Match by structure alone");
    command.add_flag("--weights", options->weights,
                     "List each weight where many differ and nothing else does, in a text");
    command.footer(
        "Nodes are matched by structure, also across formats, and weights byte by byte. Exit code 1: they differ, or\n"
        "not everything could be compared.\n\n"
        "Examples:\n"
        "  cutaway-cli diff resnet50-old.pt2 resnet50-new.pt2\n"
        "  cutaway-cli diff resnet50.pt2 resnet50.onnx -o difference.html\n"
        "  cutaway-cli diff main/model.onnx model.onnx --markdown | gh pr comment --body-file -");
    return [options] { return compareModels(*options); };
}

} // namespace cutaway::cli
