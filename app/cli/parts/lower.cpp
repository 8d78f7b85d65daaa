// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "core/analysis/analysis.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/convert/lowered_part.h"
#include "core/formats/format.h"
#include "core/ir/model_format.h"
#include "core/passes/history.h"
#include "core/passes/library/partition.h"
#include "core/query/answer.h"
#include "core/request/given.h"
#include "core/request/written_model.h"
#include "core/rewrite/rewriter.h"
#include "core/run/support.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace cutaway::cli {

namespace {

namespace fs = std::filesystem;

struct LowerOptions {
    run::AskedBackend backend;
    std::string only; ///< a query that selects the nodes to lower; "" for all
    std::int64_t least = 2;
    std::string output;
    std::string function;
    std::vector<std::string> bindings, inputs;
};

using NodeSet = std::unordered_set<ir::NodeId>;

/// A group that is not lowered, and why.
struct Remaining {
    std::size_t nodes = 0;
    std::string reason;
};

/// A model with groups of nodes for a backend, and the parts that are made of them.
struct Lowering {
    ir::Model asRead;
    std::shared_ptr<const ir::Model> before; ///< the model before the pass, with the inputs that the user gives
    ir::FunctionId function;
    analysis::Given given;
    std::optional<query::Expression> only;
    NodeSet excluded;
    ir::Model model; ///< the model after the pass, in which groups stand for the parts
    std::vector<convert::LoweredPart> parts;
    std::vector<Remaining> remaining;
};

/// Returns the nodes that the query selects, in the graph as the pass finds it.
NodeSet chosenNodes(rewrite::Rewriter &rewriter, const Lowering &lowering)
{
    const analysis::Analysis analysis =
        analysis::analyse(rewriter.model(), rewriter.functionId(), lowering.given, rewriter.task());
    const query::Answer answer = query::answerTo(*lowering.only, {.model = rewriter.model(), .analysis = analysis});
    return {answer.nodes.begin(), answer.nodes.end()};
}

/// Returns the pass "partition", which here asks the backend itself in place of reading its option.
passes::Pass groupingFor(const LowerOptions &options, const Lowering &lowering)
{
    passes::Pass pass = **passes::findPass("partition");
    pass.run = [&](rewrite::Rewriter &rewriter, const passes::Settings &) -> Result<void> {
        CUTAWAY_TRY(auto support,
                    run::supportOf(options.backend, rewriter.model(), rewriter.functionId(), rewriter.shapes(),
                                   rewriter.task()));
        NodeSet taken = std::move(support.taken);
        if (lowering.only) {
            const NodeSet chosen = chosenNodes(rewriter, lowering);
            std::erase_if(taken, [&](ir::NodeId node) { return !chosen.contains(node); });
        }
        std::erase_if(taken, [&](ir::NodeId node) { return lowering.excluded.contains(node); });
        passes::partitionBy(rewriter, [&](const ir::NodeRef &node) { return taken.contains(node); }, options.least);
        return {};
    };
    return pass;
}

/// Makes the parts. A group that cannot be converted to ONNX completely is excluded. Returns whether a group was
/// excluded; then the nodes have to be grouped again.
Result<bool> makeParts(Lowering &lowering, const LowerOptions &options)
{
    const passes::Pass pass = groupingFor(options, lowering);
    passes::History history(lowering.before, lowering.function, lowering.given);
    history.run(passes::withNeeds({.entries = {{&pass, passes::Settings(pass.options)}}}));
    if (history.failure())
        return std::unexpected(history.failure()->error);
    lowering.model = *history.modelAfter(history.steps().size());
    lowering.parts.clear();
    const analysis::Shapes shapes = analysis::inferShapes(lowering.model, lowering.function, lowering.given);
    const ir::Graph &graph = lowering.model.at(lowering.function).graph;
    bool isAnyExcluded = false;
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        if (node.dialect() != "cutaway" || node->regions.size() != 1)
            continue;
        auto part = convert::loweredPart(lowering.model, lowering.function, node, shapes);
        if (part) {
            lowering.parts.push_back(std::move(*part));
            continue;
        }
        const std::vector<ir::NodeId> &nodes = node.region(0).nodes;
        lowering.excluded.insert(nodes.begin(), nodes.end());
        lowering.remaining.push_back({nodes.size(), part.error().message});
        isAnyExcluded = true;
    }
    return isAnyExcluded;
}

/// Returns the folder of the parts, beside the model: "net.parts" for "net.json".
fs::path partsFolder(const fs::path &output)
{
    fs::path folder = output;
    return folder.replace_extension(".parts");
}

