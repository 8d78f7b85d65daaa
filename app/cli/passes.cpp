// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/pipeline.h"
#include "app/cli/request.h"
#include "app/cli/running.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/formats/format.h"
#include "core/ir/names.h"
#include "core/ir/text/text.h"
#include "core/passes/proof/bisect.h"
#include "core/passes/proof/number_check.h"
#include "core/passes/proof/reproducer.h"
#include "core/report/history/blame.h"
#include "core/report/step_pictures.h"
#include "core/report/steps.h"
#include "core/request/given.h"
#include "core/request/run_inputs.h"
#include "core/request/written_model.h"
#include "core/run/first_difference.h"
#include "core/run/number_check.h"
#include "core/run/tensor_file.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace cutaway::cli {

namespace {

struct PassesOptions {
    std::string pipeline;
    std::vector<std::string> patterns; ///< files with patterns
    std::string output;
    std::string sequence;
    std::optional<double> tolerance; ///< the tolerance of --bisect
    std::uint32_t seed = 1, seeds = 1;
    bool checksNumbers = false;
    std::string backend = run::evaluatorName; ///< the backend of the checks and the bisection
    std::string target = "local";
    std::string device;
    std::vector<std::string> libraries;
    std::string savedInputs;
    std::string reproducer = "cutaway-reproducer.json";
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
    std::string function;
    std::string subject; ///< the value of --of
    bool json = false;
    bool print = false;
};

/// Returns the pipeline that the user asks for, followed by a pass for each file of patterns.
Result<passes::Pipeline> pipelineOf(const PassesOptions &options)
{
    auto pipeline = options.pipeline.empty() && !options.patterns.empty() ? Result<passes::Pipeline>()
                                                                          : readPipeline(options.pipeline);
    for (const std::string &file : options.patterns) {
        const passes::Pass *pass = passes::findPass("replace-pattern").value();
        passes::Settings settings(pass->options);
        settings.set("file", file);
        CUTAWAY_TRY(auto prepared, pass->prepare(std::move(settings)));
        if (pipeline)
            pipeline->entries.push_back({pass, std::move(prepared)});
    }
    return pipeline;
}

Result<passes::Case> readCase(const std::string &file, const PassesOptions &options)
{
    CUTAWAY_TRY(auto kept, withPasses([&](auto others) { return passes::readReproducer(file, others); }));
    if (kept)
        return *std::move(kept);
    CUTAWAY_TRY(auto opened, openModel(file, options.function));
    return passes::Case{std::move(opened.model), opened.function, {}};
}

/// Explains a pass's failure and saves a reproducer.
Result<std::string> explainFailure(const passes::Failure &failure, const PassesOptions &options)
{
    const auto written = writeWholeFile(options.reproducer, failure.reproducer);
    Error error = failure.error;
    error.message +=
        written ? "; 'cutaway-cli passes run " + options.reproducer + "' does it again" : "; " + written.error().text();
    return std::unexpected(error);
}

Result<std::unique_ptr<run::Backend>> backendOf(const PassesOptions &options)
{
    return run::findBackend(options.backend, options.target,
                            {.device = options.device, .libraries = options.libraries});
}

/// Returns the check that computes the results after each step, by a backend or directly by the evaluator. For a
/// bisection, which compares values within the graph, and for tensors that the user gives, the evaluator, too, is used
/// as a backend.
Result<passes::NumberCheck> numberCheck(const passes::History &history, const run::GivenTensors &tensors,
                                        std::uint32_t seed, const PassesOptions &options)
{
    const ir::Model &first = *history.modelAfter(0);
    const auto check = [&]() -> Result<passes::NumberCheck> {
        if (options.backend == run::evaluatorName && !options.tolerance && tensors.empty())
            return passes::NumberCheck::of(first, history.function(), history.given(), {}, seed);
        CUTAWAY_TRY(auto backend, backendOf(options));
        CUTAWAY_TRY(auto with, request::runInputs(first, history.function(), history.given(), tensors, seed));
        return run::numberCheck(std::move(backend), {first, history.function(), std::nullopt}, std::move(with.inputs));
    };
    auto made = check();
    if (!made && made.error().kind == ErrorKind::Backend && options.backend == run::evaluatorName)
        made.error().message += "; another --backend may compute it";
    return made;
}

Result<std::vector<passes::NumberCheck>> numberChecks(const passes::History &history, const run::GivenTensors &tensors,
                                                      const PassesOptions &options)
{
    std::vector<passes::NumberCheck> checks;
    for (std::uint32_t i = 0; i < options.seeds; ++i) {
        CUTAWAY_TRY(auto check, numberCheck(history, tensors, options.seed + i, options));
        checks.push_back(std::move(check));
    }
    return checks;
}

/// Describes where in the graph a step makes values differ, for the inputs of a seed.
Result<std::string> placeText(const passes::History &history, std::size_t step, const run::GivenTensors &tensors,
                              std::uint32_t seed, const PassesOptions &options)
{
    CUTAWAY_TRY(auto backend, backendOf(options));
    const auto &before = history.modelAfter(step - 1), &after = history.modelAfter(step);
    CUTAWAY_TRY(const auto with, request::runInputs(*before, history.function(), history.given(), tensors, seed));
    CUTAWAY_TRY(const auto found,
                run::firstDifference(*backend, *before, *after, history.function(), with.inputs, *options.tolerance));
    const auto nameIn = [&](const ir::Model &model, ir::NodeId node) {
        return ir::nameOf({model.at(history.function()).graph, node});
    };
    std::string text;
    if (found.lastEqual)
        text += formatted("equal up to        {}\n", nameIn(*before, *found.lastEqual));
    if (found.firstDifferent)
        text += formatted("different from     {}, by {:.3g}\n", nameIn(*before, *found.firstDifferent), found.largest);
    for (const ir::NodeId node : found.changed)
        text += formatted("changed in between {}\n", nameIn(*after, node));
    return text;
}

Result<void> saveInputs(const passes::History &history, const run::GivenTensors &tensors, std::uint32_t seed,
                        const std::string &folder)
{
    CUTAWAY_TRY(const auto with,
                request::runInputs(*history.modelAfter(0), history.function(), history.given(), tensors, seed));
    for (const run::Input &input : with.inputs) {
        const auto *drawn = std::get_if<protocol::DrawnTensor>(&input.content);
        const auto *given = std::get_if<protocol::Tensor>(&input.content);
        if (!drawn && !given)
            continue;
        CUTAWAY_TRY(const auto tensor, drawn ? run::tensorOf(*drawn) : Result<protocol::Tensor>(*given));
        CUTAWAY_RETURN_IF_ERROR(run::writeTensor(tensor, folder, input.name));
    }
    return {};
}

/// Describes how results differ after step `number`, for the first seed that shows it. The answer is "no".
Result<Answer> badStep(const passes::History &history, std::size_t number, std::span<const passes::NumberCheck> checks,
                       const run::GivenTensors &tensors, const PassesOptions &options)
{
    const passes::Step &step = history.steps()[number - 1];
    std::uint32_t seed = options.seed;
    for (const passes::NumberCheck &check : checks) {
        const auto error = check.largestError(*step.model);
        if (!error)
            return Answer(formatted("step {}, {}: {}\n", number, step.title(), error.error().text()), true);
        if (*error > *options.tolerance) {
            if (!options.savedInputs.empty())
                CUTAWAY_RETURN_IF_ERROR(saveInputs(history, tensors, seed, options.savedInputs));
            const auto place = placeText(history, number, tensors, seed, options);
            return Answer(formatted("step {}, {}: from here on the results differ by {:.3g}, more than {:g}{}\n",
                                    number, step.title(), *error, *options.tolerance,
                                    checks.size() > 1 ? formatted(" (seed {})", seed) : "")
                              + (place ? *place : "where in the graph is not known: " + place.error().text() + "\n"),
                          true);
        }
        ++seed;
    }
    return std::unexpected(Error{ErrorKind::Backend, "the results differ from one run to the next", {}});
}

/// Finds the step that makes the results differ, and where. The answer is "no" if there is one.
Result<Answer> bisect(const passes::History &history, std::span<const passes::NumberCheck> checks,
                      const run::GivenTensors &tensors, const PassesOptions &options)
{
    const double tolerance = *options.tolerance;
    const auto isGood = [&](const ir::Model &state) -> Result<bool> {
        for (const passes::NumberCheck &check : checks)
            if (const auto good = check.isWithin(tolerance, state); !good || !*good)
                return good;
        return true;
    };
    CUTAWAY_TRY(const auto bad, passes::firstBadStep(history, isGood));
    return bad ? badStep(history, *bad, checks, tensors, options)
               : Answer(formatted("{}; none changes the results by more than {:g}\n",
                                  quantity(history.steps().size(), "step"), tolerance));
}

Result<void> writeLast(const passes::History &history, const ir::Model &asRead, const std::string &path)
{
    const request::States states{asRead, *history.modelAfter(0), *history.modelAfter(history.steps().size())};
    CUTAWAY_TRY(const auto model, request::modelToWrite(states, history.function(), history.given(), path));
    return formats::write(model, path);
}

Result<std::string> blame(const passes::History &history, const PassesOptions &options)
{
    if (options.json)
        return report::blameJson(history, options.subject).transform([](const std::string &json) {
            return json + "\n";
        });
    return report::blameText(history, options.subject);
}

/// Makes the history check its numbers after each step. Errors: those that prevent the check. It is not an error if the
/// backend cannot compute the model: the steps report it.
Result<void> checkNumbers(passes::History &history, const run::GivenTensors &tensors, const PassesOptions &options)
{
    auto checks = numberChecks(history, tensors, options);
    if (!checks && checks.error().kind != ErrorKind::Backend)
        return std::unexpected(checks.error());
    auto check =
        checks ? passes::NumberCheck::worstOf(std::move(*checks)) : passes::NumberCheck::unable(checks.error());
    history.checkNumbers(std::make_shared<const passes::NumberCheck>(std::move(check)));
    return {};
}

/// Writes the files that the user asks for. The state after the last step is written only if all steps are verified.
Result<void> writeStates(const passes::History &history, const ir::Model &asRead, const PassesOptions &options)
{
    if (!options.output.empty() && !history.firstUnverified())
        CUTAWAY_RETURN_IF_ERROR(writeLast(history, asRead, options.output));
    if (!options.sequence.empty())
        CUTAWAY_RETURN_IF_ERROR(report::writeStepPictures(history, options.sequence));
    return {};
}

Result<std::string> textOf(const passes::History &history, const PassesOptions &options)
{
    if (!options.subject.empty())
        return blame(history, options);
    if (options.print)
        return ir::printText(*history.modelAfter(history.steps().size()), history.function(), ir::TextForm::Reading);
    if (options.json)
        return report::stepsJson(history) + "\n";
    const bool isMissing = !options.output.empty() && history.firstUnverified();
    return report::stepsText(history) + (isMissing ? options.output + " is not written.\n" : "");
}

Result<Answer> runPasses(const std::string &file, const PassesOptions &options)
{
    CUTAWAY_TRY(auto pipeline, pipelineOf(options));
    const bool hasPipeline = !options.pipeline.empty() || !options.patterns.empty();
    CUTAWAY_TRY(auto read, readCase(file, options));
    auto &[model, function, rest] = read;
    const ir::Model asRead = model;
    CUTAWAY_TRY(auto given, request::readGiven(model, function, options.bindings, options.inputs));
    passes::History history(std::make_shared<const ir::Model>(std::move(model)), function, given.withoutTensors());
    if (rest && !hasPipeline)
        pipeline = *rest;
    if (options.tolerance) {
        CUTAWAY_TRY(const auto checks, numberChecks(history, given.tensors, options));
        history.run(pipeline);
        return bisect(history, checks, given.tensors, options);
    }
    if (options.checksNumbers)
        CUTAWAY_RETURN_IF_ERROR(checkNumbers(history, given.tensors, options));
    history.run(pipeline);
    if (history.failure())
        return explainFailure(*history.failure(), options);
    CUTAWAY_RETURN_IF_ERROR(writeStates(history, asRead, options));
    return textOf(history, options).transform([&](std::string text) {
        return Answer(std::move(text), history.firstUnverified().has_value());
    });
}

/// Declares the options on how the numbers of the steps are checked.
void declareChecks(CLI::App &command, PassesOptions &options)
{
    command.add_flag(
        "--check-numbers", options.checksNumbers,
        "Compute the results on random inputs after each step and report their distance from the file's; exit "
        "code 1, and nothing is written, if they cannot be computed or are of other shapes");
    command
        .add_option(
            "--bisect", options.tolerance,
            "Only find the first step after which the results differ by more than this, and between which nodes; exit "
            "code 1 if there is one")
        ->check(CLI::NonNegativeNumber)
        ->type_name("TOLERANCE");
    command
        .add_option("--save-inputs", options.savedInputs,
                    "Write the inputs that show what --bisect finds as NAME.npy, for --input NAME=@NAME.npy")
        ->type_name("FOLDER");
    command.add_option("--seed", options.seed, "Seed of the random inputs")->type_name("N")->capture_default_str();
    command
        .add_option("--seeds", options.seeds,
                    "How many sets of random inputs to check, one for each seed from --seed on")
        ->check(CLI::Range(1, 1000))
        ->type_name("COUNT")
        ->capture_default_str();
    command
        .add_option(
            "--backend", options.backend,
            "Backend that computes the results: evaluator, exact and for small models, or a plugin such as torch")
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--target", options.target, "Target from targets.json that a plugin runs on")
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--device", options.device, "Device that a plugin runs on, such as cuda:0 (default: cpu)")
        ->type_name("ID");
    declareLibraries(command, options.libraries);
}

} // namespace

