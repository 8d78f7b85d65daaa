// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/running.h"
#include "app/cli/values_in_run.h"
#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/convert/convert.h"
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/ir/names.h"
#include "core/layout/found/found_parts.h"
#include "core/passes/cutting/border.h"
#include "core/passes/cutting/extraction.h"
#include "core/request/given.h"
#include "core/run/tensor_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace cutaway::cli {

namespace {

struct ExtractOptions {
    RunArguments arguments;
    std::vector<std::string> from, to;
    std::string part; ///< the path of a module or the name of a found part, in place of `from` and `to`
    std::string output, inputs;
    std::int64_t opset = convert::defaultOpset;
};

/// A function, the part of it to extract, and the inputs that the user gives.
struct Extract {
    ir::Model whole;
    ir::FunctionId function;
    request::GivenValues given;
    passes::Extracted part;
};

constexpr std::size_t maxListed = 400; ///< the limit of names in an error, in characters

bool isInModule(const ir::NodeRef &node, std::string_view path)
{
    const ir::Context &context = node.graph().context();
    for (ir::ScopeId scope = node->scope; scope != ir::ScopeId{}; scope = context.at(scope).parent)
        if (context.text(context.at(scope).path) == path)
            return true;
    return false;
}

/// Returns the border of a module, given its path, or of a part that was found in the graph, given its name.
Result<passes::Border> borderOfPart(const ir::Model &whole, const Opened &opened, const std::string &name)
{
    const ir::Function &function = whole.at(opened.function);
    passes::Border border = passes::borderOf(function, [&](const ir::NodeRef &node) { return isInModule(node, name); });
    if (!border.to.empty())
        return border;
    const ir::Function &own = opened.model.at(opened.function);
    const layout::Outline outline = layout::withNamedParts(layout::outlineOf(own, false), own);
    query::Pattern pattern;
    pattern.add(name);
    border = passes::borderOf(function, layout::nodesInParts(outline, pattern));
    if (!border.to.empty())
        return border;
    std::vector<std::string_view> names;
    for (const ir::NodeRef node : ir::nodesOf(function.graph))
        if (node->scope != ir::ScopeId{})
            names.push_back(whole.context->text(node.scope().path));
    for (const layout::FoundName &part : outline.found)
        names.push_back(part.name);
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    const std::string near = nearNames(name, names);
    return usageError(formatted("--part '{}' is no module and no part of the graph{}", name,
                                near.empty() || near.size() > maxListed ? std::string() : "; there is " + near));
}

Result<passes::Border> borderOf(const ir::Model &whole, const Opened &opened, const ExtractOptions &options)
{
    if (!options.part.empty())
        return borderOfPart(whole, opened, options.part);
    CUTAWAY_TRY(auto from, passes::valuesNamed(whole, opened.model, opened.function, options.from, "--from"));
    CUTAWAY_TRY(auto to, passes::valuesNamed(whole, opened.model, opened.function, options.to, "--to"));
    return passes::Border{std::move(from), std::move(to)};
}

Result<Extract> extractPart(const std::string &file, const ExtractOptions &options)
{
    CUTAWAY_TRY(auto opened, openModel(file, options.arguments.function));
    const ir::FunctionId function = opened.function;
    CUTAWAY_TRY(auto given,
                request::readGiven(opened.model, function, options.arguments.bindings, options.arguments.inputs));
    CUTAWAY_TRY(auto whole, passes::withoutWrites(opened.model, function));
    CUTAWAY_TRY(const auto border, borderOf(whole, opened, options));
    const analysis::Shapes shapes = analysis::inferShapes(whole, function, given.withoutTensors());
    CUTAWAY_TRY(auto part, passes::extracted(whole, function, border.from, border.to, shapes));
    return Extract{std::move(whole), function, std::move(given), std::move(part)};
}

/// Returns the part in the format that the output file's name asks for: that of the model, or ONNX by a conversion.
Result<ir::Model> modelToWrite(const Extract &extract, const ExtractOptions &options)
{
    const ir::Model &part = extract.part.model;
    const std::string suffix = std::filesystem::path(options.output).extension().string();
    if (!formats::isWritable(part.format) && suffix != ".onnx" && suffix != ".json")
        return usageError("parts of this model are written as ONNX: let the name end in .onnx", options.output);
    if (suffix != ".onnx" || ir::isOnnx(part))
        return part;
    CUTAWAY_TRY(auto converted, convert::toOnnx(part, extract.function, {}, {.opset = options.opset}));
    if (converted.missing.empty())
        return std::move(converted.model);
    std::string missing;
    for (const convert::Missing &each : converted.missing)
        missing += formatted("{}{} ({} ×): {}", missing.empty() ? "" : "; ", each.op, each.places.size(), each.reason);
    return usageError("the part cannot be said in ONNX: " + missing);
}

/// Writes the inputs into one .npz file, or each into a file of a folder, and returns lines that name the files.
Result<std::string> writeNamedInputs(std::span<const run::NamedTensor> tensors, const std::filesystem::path &place)
{
    if (place.extension() == ".npz") {
        CUTAWAY_RETURN_IF_ERROR(run::writeTensors(tensors, place));
        return formatted("inputs: {}\n", place.string());
    }
    std::string text;
    for (const auto &[name, tensor] : tensors) {
        CUTAWAY_TRY(const auto file, run::writeTensor(tensor, place, name));
        text += formatted("input {}: {}\n", name, file.string());
    }
    return text;
}

/// Writes the inputs of the part as a run of the whole model computes them, and returns lines that name the files.
Result<std::string> savePartInputs(const Extract &extract, const ExtractOptions &options)
{
    CUTAWAY_TRY(const auto with,
                request::runInputs(extract.whole, extract.function, extract.given.withoutTensors(),
                                   extract.given.tensors, options.arguments.seed));
    CUTAWAY_TRY(auto backend, backendFor(extract.whole, options.arguments));
    CUTAWAY_TRY(
        const auto values,
        valuesInRun(*backend, {extract.whole, extract.function, std::nullopt}, with.inputs, extract.part.inputs));
    std::string text;
    std::vector<run::NamedTensor> tensors;
    for (const ir::ValueId input : extract.part.inputs) {
        const std::string name = ir::nameOf(ir::ValueRef(extract.whole.at(extract.function).graph, input));
        if (const auto found = values.find(input); found != values.end())
            tensors.emplace_back(name, found->second);
        else
            text += formatted("note: '{}' is no tensor and is not written\n", name);
    }
    CUTAWAY_TRY(const auto written, writeNamedInputs(tensors, options.inputs));
    text += written;
    return text + (with.note.empty() ? "" : "note: " + with.note + "\n");
}

Result<Answer> extractFile(const std::string &file, const ExtractOptions &options)
{
    CUTAWAY_TRY(const auto extract, extractPart(file, options));
    CUTAWAY_TRY(const auto model, modelToWrite(extract, options));
    CUTAWAY_RETURN_IF_ERROR(formats::write(model, options.output));
    std::string text;
    for (const std::string &name : extract.part.constants)
        text += formatted("note: '{}' is a constant: it follows from the sizes of an input that is left out\n", name);
    if (!options.inputs.empty()) {
        CUTAWAY_TRY(const auto saved, savePartInputs(extract, options));
        text += saved;
    }
    const auto nodesOf = [](const ir::Model &of, ir::FunctionId id) {
        return of.at(id).graph.at(ir::Graph::body).nodes.size();
    };
    return Answer(text
                  + formatted("{}: {} of {}\n", options.output, nodesOf(extract.part.model, extract.function),
                              quantity(nodesOf(extract.whole, extract.function), "node")));
}

} // namespace

