// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/library/partition.h"
#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "app/cli/values_in_run.h"
#include "core/base/result.h"
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/ir/node_ref.h"
#include "core/passes/history.h"
#include "core/passes/part.h"
#include "core/report/partition_report.h"
#include "core/request/given.h"
#include "core/request/run_inputs.h"
#include "core/rewrite/rewriter.h"
#include "core/run/tensor_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

namespace cutaway::cli {

namespace {

namespace fs = std::filesystem;

struct PartitionOptions {
    run::AskedBackend backend;
    std::int64_t least = 2;
    std::string folder;
    std::uint32_t seed = 1;
    std::string function;
    std::vector<std::string> bindings, inputs;
    bool json = false;
};

/// A model before and after partitioning, and the backend's answers.
struct Partitioning {
    passes::History history;
    request::GivenValues given;
    run::Support support;
    analysis::Shapes shapes; ///< facts and costs of the model of before()

    const ir::Model &before() const { return *history.modelAfter(history.steps().size() - 1); }
    const ir::Model &after() const { return *history.modelAfter(history.steps().size()); }
};

/// Returns the pass "partition", which here asks the backend itself in place of reading its option.
passes::Pass partitionFor(const PartitionOptions &options, run::Support &support)
{
    passes::Pass pass = **passes::findPass("partition");
    pass.run = [&](rewrite::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
        CUTAWAY_TRY(support,
                    run::supportOf(options.backend, rewriter.model(), rewriter.functionId(), rewriter.shapes(),
                                   rewriter.task()));
        passes::partitionBy(
            rewriter, [&](const ir::NodeRef &node) { return support.taken.contains(node); }, options.least);
        return {};
    };
    return pass;
}

Result<Partitioning> partitioned(const std::string &file, const PartitionOptions &options)
{
    CUTAWAY_TRY(auto opened, openModel(file, options.function));
    CUTAWAY_TRY(auto given, request::readGiven(opened.model, opened.function, options.bindings, options.inputs));
    Partitioning made{passes::History(std::make_shared<const ir::Model>(std::move(opened.model)), opened.function,
                                      given.withoutTensors()),
                      std::move(given),
                      {},
                      {}};
    const passes::Pass pass = partitionFor(options, made.support);
    made.history.run(passes::withNeeds({.entries = {{&pass, passes::Settings(pass.options)}}}));
    if (made.history.failure())
        return std::unexpected(made.history.failure()->error);
    made.shapes = analysis::inferShapes(made.before(), made.history.function(), made.given);
    return made;
}

/// A group of the partitioned graph as a model of its own, and its row in the report.
struct WrittenPart {
    passes::PartModel part;
    report::PartitionPart row;
};

Result<WrittenPart> partOf(const Partitioning &partitioning, const ir::NodeRef &group)
{
    const ir::Region &region = group.region(0);
    std::vector<ir::ValueId> results;
    for (const ir::Operand &output : region.outputs)
        if (const auto *value = output.as<ir::ValueId>())
            results.push_back(*value);
    CUTAWAY_TRY(auto part,
                passes::partOf(partitioning.before(), partitioning.history.function(), region.nodes, results,
                               partitioning.shapes));
    report::PartitionPart row{.name = std::string(group.name()), .nodes = region.nodes.size()};
    const ir::Context &context = *part.model.context;
    const ir::Function &function = part.model.functions.front();
    for (const ir::FunctionInput &input : function.inputs)
        if (input.kind == ir::FunctionInput::Kind::User)
            row.inputs.push_back({std::string(context.text(input.name)), {}});
    for (const ir::FunctionOutput &output : function.outputs)
        row.results.emplace_back(context.text(output.name));
    return WrittenPart{std::move(part), std::move(row)};
}

/// Writes a part and returns its path. It is ONNX if the whole model is, and ONNX can express the part, else JSON.
Result<std::string> writePart(const ir::Model &part, const std::string &name, const fs::path &folder)
{
    const fs::path own = folder / (name + ".onnx"), other = folder / (name + ".json");
    if (ir::isOnnx(part) && formats::write(part, own))
        return own.string();
    CUTAWAY_RETURN_IF_ERROR(formats::write(part, other));
    return other.string();
}

/// Returns the inputs of the parts as a run of the whole model computes them, by value.
Result<ValuesInRun> valuesOf(const Partitioning &partitioning, const std::vector<WrittenPart> &parts,
                             const std::string &backend, const PartitionOptions &options)
{
    std::vector<ir::ValueId> wanted;
    for (const WrittenPart &part : parts)
        wanted.insert(wanted.end(), part.part.inputs.begin(), part.part.inputs.end());
    const ir::FunctionId function = partitioning.history.function();
    CUTAWAY_TRY(const auto with,
                request::runInputs(partitioning.before(), function, partitioning.history.given(),
                                   partitioning.given.tensors, options.seed));
    CUTAWAY_TRY(auto runner, run::findBackend(backend, options.backend.target, {.device = options.backend.device}));
    return valuesInRun(*runner, {partitioning.before(), function, std::nullopt}, with.inputs, wanted);
}

/// Writes the inputs of the parts as PART/NAME.npy. They are computed by the backend or, if that lacks some operator of
/// the whole model, by the evaluator. Returns why there are none, or "".
Result<std::string> writeInputs(const Partitioning &partitioning, std::vector<WrittenPart> &parts,
                                const PartitionOptions &options)
{
    auto values = valuesOf(partitioning, parts, options.backend.name, options);
    if (!values && options.backend.name != run::evaluatorName)
        values = valuesOf(partitioning, parts, run::evaluatorName, options);
    if (!values)
        return values.error().message;
    for (WrittenPart &part : parts)
        for (std::size_t i = 0; i < part.row.inputs.size(); ++i) {
            const auto found = values->find(part.part.inputs[i]);
            if (found == values->end())
                continue;
            report::PartitionPart::Input &input = part.row.inputs[i];
            CUTAWAY_TRY(const auto file,
                        run::writeTensor(found->second, fs::path(options.folder) / part.row.name, input.name));
            input.file = file.string();
        }
    return std::string();
}

Result<std::string> writeParts(const Partitioning &partitioning, std::vector<WrittenPart> &parts,
                               const PartitionOptions &options)
{
    std::error_code error;
    fs::create_directories(options.folder, error);
    if (error)
        return std::unexpected(Error{ErrorKind::Backend, "the folder cannot be made", options.folder});
    for (WrittenPart &part : parts) {
        CUTAWAY_TRY(part.row.file, writePart(part.part.model, part.row.name, options.folder));
    }
    return writeInputs(partitioning, parts, options);
}

Result<Answer> partitionModel(const std::string &file, const PartitionOptions &options)
{
    CUTAWAY_TRY(const auto partitioning, partitioned(file, options));
    const ir::Graph &graph = partitioning.after().at(partitioning.history.function()).graph;
    std::vector<WrittenPart> parts;
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        if (node.dialect() != "cutaway" || node->regions.size() != 1)
            continue;
        CUTAWAY_TRY(auto part, partOf(partitioning, node));
        parts.push_back(std::move(part));
    }
    CUTAWAY_TRY(const auto fault,
                options.folder.empty() ? Result<std::string>() : writeParts(partitioning, parts, options));
    report::PartitionedModel result{options.backend.name,
                                    partitioning.before().at(partitioning.history.function()).graph,
                                    partitioning.support,
                                    {},
                                    fault};
    for (WrittenPart &part : parts)
        result.parts.push_back(std::move(part.row));
    return options.json ? report::partitionJson(result) + "\n" : report::partitionText(result);
}

} // namespace

