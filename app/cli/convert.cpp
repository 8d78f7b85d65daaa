// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/convert.h"
#include "app/cli/comparing.h"
#include "app/cli/request.h"
#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/formats/format.h"
#include "core/request/given.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct ConvertOptions {
    std::string output;
    convert::OnnxOptions onnx;
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
    std::string function;
    std::string table;
    bool checks = false;
    CompareOptions check; ///< all but the files
};

std::size_t nodeCountOf(const ir::Model &model)
{
    return model.functions.front().graph.at(ir::Graph::body).nodes.size();
}

Result<convert::OperatorTable> tableOf(const std::string &file)
{
    const auto mapped = MappedFile::open(file);
    if (!mapped)
        return std::unexpected(mapped.error());
    const auto bytes = mapped->bytes();
    return convert::readOperatorTable({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

/// How far the results of the written model are from those of the source, behind the text.
Result<Answer> checked(std::string &file, const ConvertOptions &options, std::string text)
{
    CompareOptions check = options.check;
    check.a = file;
    check.b = options.output;
    check.mayFixInputs = true;
    check.arguments.function = options.function;
    check.arguments.bindings = options.bindings;
    check.arguments.inputs = options.inputs;
    auto answer = compareResults(file, check);
    if (answer)
        answer->text.insert(0, text);
    return answer;
}

Result<Answer> convertFile(std::string &file, const ConvertOptions &options)
{
    auto opened = openModel(file, options.function);
    if (!opened)
        return std::unexpected(opened.error());
    auto &[model, function] = *opened;
    const auto given = request::readGiven(model, function, options.bindings, options.inputs);
    if (!given)
        return std::unexpected(given.error());
    auto onnx = options.onnx;
    if (!options.table.empty()) {
        auto table = tableOf(options.table);
        if (!table) {
            file = options.table;
            return std::unexpected(table.error());
        }
        onnx.table = std::move(*table);
    }
    const auto converted = convert::toOnnx(model, function, given->withoutTensors(), onnx);
    if (!converted)
        return std::unexpected(converted.error());
    std::string text = convert::print(converted->missing);
    if (!converted->missing.empty() && !options.onnx.keepsUnknown)
        return Answer(text + options.output + " is not written.\n", true);
    for (const std::string &note : converted->notes)
        text += "note: " + note + "\n";
    if (const auto written = formats::write(converted->model, options.output); !written)
        return std::unexpected(written.error());
    text += formatted("{}: opset {}, {} nodes\n", options.output, options.onnx.opset, nodeCountOf(converted->model));
    return options.checks ? checked(file, options, std::move(text)) : Answer(std::move(text));
}

} // namespace

Action declareConvert(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<ConvertOptions>();
    command.add_option("FILE", file, "The TorchScript or torch.export .pt2 file")->required()->type_name("");
    command.add_option("-o,--output", options->output, "The ONNX file to write")->required()->type_name("FILE");
    command.add_option("--opset", options->onnx.opset, "Version of ONNX's operator set")
        ->check(CLI::Range(convert::minOpset, convert::maxOpset))
        ->type_name("N")
        ->capture_default_str();
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
                     "Run both models with the same random inputs and report how far the results differ");
    command.add_flag("--values", options->check.values,
                     "With --check: compare the results of matched nodes too, and report where they first differ");
    command.add_option("--seed", options->check.arguments.seed, "Seed of the inputs of --check")
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--backend", options->check.arguments.backends,
                    "Backend of --check: the first one runs the source, the second one the ONNX model (default: the "
                    "plugins torch and onnxruntime)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.footer("Exit code 1, and nothing is written, if operators are missing; all of them are listed. With\n"
                   "--check, exit code 1 if the results differ.\n\n"
                   "Examples:\n"
                   "  cutaway-cli convert resnet50.pt2 -o resnet50.onnx\n"
                   "  cutaway-cli convert resnet50.pt -o resnet50.onnx --input x=Nx3x224x224:float32\n"
                   "  cutaway-cli convert mine.pt2 -o mine.onnx --opset 17 --keep-unknown\n"
                   "  cutaway-cli convert mine.pt2 -o mine.onnx --table mine.json --check");
    return [options, &file] { return convertFile(file, *options); };
}

} // namespace cutaway::cli