Action declarePasses(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<PassesOptions>();
    CLI::App *list = command.add_subcommand("list", "List all passes with their options");
    list->add_flag("--json", options->json, "Write the list as JSON (schema cutaway.pass-list/1)");
    CLI::App *run = command.add_subcommand("run", "Run passes over a model and report what each did");
    run->add_option("FILE", file, "The model file, or the reproducer of a failed run")->required()->type_name("");
    run->add_option(
           "--pipeline", options->pipeline,
           "Passes, for example dead-code,replace-operator{from=relu to=gelu}, or a JSON file; default: the passes "
           "of the default pipeline, which also run without this option; optimize: these and what makes the "
           "graph smallest, within rounding; optimize{contrib=true}: with ONNX Runtime's own operators")
        ->type_name("PASSES");
    run->add_option("--pattern", options->patterns,
                    "Replace each match of a small graph by another one, behind the passes of --pipeline: a text file "
                    "with graph @before(%x) {...} and graph @after(%x) {...}")
        ->type_name("FILE")
        ->allow_extra_args(false);
    run->add_option("-o,--output", options->output,
                    "Write the model after the last pass: .onnx, .pt2, or .json; with the sizes that --input gives in "
                    "place of fixed ones, if the model follows them")
        ->type_name("FILE");
    run->add_option("--sequence", options->sequence,
                    "Write a folder with a numbered picture of each step, with index.html and index.md")
        ->type_name("FOLDER");
    declareChecks(*run, *options);
    run->add_option("--function", options->function, "Run the passes on this function (default: the main one)")
        ->type_name("NAME");
    run->add_option("--bind", options->bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(*run, options->inputs);
    run->add_option("--reproducer", options->reproducer, "File for the reproducer if a pass fails")
        ->type_name("FILE")
        ->capture_default_str();
    auto *json =
        run->add_flag("--json", options->json, "Write the steps as JSON (schema cutaway.passes/1; cutaway.blame/1)");
    auto *print = run->add_flag("--print", options->print, "Print the graph after the last pass instead of the steps")
                      ->excludes(json);
    run->add_option("--of", options->subject,
                    "Only tell which steps made, changed, fused or removed this node, value or module")
        ->type_name("NAME")
        ->excludes(print);
    command.require_subcommand(1);
    command.get_formatter()->column_width(34);
    command.footer("Examples:\n"
                   "  cutaway-cli passes list\n"
                   "  cutaway-cli passes run resnet50.pt\n"
                   "  cutaway-cli passes run resnet50.onnx -o smaller.onnx\n"
                   "  cutaway-cli passes run resnet50.onnx --of Conv_4\n"
                   "  cutaway-cli passes run resnet50.onnx --pipeline normalize-operators,dead-code --json\n"
                   "  cutaway-cli passes run resnet50.pt2 --pattern swap.txt -o other.pt2");
    return [options, &file, list]() -> Result<Answer> {
        if (list->parsed())
            return options->json ? report::passesJson(plugin::askedPasses()) + "\n"
                                 : report::passesText(plugin::askedPasses());
        return runPasses(file, *options);
    };
}

} // namespace cutaway::cli
