// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/opened.h"
#include "core/drawing/picture.h"
#include "core/layout/layout.h"
#include "core/layout/outline.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>

namespace cutaway::cli {

namespace {

struct DrawOptions {
    std::string function;
    std::string output;
    std::optional<int> depth;
    bool flat = false;
    bool all = false;
    bool dark = false;
};

layout::Expansion expansion(const ir::Graph &graph, const layout::Outline &outline, const DrawOptions &options)
{
    if (options.flat)
        return {.open = {}, .everything = true, .flat = true};
    if (options.all)
        return {.open = {}, .everything = true, .flat = false};
    if (options.depth)
        return layout::expansionToDepth(outline, *options.depth);
    return layout::readableExpansion(graph, outline);
}

Result<std::string> draw(const std::string &file, const DrawOptions &options)
{
    const Result<Opened> &opened = kept(openModel(file, options.function));
    if (!opened)
        return std::unexpected(opened.error());
    const ir::Function &function = opened->model.at(opened->function);
    const layout::Outline outline = layout::outlineOf(function, options.flat);
    const Result<layout::Diagram> diagram =
        layout::layOut(opened->model, opened->function, expansion(function.graph, outline, options),
                       layout::approximateTextWidth, {.knowledge = {}, .hidden = {}, .outline = &outline});
    if (!diagram)
        return std::unexpected(diagram.error());
    for (const std::string &note : diagram->notes)
        std::fprintf(stderr, "cutaway: note: %s\n", note.c_str());
    const drawing::Palette &palette = options.dark ? drawing::darkPalette() : drawing::lightPalette();
    const Result<void> written = drawing::writePicture(*diagram, palette, options.output);
    return written ? Result<std::string>("") : std::unexpected(written.error());
}

/// Checked before the model is read, so that a wrong name fails at once.
std::string checkPictureSuffix(const std::string &output)
{
    static constexpr std::array suffixes{".svg", ".png", ".pdf", ".dot"};
    const std::string suffix = std::filesystem::path(output).extension().string();
    if (std::ranges::find(suffixes, suffix) != suffixes.end())
        return {};
    return "the picture's name must end in .svg, .png, .pdf or .dot, not '" + suffix + "'";
}

} // namespace

Action declareDraw(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<DrawOptions>();
    command.add_option("FILE", file, "The model file")->required()->type_name("");
    command.add_option("-o,--output", options->output, "The picture: .svg, .png, .pdf or .dot")
        ->required()
        ->type_name("PICTURE")
        ->check(checkPictureSuffix);
    auto *depth = command.add_option("--depth", options->depth, "Expand modules down to this level; 0: none")
                      ->type_name("N")
                      ->check(CLI::NonNegativeNumber);
    auto *flat = command.add_flag("--flat", options->flat, "Draw all nodes flat, without module boxes");
    auto *all = command.add_flag("--all", options->all, "Open every module");
    depth->excludes(flat)->excludes(all);
    flat->excludes(all);
    command.add_flag("--dark", options->dark, "Dark theme");
    command.add_option("--function", options->function, "Draw this function (default: the main one)")
        ->type_name("NAME");
    command.footer("Without --depth, --flat or --all, modules are expanded as far as the picture stays readable.\n\n"
                   "Examples:\n"
                   "  cutaway-cli draw resnet50.pt2 -o resnet50.svg\n"
                   "  cutaway-cli draw swin.onnx -o swin.pdf --depth 3");
    return [options, &file] { return draw(file, *options); };
}

} // namespace cutaway::cli
