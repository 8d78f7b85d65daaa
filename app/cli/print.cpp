// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/opened.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/text.h"
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
#include <algorithm>
#include <string_view>
#include <vector>

namespace cutaway::cli {

namespace {

struct PrintOptions {
    std::string function;
    std::string form = "ir";
    bool full = false;
    std::string output;
};

Result<std::string> printIr(const ir::Model &model, ir::FunctionId function, const PrintOptions &options)
{
    const auto detail = options.full ? ir::TextForm::Complete : ir::TextForm::Reading;
    return options.function.empty() ? ir::printText(model, detail) : ir::printText(model, function, detail);
}

Result<std::string> printFx(const ir::Model &model, ir::FunctionId function, const PrintOptions &)
{
    return print::fxListing(model, function);
}

Result<std::string> printTorchScript(const ir::Model &model, ir::FunctionId function, const PrintOptions &)
{
    return print::torchScriptCode(model, function);
}

Result<std::string> printGraph(const ir::Model &model, ir::FunctionId function, const PrintOptions &)
{
    return print::torchGraph(model, function);
}

/// Returns the code of a Python module or, with an output file, writes it there and returns where it is.
Result<std::string> printTorch(const ir::Model &model, ir::FunctionId function, const PrintOptions &options)
{
    CUTAWAY_TRY(const auto made, print::torchModule(model, function));
    if (options.output.empty())
        return made.code;
    CUTAWAY_RETURN_IF_ERROR(print::writeTorchModule(made, options.output));
    return formatted("{}: {} beside it\n", options.output, quantity(made.weights.size(), "weight"));
}

Result<std::string> printOnnx(const ir::Model &model, ir::FunctionId function, const PrintOptions &options)
{
    return print::onnxText(model, options.function.empty() ? std::nullopt : std::optional(function));
}

Result<std::string> printSource(const ir::Model &model, ir::FunctionId function, const PrintOptions &options)
{
    return options.function.empty() ? print::sourceText(model) : print::sourceText(model, function);
}

Result<std::string> printSignature(const ir::Model &model, ir::FunctionId function, const PrintOptions &)
{
    return print::signatureListing(model, function);
}

Result<std::string> printStates(const ir::Model &model, ir::FunctionId, const PrintOptions &)
{
    return print::stateListing(model);
}

Result<std::string> printFiles(const ir::Model &model, ir::FunctionId, const PrintOptions &)
{
    return print::fileListing(model);
}

Result<std::string> printStructure(const ir::Model &model, ir::FunctionId function, const PrintOptions &)
{
    const ir::Graph &graph = model.at(function).graph;
    return structure::printStructure(graph, ir::Graph::body, structure::structureOf(graph, ir::Graph::body));
}

Result<std::string> printJson(const ir::Model &model, ir::FunctionId, const PrintOptions &)
{
    return ir::printJson(model) + "\n";
}

struct Form {
    std::string_view name, description;
    Result<std::string> (*print)(const ir::Model &model, ir::FunctionId function, const PrintOptions &options);
};

constexpr Form forms[] = {
    {"ir", "Cutaway's textual form", printIr},
    {"fx", "a table as torch.fx prints it", printFx},
    {"torchscript", "code as TorchScript's", printTorchScript},
    {"graph", "as torch prints a scripted method's graph", printGraph},
    {"torch", "a Python module that runs with torch", printTorch},
    {"onnx", "an ONNX model in ONNX's text form, large weights without their elements", printOnnx},
    {"source", "the code that the file itself has", printSource},
    {"signature", "inputs and outputs with their kinds", printSignature},
    {"state-dict", "parameters and buffers", printStates},
    {"files", "what else the archive has", printFiles},
    {"structure", "what repeats, stages and branches, found in the graph alone, without the names in the file",
     printStructure},
    {"json", "schema cutaway.ir/1", printJson},
};

std::vector<std::string> namesOfForms()
{
    std::vector<std::string> names;
    for (const Form &form : forms)
        names.emplace_back(form.name);
    return names;
}

std::string descriptionOfForms()
{
    std::vector<std::string> texts;
    for (const Form &form : forms)
        texts.push_back(formatted("{}: {}", form.name, form.description));
    return joined(texts, "; ");
}

Result<std::string> print(const std::string &file, const PrintOptions &options)
{
    CUTAWAY_TRY(const Opened &opened, kept(openModel(file, options.function)));
    const auto &[model, function] = opened;
    return std::ranges::find(forms, options.form, &Form::name)->print(model, function, options);
}

} // namespace

Action declarePrint(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<PrintOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command.add_option("--as", options->form, descriptionOfForms())
        ->type_name("FORM")
        ->check(CLI::IsMember(namesOfForms()))
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
