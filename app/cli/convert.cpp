// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/convert.h"
#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "core/base/formatted.h"
#include "core/formats/format.h"
#include "core/request/given.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace cutaway::cli {

namespace {

struct ConvertOptions {
    std::string output;
    convert::OnnxOptions onnx;
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
    std::string function;
};

constexpr std::size_t placesShown = 3;

/// Each operator without a rule with its number and places.
std::string missingText(const std::vector<convert::Missing> &missing)
{
    std::string text;
    for (const convert::Missing &each : missing) {
        text += formatted("{} ({} ×): {}\n", each.op, each.places.size(), each.reason);
        for (std::size_t i = 0; i < std::min(each.places.size(), placesShown); ++i)
            text += formatted("    {}\n", each.places[i]);
        if (each.places.size() > placesShown)
            text += formatted("    and {} more\n", each.places.size() - placesShown);
    }
    return text;
}

std::size_t nodeCountOf(const ir::Model &model)
{
    return model.functions.front().graph.at(ir::Graph::body).nodes.size();
}

Result<Answer> convertFile(const std::string &file, const ConvertOptions &options)
{
    auto opened = openModel(file, options.function);
    if (!opened)
        return std::unexpected(opened.error());
    auto &[model, function] = *opened;
    const auto given = request::readGiven(model, function, options.bindings, options.inputs);
    if (!given)
        return std::unexpected(given.error());
    const auto converted = convert::toOnnx(model, function, given->withoutTensors(), options.onnx);
    if (!converted)
        return std::unexpected(converted.error());
    std::string text = missingText(converted->missing);
    if (!converted->missing.empty() && !options.onnx.keepsUnknown)
        return Answer(text + options.output + " is not written.\n", true);
    for (const std::string &note : converted->notes)
        text += "note: " + note + "\n";
    if (const auto written = formats::write(converted->model, options.output); !written)
        return std::unexpected(written.error());
    return Answer(
        text
        + formatted("{}: opset {}, {} nodes\n", options.output, options.onnx.opset, nodeCountOf(converted->model)));
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
    command.footer("Exit code 1, and nothing is written, if operators are missing; all of them are listed.\n\n"
                   "Examples:\n"
                   "  cutaway-cli convert resnet50.pt2 -o resnet50.onnx\n"
                   "  cutaway-cli convert resnet50.pt -o resnet50.onnx --input x=Nx3x224x224:float32\n"
                   "  cutaway-cli convert mine.pt2 -o mine.onnx --opset 17 --keep-unknown");
    return [options, &file] { return convertFile(file, *options); };
}

} // namespace cutaway::cli
