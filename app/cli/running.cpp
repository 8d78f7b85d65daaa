// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running.h"

#include "core/base/result.h"
#include "core/ir/model_format.h"
#include "core/ir/node_ref.h"
#include "core/plugin/found.h"
#include "core/request/given.h"
#include "core/request/written_model.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace cutaway::cli {

namespace {

/// Returns the name of the default backend: the plugin for the model's format, or the evaluator if that plugin is not
/// installed and the model is not ONNX.
std::string defaultBackend(const ir::Model &model, const std::string &targetName)
{
    std::string plugin(ir::formatOf(model).backend);
    if (plugin == run::evaluatorName)
        return plugin;
    const auto targets = plugin::readTargets();
    const auto target = targets ? plugin::findTarget(targetName, *targets) : std::unexpected(targets.error());
    const bool isAbsent = target && !plugin::findPlugin(plugin, plugin::findPlugins(), *target);
    return isAbsent && !ir::isOnnx(model) ? run::evaluatorName : plugin;
}

/// Returns the inputs whose sizes the file does not record.
std::vector<ir::ValueId> unsizedInputs(const Opened &opened)
{
    const ir::Graph &graph = opened.model.at(opened.function).graph;
    std::vector<ir::ValueId> inputs = graph.at(ir::Graph::body).inputs;
    std::erase_if(inputs, [&](ir::ValueId input) {
        const auto *type = ir::ValueRef(graph, input).tensorType();
        return type && type->shape;
    });
    return inputs;
}

std::vector<std::string> namesOf(const Opened &opened, const std::vector<ir::ValueId> &inputs)
{
    std::vector<std::string> names;
    for (const ir::ValueId input : inputs)
        names.emplace_back(ir::ValueRef(opened.model.at(opened.function).graph, input).name());
    return names;
}

} // namespace

void declareLibraries(CLI::App &command, std::vector<std::string> &libraries)
{
    command
        .add_option("--library", libraries,
                    "A library of operators that the backend loads first, such as libmyops.so or torchvision's")
        ->type_name("FILE")
        ->allow_extra_args(false);
}

void declareRun(CLI::App &command, RunArguments &arguments)
{
    command.add_option("--backend", arguments.backends, "Backend: evaluator, or a plugin such as onnxruntime")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.add_option("--target", arguments.target, "Target from targets.json that a plugin runs on")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--device", arguments.devices,
                    "Device that the backend runs on, such as cuda:0; see 'cutaway-cli devices' (default: cpu)")
        ->type_name("ID")
        ->allow_extra_args(false);
    declareLibraries(command, arguments.options.libraries);
    command
        .add_option("--input", arguments.inputs,
                    "An input: a file x=@x.npy (.pt, .json too), elements pads=[0,0,1,1], a number n=3; or its shape, "
                    "with random numbers: x=1x3x224x224:float32")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command.add_option("--bind", arguments.bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    command.add_option("--seed", arguments.seed, "Seed of the random inputs")->type_name("N")->capture_default_str();
    command.add_option("--function", arguments.function, "Run this function (default: the main one)")
        ->type_name("NAME");
    command.add_option("--optimization", arguments.options.optimization, "How far the backend may optimise the graph")
        ->check(CLI::IsMember({"none", "basic", "extended", "all"}))
        ->type_name("LEVEL")
        ->capture_default_str();
    command.add_option("--threads", arguments.options.threads, "Compute threads of the backend; 0: its default")
        ->check(CLI::Range(0, 1024))
        ->type_name("N")
        ->capture_default_str();
}

std::optional<std::filesystem::path> replaceSizes(Opened &opened, const ir::Model &asRead, const analysis::Given &given)
{
    if (given.replaced.empty())
        return opened.model.path;
    opened.model = request::withGivenSizes(opened.model, asRead, opened.function);
    return std::nullopt;
}

Result<Running> readRunning(const std::string &file, const RunArguments &arguments)
{
    CUTAWAY_TRY(auto opened, openModel(file, arguments.function));
    auto unsized = unsizedInputs(opened); // before the given sizes become part of the model
    const ir::Model asRead = opened.model;
    CUTAWAY_TRY(const auto given,
                request::readGiven(opened.model, opened.function, arguments.bindings, arguments.inputs));
    CUTAWAY_TRY(auto with, request::runInputs(opened.model, opened.function, given, given.tensors, arguments.seed));
    std::erase_if(unsized, [&](ir::ValueId input) { return !std::ranges::contains(with.open, input); });
    auto guessed = namesOf(opened, unsized);
    auto path = replaceSizes(opened, asRead, given);
    return Running{std::move(opened), std::move(with), std::move(guessed), std::move(path)};
}

Result<std::unique_ptr<run::Backend>> backendFor(const ir::Model &model, const RunArguments &arguments,
                                                 std::size_t place)
{
    const std::string byDefault = defaultBackend(model, arguments.target);
    run::BackendOptions options = arguments.options;
    if (!arguments.devices.empty())
        options.device = arguments.devices[std::min(place, arguments.devices.size() - 1)];
    const std::string &name =
        arguments.backends.empty() ? byDefault : arguments.backends[std::min(place, arguments.backends.size() - 1)];
    return run::findBackend(name, arguments.target, options);
}

Result<Begun> begin(const std::string &file, const RunArguments &arguments)
{
    if (arguments.backends.size() > 1)
        return usageError("only compare takes two --backend options");
    if (arguments.devices.size() > 1)
        return usageError("only compare takes two --device options");
    CUTAWAY_TRY(auto running, readRunning(file, arguments));
    CUTAWAY_TRY(auto backend, backendFor(running.opened.model, arguments));
    return Begun{std::move(running), std::move(backend)};
}

} // namespace cutaway::cli
