// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/convert.h"
#include "app/cli/comparing.h"
#include "app/cli/request.h"
#include "app/cli/values_in_run.h"
#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/convert/float16.h"
#include "core/convert/inlined_functions.h"
#include "core/convert/opset/opset.h"
#include "core/convert/to_pt2.h"
#include "core/formats/format.h"
#include "core/ir/model_format.h"
#include "core/ir/node_ref.h"
#include "core/request/given.h"
#include "core/request/run_inputs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>

namespace cutaway::cli {

namespace {

struct ConvertOptions {
    std::string output;
    convert::OnnxOptions onnx;
    convert::Float16Options halves;
    bool isFloat16 = false;
    std::string measured; ///< the backend of a run that finds values too large for float16; "": there is no such run
    std::optional<std::int64_t> opset; ///< the operator set to write, if the user names one
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
    std::string function;
    std::string table;
    bool checks = false;
    CompareOptions check; ///< the options of --check without the files
};

std::size_t nodeCountOf(const ir::Model &model)
{
    return model.functions.front().graph.at(ir::Graph::body).nodes.size();
}

/// Returns the values that nodes compute and that have numbers too large for float16, in a run on the given inputs or
/// on random ones.
Result<std::unordered_set<ir::ValueId>> valuesTooLarge(ir::Model model, const ConvertOptions &options)
{
    const ir::FunctionId main{0};
    CUTAWAY_TRY(const auto given, request::readGiven(model, main, options.bindings, options.inputs));
    CUTAWAY_TRY(const auto with, request::runInputs(model, main, given.withoutTensors(), given.tensors, 1));
    CUTAWAY_TRY(const auto backend, run::findBackend(options.measured));
    std::vector<ir::ValueId> wanted;
    for (const ir::NodeRef node : ir::nodesOf(model.at(main).graph))
        wanted.insert(wanted.end(), node->outputs.begin(), node->outputs.end());
    CUTAWAY_TRY(const auto values, valuesInRun(*backend, {model, main, std::nullopt}, with.inputs, wanted));
    std::unordered_set<ir::ValueId> large;
    for (const auto &[value, tensor] : values) {
        const auto count = protocol::elementCount(tensor.shape);
        if (!count || tensor.dtype != ir::DType::Float32)
            continue;
        const auto numbers =
            ir::decodeNumbers(tensor.dtype, std::as_bytes(std::span(tensor.bytes)), static_cast<std::size_t>(*count));
        if (std::ranges::any_of(std::get<std::vector<double>>(numbers),
                                [](double x) { return std::isfinite(x) && std::abs(x) > convert::maxFloat16; }))
            large.insert(value);
    }
    return large;
}

Result<convert::Converted> halved(const ir::Model &model, const ConvertOptions &options)
{
    CUTAWAY_TRY(const auto inlined, convert::withoutFunctions(model, {}));
    convert::Float16Options halves = options.halves;
    if (!options.measured.empty()) {
        CUTAWAY_TRY(halves.tooLarge, valuesTooLarge(inlined, options));
    }
    return convert::toFloat16(inlined, halves);
}

/// Converts an ONNX model into another operator set, or into float16.
Result<convert::Converted> changed(const ir::Model &model, const ConvertOptions &options)
{
    const bool isGiven = !options.bindings.empty() || !options.inputs.empty();
    if (!options.opset && !options.isFloat16)
        return usageError("the model is an ONNX model already; --opset or --float16 says what it is to become");
    const bool runs = options.checks || !options.measured.empty();
    if (options.onnx.keepsUnknown || !options.table.empty() || (!runs && isGiven))
        return usageError("--table and --keep-unknown are for models that are no ONNX models, and without --check or "
                          "--measure so are --bind and --input");
    if (!options.opset)
        return halved(model, options);
    auto converted = convert::toOpset(model, *options.opset);
    if (!converted || !options.isFloat16 || !converted->missing.empty())
        return converted;
    return halved(converted->model, options);
}

Result<convert::OperatorTable> tableOf(const std::string &file)
{
    CUTAWAY_TRY(const auto mapped, MappedFile::open(file));
    const auto bytes = mapped.bytes();
    return convert::readOperatorTable({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

/// The tolerance for float16: each layer adds an error of 0.05 %, or more where numbers cancel out.
constexpr double halfTolerance = 1e-2;

/// Compares the results of the written model with those of the source, and appends how far they differ to `text`.
Result<Answer> checked(const std::string &file, const ConvertOptions &options, const std::string &text)
{
    CompareOptions check = options.check;
    check.a = file;
    check.b = options.output;
    check.mayFixInputs = true;
    if (options.isFloat16)
        check.tolerance = {halfTolerance, halfTolerance};
    check.arguments.function = options.function;
    check.arguments.bindings = options.bindings;
    check.arguments.inputs = options.inputs;
    auto answer = compareResults(check);
    if (answer)
        answer->text.insert(0, text);
    return answer;
}

/// Adds a note for each entry of the table that made no node.
void noteUnused(const convert::OperatorTable &table, convert::Converted &converted)
{
    for (const auto &[name, custom] : table) {
        const auto isIt = [&custom](const ir::NodeRef &node) {
            return node.dialect() == custom.domain && node.opName() == custom.name;
        };
        const bool isUsed = std::ranges::any_of(converted.model.functions, [&](const ir::Function &function) {
            const ir::Graph &graph = function.graph;
            for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
                if (!graph.at(id).removed && isIt({graph, id}))
                    return true;
            return false;
        });
        if (!isUsed)
            converted.notes.push_back(formatted("--table names {}, which no node of the model is", name));
    }
}

/// Converts a model of another format to ONNX.
Result<convert::Converted> made(ir::Model &model, ir::FunctionId function, const ConvertOptions &options)
{
    CUTAWAY_TRY(const auto given, request::readGiven(model, function, options.bindings, options.inputs));
    convert::OnnxOptions onnx = options.onnx;
    onnx.opset = options.opset.value_or(onnx.opset);
    if (!options.table.empty()) {
        CUTAWAY_TRY(onnx.table, withSubject(options.table, tableOf(options.table)));
    }
    auto converted = convert::toOnnx(model, function, given.withoutTensors(), onnx);
    if (converted && converted->missing.empty())
        noteUnused(onnx.table, *converted);
    if (!converted || !options.isFloat16 || !converted->missing.empty())
        return converted;
    auto half = halved(converted->model, options);
    if (half)
        half->notes.insert(half->notes.begin(), converted->notes.begin(), converted->notes.end());
    return half;
}

/// Converts TorchScript or ONNX to a program of torch.export.
Result<convert::Converted> exported(ir::Model &model, ir::FunctionId function, const ConvertOptions &options)
{
    if (options.opset || options.isFloat16 || options.onnx.keepsUnknown || !options.table.empty())
        return usageError("--opset, --float16, --table and --keep-unknown are for ONNX models");
    CUTAWAY_TRY(const auto given, request::readGiven(model, function, options.bindings, options.inputs));
    return convert::toPt2(model, function, given.withoutTensors());
}

bool isPt2(const std::string &file) { return std::filesystem::path(file).extension() == ".pt2"; }

/// Returns the line that reports a written file: "converted.onnx: opset 21, 175 nodes".
std::string sentenceOf(const ir::Model &model, const std::string &file)
{
    const std::string nodes = quantity(nodeCountOf(model), "node");
    return isPt2(file) ? formatted("{}: {}\n", file, nodes)
                       : formatted("{}: opset {}, {}\n", file, model.opset("onnx"), nodes);
}

Result<Answer> convertFile(const std::string &file, const ConvertOptions &options)
{
    CUTAWAY_TRY(auto opened, openModel(file, options.function));
    auto &[model, function] = opened;
    CUTAWAY_TRY(const auto converted,
                isPt2(options.output)   ? exported(model, function, options)
                    : ir::isOnnx(model) ? changed(model, options)
                                        : made(model, function, options));
    std::string text = convert::print(converted.missing);
    if (!converted.missing.empty() && !options.onnx.keepsUnknown)
        return Answer(text + options.output + " is not written.\n", true);
    for (const std::string &note : converted.notes)
        text += "note: " + note + "\n";
    CUTAWAY_RETURN_IF_ERROR(formats::write(converted.model, options.output));
    text += sentenceOf(converted.model, options.output);
    return options.checks ? checked(file, options, text) : Answer(std::move(text));
}

} // namespace

Action declareConvert(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<ConvertOptions>();
    command.add_option("FILE", file, "The TorchScript, torch.export .pt2 or ONNX file")->required()->type_name("");
    command.add_option("-o,--output", options->output, "The .onnx or .pt2 file to write")
        ->required()
        ->type_name("FILE");
    command
        .add_option(
            "--opset", options->opset,
            formatted("Version of ONNX's operator set (default: {}; of an ONNX model its own)", convert::defaultOpset))
        ->check(CLI::Range(convert::firstOpset, convert::lastOpset))
        ->type_name("N");
    command.add_flag("--float16", options->isFloat16,
                     "Compute in float16 what is computed in float32; what float16 does not hold stays");
    command
        .add_option("--measure", options->measured,
                    "With --float16: run the model first in this backend, on random inputs or those of --input; what "
                    "is too large there stays float32")
        ->type_name("BACKEND");
    command.add_flag("--keep-io,!--no-keep-io", options->halves.keepsInputsAndResults,
                     "With --float16: inputs and results stay float32 (the default)");
    command.add_option("--bind", options->bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, options->inputs);
    command.add_option("--function", options->function, "Convert this function (default: the main one)")
        ->type_name("NAME");
    command.add_flag("--keep-unknown", options->onnx.keepsUnknown,
                     "Write operators that ONNX does not have as they are, in a domain of their own");
    command
        .add_option("--table", options->table,
                    "A JSON file of your own operators: {\"mylib::gelu2\": {\"op\": \"com.mylib::Gelu2\", "
                    "\"attributes\": {\"alpha\": \"$alpha\", \"mode\": 2}, \"domain_version\": 1}}; $NAME is the "
                    "argument of that name")
        ->type_name("FILE");
    command.add_flag("--check", options->checks,
                     "Run both models with the same random inputs and report how far the results differ; with "
                     "--float16 they agree within 1 %");
    command.add_flag("--values", options->check.values,
                     "With --check: compare the results of matched nodes too, and report where they first differ");
    command.add_option("--seed", options->check.arguments.seed, "Seed of the inputs of --check")
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--backend", options->check.arguments.backends,
                    "Backend of --check: the first one runs the source, the second one the new model (default: the "
                    "plugins torch and onnxruntime)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.footer("Exit code 1, and nothing is written, if operators are missing; all of them are listed. With\n"
                   "--check, exit code 1 if the results differ.\n\n"
                   "Examples:\n"
                   "  cutaway-cli convert resnet50.pt2 -o resnet50.onnx\n"
                   "  cutaway-cli convert resnet50.pt -o resnet50.onnx --input x=Nx3x224x224:float32\n"
                   "  cutaway-cli convert resnet50.pt -o resnet50.pt2 --input x=1x3x224x224:float32\n"
                   "  cutaway-cli convert resnet50.onnx -o resnet50.pt2\n"
                   "  cutaway-cli convert mine.pt2 -o mine.onnx --opset 17 --keep-unknown\n"
                   "  cutaway-cli convert mine.pt2 -o mine.onnx --table mine.json --check\n"
                   "  cutaway-cli convert old.onnx -o new.onnx --opset 21\n"
                   "  cutaway-cli convert bert.onnx -o half.onnx --float16");
    return [options, &file] { return convertFile(file, *options); };
}

} // namespace cutaway::cli
