// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running.h"

#include "core/ir/context.h"
#include "core/report/example_sizes.h"
#include "core/report/given.h"
#include "core/run/tensor_file.h"
#include "core/symbolic/evaluate.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

namespace cutaway::cli {

namespace {

constexpr const char *onnxRuntime = "onnxruntime";

/// "x=1x3:float32", as the shape of an input is given.
std::string shapeText(const std::string &name, const protocol::Tensor &tensor)
{
    std::string sizes;
    for (const std::int64_t size : tensor.shape)
        sizes += (sizes.empty() ? "" : "x") + std::to_string(size);
    return name + "=" + sizes + ":" + std::string(ir::name(tensor.dtype));
}

std::optional<ir::DType> dtypeOf(const Opened &opened, const std::string &input)
{
    const ir::Graph &graph = opened.model.at(opened.function).graph;
    for (const ir::ValueId value : graph.at(ir::Graph::body).inputs)
        if (opened.model.context->text(graph.at(value).name) == input)
            if (const auto *type = std::get_if<ir::TensorType>(&opened.model.context->at(graph.at(value).type)))
                return type->dtype;
    return std::nullopt;
}

/// Takes NAME=FILE out of what is given for the inputs, and puts the shape of the file's tensor in its place.
Result<run::GivenTensors> readTensors(const Opened &opened, std::vector<std::string> &inputs)
{
    run::GivenTensors tensors;
    for (std::string &text : inputs) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || !run::isTensorFile(text.substr(equals + 1)))
            continue;
        const std::string name = text.substr(0, equals), file = text.substr(equals + 1);
        auto tensor = run::readTensor(file, dtypeOf(opened, name));
        if (!tensor) {
            tensor.error().where += (tensor.error().where.empty() ? "" : ", ") + file;
            return std::unexpected(tensor.error());
        }
        text = shapeText(name, *tensor);
        tensors.emplace(name, std::move(*tensor));
    }
    return tensors;
}

/// Symbols in the sizes of inputs that are still free.
std::set<std::string> freeSymbols(const Opened &opened, const analysis::Given &given)
{
    std::set<std::string> symbols;
    const analysis::Shapes shapes = analysis::inferShapes(opened.model, opened.function, given);
    for (const ir::ValueId input : opened.model.at(opened.function).graph.at(ir::Graph::body).inputs)
        if (const auto *tensor = ops::asTensor(shapes.of(input)); tensor && tensor->shape)
            for (const ir::Dim &dim : *tensor->shape)
                if (const auto *formula = std::get_if<symbolic::Expr>(&dim))
                    symbols.merge(symbolic::symbolsOf(*formula));
    return symbols;
}

} // namespace

void declareRunWishes(CLI::App &command, RunWishes &wishes)
{
    command.add_option("--backend", wishes.backends, "What computes: evaluator, or a plugin such as onnxruntime")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.add_option("--target", wishes.target, "Where a plugin runs, as targets.json calls it")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--input", wishes.inputs,
                    "An input: x=image.npy (.pt, .json too); or its shape, with random numbers: x=1x3x224x224:float32")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command.add_option("--bind", wishes.bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    command.add_option("--seed", wishes.seed, "Of the random numbers")->type_name("N")->capture_default_str();
    command.add_option("--function", wishes.function, "Run this function instead of the main one")->type_name("NAME");
    command.add_option("--optimization", wishes.effort.optimization, "What the backend may change in the graph")
        ->check(CLI::IsMember({"none", "basic", "extended", "all"}))
        ->type_name("LEVEL")
        ->capture_default_str();
    command.add_option("--threads", wishes.effort.threads, "Of the backend; 0: as many as it wants")
        ->check(CLI::Range(0, 1024))
        ->type_name("N")
        ->capture_default_str();
}

Result<Running> readRunning(const std::string &file, const RunWishes &wishes)
{
    auto opened = openModel(file, wishes.function);
    if (!opened)
        return std::unexpected(opened.error());
    std::vector<std::string> inputs = wishes.inputs;
    const auto tensors = readTensors(*opened, inputs);
    if (!tensors)
        return std::unexpected(tensors.error());
    auto given = report::readGiven(opened->model, opened->function, wishes.bindings, inputs);
    if (!given)
        return std::unexpected(given.error());
    const auto chosen = report::exampleSizes(opened->model, freeSymbols(*opened, *given));
    given->bindings.insert(chosen.bindings.begin(), chosen.bindings.end());
    auto made = run::makeInputs(opened->model, opened->function, *given, *tensors, wishes.seed);
    if (!made)
        return std::unexpected(made.error());
    return Running{std::move(*opened), std::move(*given), std::move(*made), chosen.note};
}

Error Running::explained(Error error) const
{
    if (!note.empty())
        error.where += (error.where.empty() ? "" : "; ") + note;
    return error;
}

Result<std::unique_ptr<run::Backend>> backendFor(const ir::Model &model, const RunWishes &wishes, std::size_t place)
{
    const std::string usual = model.format == "onnx" ? onnxRuntime : run::evaluatorName;
    return run::findBackend(place < wishes.backends.size() ? wishes.backends[place] : usual, wishes.target,
                            wishes.effort);
}

} // namespace cutaway::cli
