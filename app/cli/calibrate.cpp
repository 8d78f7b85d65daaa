// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/running.h"
#include "core/analysis/shapes.h"
#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/ir/model_format.h"
#include "core/ir/names.h"
#include "core/run/points.h"
#include "core/run/ranges/observation.h"
#include "core/run/ranges/samples.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

namespace cutaway::cli {

namespace {

struct CalibrateOptions {
    RunArguments arguments;
    std::uint32_t seeds = 1;
    std::vector<std::string> samples;
    std::optional<double> percentile;
    std::string output;
};

/// Returns the floating-point tensors of the body that a backend can return, each with its name.
std::vector<std::pair<std::string, ir::ValueId>> observedValues(const Running &running)
{
    const Opened &opened = running.opened;
    const ir::Graph &graph = opened.model.at(opened.function).graph;
    const analysis::Shapes shapes = analysis::inferShapes(opened.model, opened.function, running.with.given);
    std::vector<std::pair<std::string, ir::ValueId>> values;
    for (const ir::NodeRef node : ir::nodesOf(graph))
        for (const ir::ValueRef value : node.outputs()) {
            const auto *tensor = ops::asTensor(shapes.of(value));
            const bool isNamed = !value.name().empty() || !ir::isOnnx(opened.model);
            if (tensor && tensor->dtype && ir::isFloating(*tensor->dtype) && isNamed)
                values.emplace_back(ir::nameOf(value), value);
        }
    return values;
}

/// Returns the inputs of each run: those of the samples or, without samples, random ones for each seed.
Result<std::vector<run::Inputs>> runsOf(const std::string &file, const Running &first, const CalibrateOptions &options)
{
    if (!options.samples.empty())
        return run::sampledInputs(first.with.inputs, options.samples);
    std::vector<run::Inputs> runs = {first.with.inputs};
    RunArguments next = options.arguments;
    for (std::uint32_t i = 1; i < options.seeds; ++i) {
        next.seed = options.arguments.seed + i;
        CUTAWAY_TRY(auto running, readRunning(file, next));
        runs.push_back(std::move(running.with.inputs));
    }
    return runs;
}

Result<void> observeInputs(run::RangeObserver &observer, const run::Inputs &inputs)
{
    for (const run::Input &input : inputs) {
        const auto *drawn = std::get_if<protocol::DrawnTensor>(&input.content);
        const auto *given = std::get_if<protocol::Tensor>(&input.content);
        if ((!drawn || !ir::isFloating(drawn->dtype)) && (!given || !ir::isFloating(given->dtype)))
            continue;
        CUTAWAY_TRY(const auto tensor, drawn ? run::tensorOf(*drawn) : Result<protocol::Tensor>(*given));
        if (auto added = observer.add(input.name, tensor); !added)
            return added;
    }
    return {};
}

/// Runs the model once, adds its values to the observed ranges, and returns the backend's name.
Result<std::string> observe(run::RangeObserver &observer, run::Backend &backend, const Running &running,
                            const run::Inputs &inputs, const std::vector<std::pair<std::string, ir::ValueId>> &observed)
{
    CUTAWAY_RETURN_IF_ERROR(observeInputs(observer, inputs));
    std::vector<ir::ValueId> values;
    std::ranges::transform(observed, std::back_inserter(values), [](const auto &each) { return each.second; });
    CUTAWAY_TRY(const auto outcome,
                noted(running.with.note, backend.runWithValues(running.subject(), values, inputs, {})));
    const std::size_t first = outcome.outputs.size() - std::min(values.size(), outcome.outputs.size());
    for (std::size_t i = 0; i < observed.size() && first + i < outcome.outputs.size(); ++i)
        if (const auto *tensor = std::get_if<protocol::Tensor>(&outcome.outputs[first + i].content))
            CUTAWAY_RETURN_IF_ERROR(observer.add(observed[i].first, *tensor));
    return outcome.backend;
}

Result<Answer> calibrateModel(const std::string &file, const CalibrateOptions &options)
{
    CUTAWAY_TRY(const auto begun, begin(file, options.arguments));
    CUTAWAY_TRY(const auto runs, runsOf(file, begun.running, options));
    const auto observed = observedValues(begun.running);
    run::RangeObserver observer(options.percentile, runs.size());
    passes::Calibration calibration{.model = std::filesystem::path(file).filename().string(),
                                    .backend = {},
                                    .samples = runs.size(),
                                    .percentile = options.percentile,
                                    .values = {}};
    for (const run::Inputs &inputs : runs) {
        CUTAWAY_TRY(calibration.backend, observe(observer, *begun.backend, begun.running, inputs, observed));
    }
    calibration.values = observer.ranges();
    const std::string text = passes::printRanges(calibration);
    if (options.output.empty())
        return Answer(text);
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(options.output, text));
    return Answer(formatted(
        "{}: the ranges of {} in {} of {}{}\n", options.output, quantity(calibration.values.size(), "value"),
        quantity(calibration.samples, "run"), calibration.backend,
        observer.unbounded().empty() ? "" : formatted("; {} others were not finite", observer.unbounded().size())));
}

} // namespace

Action declareCalibrate(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<CalibrateOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    declareRun(command, options->arguments);
    auto *samples =
        command
            .add_option("--samples", options->samples,
                        "Samples of an input, one behind the other in the first dimension: x=images.npy; or of several "
                        "inputs, by their names: samples.npz")
            ->type_name("[NAME=]FILE")
            ->allow_extra_args(false);
    command
        .add_option("--seeds", options->seeds, "Without samples: runs on random inputs, of this seed and the next ones")
        ->check(CLI::Range(1, 1000))
        ->type_name("COUNT")
        ->capture_default_str()
        ->excludes(samples);
    command
        .add_option("--percentile", options->percentile,
                    "Keep the range that so many of 100 elements are in, in place of all")
        ->check(CLI::Range(50.0, 100.0))
        ->type_name("P");
    command.add_option("-o,--output", options->output, "Write the ranges here in place of the standard output")
        ->type_name("FILE");
    command.footer(
        "The ranges are JSON (schema cutaway.ranges/1), for the pass quantize-dequantize.\n\n"
        "Examples:\n"
        "  cutaway-cli calibrate net.onnx --samples x=images.npy -o ranges.json\n"
        "  cutaway-cli passes run net.onnx --pipeline 'quantize-dequantize{ranges=ranges.json}' -o int8.onnx\n"
        "  cutaway-cli compare net.onnx int8.onnx --values --rtol 0.1");
    return [options, &file] { return calibrateModel(file, *options); };
}

} // namespace cutaway::cli