Action declareExtract(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<ExtractOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command.add_option("-o,--output", options->output, "The file to write: of the model's own format, or ONNX")
        ->required()
        ->type_name("FILE");
    auto *from = command
                     .add_option("--from", options->from,
                                 "The values that the part begins with; they become its inputs (default: the inputs)")
                     ->type_name("NAME,...")
                     ->allow_extra_args(false);
    auto *to = command.add_option("--to", options->to, "The values that it computes (default: the results)")
                   ->type_name("NAME,...")
                   ->allow_extra_args(false);
    command
        .add_option("--part", options->part,
                    "A module, by its path, or a part that was found in the graph: 'layer1', 'stage 3'")
        ->type_name("PART")
        ->excludes(from)
        ->excludes(to);
    command
        .add_option("--save-inputs", options->inputs,
                    "Write what the part is given in a run of the whole model: FOLDER/NAME.npy, or a file .npz of all")
        ->type_name("FOLDER");
    command.add_option("--opset", options->opset, "Version of ONNX's operator set where the part is converted")
        ->check(CLI::Range(convert::minOpset, convert::maxOpset))
        ->type_name("N")
        ->capture_default_str();
    declareRun(command, options->arguments);
    command.footer("'cutaway-cli print' shows the names of values. The options of a run are for --save-inputs.\n\n"
                   "Examples:\n"
                   "  cutaway-cli extract bert.onnx --from hidden_3,mask --to hidden_4 -o layer.onnx\n"
                   "  cutaway-cli extract net.pt2 --to relu_2 -o start.pt2\n"
                   "  cutaway-cli extract resnet50.onnx --part 'stage 3' -o stage3.onnx\n"
                   "  cutaway-cli extract net.pt --from x.3 --to y.7 -o part.onnx --save-inputs inputs");
    return [options, &file] { return extractFile(file, *options); };
}

} // namespace cutaway::cli
