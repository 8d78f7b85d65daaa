// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/opened.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/ir/json/json.h"
#include "core/ir/text/text.h"
#include "core/print/fx.h"
#include "core/print/listings.h"
#include "core/print/onnx_text.h"
#include "core/print/torch/torch_files.h"
#include "core/print/torch_graph.h"
#include "core/print/torchscript.h"
#include "core/structure/structure.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

struct PrintOptions {
    std::string function;
    std::string form = "ir";
    bool full = false;
    std::string output;
};

/// The code of a Python module; with an output file nothing but where it is.
Result<std::string> printTorch(const ir::Model &model, ir::FunctionId function, const std::string &output)
{
    CUTAWAY_TRY(const auto made, print::torchModule(model, function));
    if (output.empty())
        return made.code;
    CUTAWAY_RETURN_IF_ERROR(print::writeTorchModule(made, output));
    return formatted("{}: {} beside it\n", output, quantity(made.weights.size(), "weight"));
}

Result<std::string> print(const std::string &file, const PrintOptions &options)
{
    const Result<Opened> &opened = kept(openModel(file, options.function));
    if (!opened)
        return std::unexpected(opened.error());
    const auto &[model, function] = *opened;
    if (options.form == "json")
        return ir::printJson(model) + "\n";
    if (options.form == "onnx")
        return print::onnxText(model, options.function.empty() ? std::nullopt : std::optional(function));
    if (options.form == "torch")
        return printTorch(model, function, options.output);
    if (options.form == "torchscript")
        return print::torchScriptCode(model, function);
    if (options.form == "graph")
        return print::torchGraph(model, function);
    if (options.form == "source")
        return options.function.empty() ? print::sourceText(model) : print::sourceText(model, function);
    if (options.form == "signature")
        return print::signatureListing(model, function);
    if (options.form == "state-dict")
        return print::stateListing(model);
    if (options.form == "files")
        return print::fileListing(model);
    if (options.form == "structure") {
        const ir::Graph &graph = model.at(function).graph;
        return structure::printStructure(graph, ir::Graph::body, structure::structureOf(graph, ir::Graph::body));
    }
    if (options.form == "fx")
        return print::fxListing(model, function);
    const auto detail = options.full ? ir::TextForm::Complete : ir::TextForm::Reading;
    return options.function.empty() ? ir::printText(model, detail) : ir::printText(model, function, detail);
}

} // namespace

Action declarePrint(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<PrintOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command
        .add_option(
            "--as", options->form,
            "ir: Cutaway's textual form; fx: a table as torch.fx prints it; torchscript: code as TorchScript's; "
            "graph: as torch prints a scripted method's graph; torch: a Python module that runs with torch; "
            "onnx: an ONNX model in ONNX's text form, large weights without their elements; source: the code that the "
            "file itself has; signature: inputs and outputs with their kinds; state-dict: parameters and buffers; "
            "files: what else the archive has; structure: what repeats, stages and branches, found in the graph alone, "
            "without the names in the file; json: schema cutaway.ir/1")
        ->type_name("FORM")
        ->check(CLI::IsMember({"ir", "fx", "torchscript", "graph", "torch", "onnx", "source", "signature", "state-dict",
                               "files", "structure", "json"}))
        ->capture_default_str();
    auto *function =
        command.add_option("--function", options->function, "Print this function only (not with --as json)")
            ->type_name("NAME");
    command
        .add_option("-o,--output", options->output,
                    "With --as torch: write the code here, and the weights to a .safetensors file beside it")
        ->type_name("FILE");
    command.add_flag("--full", options->full,
                     "With --as ir: include weights, strides, source positions with callers, metadata");
    command.callback([options, function] {
        if (options->form == "json" && function->count() > 0)
            throw CLI::ExcludesError("--function", "--as json");
        if (options->form != "torch" && !options->output.empty())
            throw CLI::ExcludesError("--output", "--as " + options->form);
        if (options->form != "ir" && options->full)
            throw CLI::ExcludesError("--full", "--as " + options->form);
    });
    command.footer("Examples:\n"
                   "  cutaway-cli print resnet50.onnx\n"
                   "  cutaway-cli print resnet50.pt2 --as fx\n"
                   "  cutaway-cli print resnet50.pt --as torchscript\n"
                   "  cutaway-cli print resnet50.pt2 --as torch -o resnet50.py\n"
                   "  cutaway-cli print resnet50.pt --as source --function forward");
    return [options, &file] { return print(file, *options); };
}

} // namespace cutaway::cli