Action declarePartition(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<PartitionOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command
        .add_option("--backend", options->backend.name,
                    "The backend that is asked which nodes it takes: evaluator, or a plugin such as onnxruntime")
        ->required()
        ->type_name("NAME");
    command.add_option("--target", options->backend.target, "Target from targets.json that the plugin runs on")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--device", options->backend.device, "Device that is asked about, such as cuda:0 (default: cpu)")
        ->type_name("ID");
    command.add_option("--least", options->least, "Minimum number of nodes of a part")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--write-parts", options->folder,
                    "Write each part as a model, NAME.onnx or NAME.json, and NAME/INPUT.npy with what it is given in a "
                    "run of the whole model")
        ->type_name("FOLDER");
    command.add_option("--seed", options->seed, "Seed of the random inputs of that run")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--function", options->function, "Partition this function (default: the main one)")
        ->type_name("NAME");
    command.add_option("--bind", options->bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, options->inputs);
    command.add_flag("--json", options->json, "Write JSON (schema cutaway.partition/1)");
    command.footer("Nothing is run to ask; the pass 'partition' of 'passes run' takes kinds of operators in place of a "
                   "backend.\n\n"
                   "Examples:\n"
                   "  cutaway-cli partition bert.onnx --backend onnxruntime\n"
                   "  cutaway-cli partition net.pt2 --backend torch --write-parts parts");
    return [options, &file] { return partitionModel(file, *options); };
}

} // namespace cutaway::cli