Result<void> writeLowered(Lowering &lowering, const LowerOptions &options)
{
    const fs::path folder = partsFolder(options.output);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return backendError("the folder cannot be made", folder.string());
    for (const convert::LoweredPart &part : lowering.parts) {
        const fs::path file = folder / (part.name + ".onnx");
        if (auto written = formats::write(part.model, file); !written)
            return written;
        convert::setLowered(
            lowering.model, lowering.function, part,
            {options.backend.name, options.backend.device, (folder.filename() / file.filename()).string()});
    }
    const request::States states{lowering.asRead, *lowering.before, lowering.model};
    CUTAWAY_TRY(const auto model, request::modelToWrite(states, lowering.function, lowering.given, options.output));
    return formats::write(model, options.output);
}

std::string loweredText(const Lowering &lowering, const LowerOptions &options)
{
    std::size_t nodes = 0;
    std::string text;
    const ir::Graph &graph = lowering.model.at(lowering.function).graph;
    for (const convert::LoweredPart &part : lowering.parts) {
        nodes += part.nodes;
        text += formatted(
            "{}: {}, {} of ONNX\n", sanitized((partsFolder(options.output) / (part.name + ".onnx")).string()),
            quantity(part.nodes, "node"), part.model.functions.front().graph.at(ir::Graph::body).nodes.size());
    }
    for (const Remaining &group : lowering.remaining)
        text += formatted("{} {}: {}\n", quantity(group.nodes, "node"), group.nodes == 1 ? "stays" : "stay",
                          sanitized(group.reason));
    const std::size_t left = graph.at(ir::Graph::body).nodes.size() - lowering.parts.size();
    return text
        + formatted("{}: {} in {} for {}; {} {}\n", sanitized(options.output), quantity(nodes, "node"),
                    quantity(lowering.parts.size(), "part"), options.backend.name, quantity(left, "node"),
                    left == 1 ? "remains" : "remain");
}

Result<Answer> lowerModel(const std::string &file, const LowerOptions &options)
{
    if (fs::path(options.output).extension() != ".json")
        return usageError("a model with lowered parts is written as .json");
    std::optional<query::Expression> only;
    if (!options.only.empty()) {
        auto parsed = query::parse(options.only);
        if (!parsed)
            return usageError("the query of --only: " + query::printMistake(options.only, parsed.error()));
        only = std::move(*parsed);
    }
    CUTAWAY_TRY(auto opened, openModel(file, options.function));
    if (ir::isOnnx(opened.model))
        return usageError("a model of ONNX runs in such a backend as a whole; 'partition --write-parts' writes its "
                          "parts");
    ir::Model asRead = opened.model;
    CUTAWAY_TRY(auto given, request::readGiven(opened.model, opened.function, options.bindings, options.inputs));
    Lowering lowering{.asRead = std::move(asRead),
                      .before = std::make_shared<const ir::Model>(std::move(opened.model)),
                      .function = opened.function,
                      .given = given.withoutTensors(),
                      .only = std::move(only),
                      .excluded = {},
                      .model = {},
                      .parts = {},
                      .remaining = {}};
    for (;;) {
        CUTAWAY_TRY(const auto isAnyExcluded, makeParts(lowering, options));
        if (!isAnyExcluded)
            break;
    }
    if (lowering.parts.empty())
        return usageError(formatted("no part is for {}{}", options.backend.name,
                                    lowering.remaining.empty() ? "; 'partition' says which nodes it takes"
                                                               : ": " + lowering.remaining.front().reason));
    CUTAWAY_RETURN_IF_ERROR(writeLowered(lowering, options));
    return Answer(loweredText(lowering, options));
}

} // namespace

Action declareLower(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<LowerOptions>();
    command.add_option("FILE", file, "The model file: TorchScript or torch.export")->required()->type_name("");
    command.add_option("--backend", options->backend.name, "The backend of ONNX models that parts are for")
        ->type_name("NAME")
        ->default_val("onnxruntime");
    command.add_option("--target", options->backend.target, "Target from targets.json that the plugin runs on")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--device", options->backend.device,
                    "Device that runs the parts, such as tensorrt:0 (default: cpu)")
        ->type_name("ID");
    command.add_option("--only", options->only, "Lower only nodes that a query finds, such as 'scope:layer1'")
        ->type_name("QUERY");
    command.add_option("--least", options->least, "Minimum number of nodes of a part")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("-o,--output", options->output,
                    "Write the model, NAME.json, and beside it NAME.parts with an ONNX file per part")
        ->required()
        ->type_name("FILE");
    command.add_option("--function", options->function, "Lower this function (default: the main one)")
        ->type_name("NAME");
    command.add_option("--bind", options->bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, options->inputs);
    command.footer("run, compare and profile run the parts by their backend, and what is between them as without "
                   "parts.\n\n"
                   "Examples:\n"
                   "  cutaway-cli lower resnet50.pt2 --only scope:layer1 -o lowered.json\n"
                   "  cutaway-cli compare resnet50.pt2 lowered.json --values\n"
                   "  cutaway-cli profile lowered.json");
    return [options, &file] { return lowerModel(file, *options); };
}

} // namespace cutaway::cli
