// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "core/analysis/roofline.h"
#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/base/result.h"
#include "core/drawing/data_tints.h"
#include "core/drawing/picture.h"
#include "core/layout/layout.h"
#include "core/layout/outline.h"
#include "core/node_data/node_data.h"
#include "core/query/figures.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

namespace cutaway::cli {

namespace {

struct DrawOptions {
    RequestArguments arguments;
    std::string output;
    std::string data;     ///< the file of the node data
    std::string colourBy; ///< "flops", "data.latency", or ""
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

void note(const std::string &text) { std::fprintf(stderr, "cutaway: note: %s\n", text.c_str()); }

// ---- what boxes are coloured by

constexpr std::array colouringFigures{query::Property::Flops, query::Property::Bytes, query::Property::Params,
                                      query::Property::Memory, query::Property::Time};

/// The column that colours the boxes, and how the numbers of the nodes in a closed box are combined.
struct Colouring {
    node_data::Column column;
    drawing::Sum sum;
};

/// Returns a figure as a column with cells for nodes outside of regions only, so that none counts twice.
Result<Colouring> figureColumn(const Request &request, const analysis::Analysis &analysis, query::Property figure)
{
    std::optional<analysis::Roofline> roofline;
    if (request.device)
        roofline = analysis::roofline(request.opened.model, analysis, *request.device, 0);
    else if (figure == query::Property::Time)
        return usageError("--colour-by time needs --device, see 'cutaway-cli devices'");
    const query::Known known{
        .model = request.opened.model, .analysis = analysis, .roofline = roofline ? &*roofline : nullptr};
    const query::Figures figures(known);
    const ir::Graph &graph = known.graph();
    node_data::Column column{std::string(query::rowOf(figure).name), std::vector<node_data::Cell>(graph.nodeCount())};
    for (const ir::NodeRef node : ir::nodesOf(graph, ir::Graph::body)) {
        if (figure == query::Property::Time) {
            if (const auto seconds = figures.secondsOf(figure, node))
                column.cells[node.id().index] = *seconds;
        } else if (const auto number = ops::number(figures.sizeOf(figure, node))) {
            column.cells[node.id().index] = static_cast<double>(*number);
        }
    }
    return Colouring{std::move(column),
                     figure == query::Property::Memory ? drawing::Sum::Largest : drawing::Sum::Total};
}

Result<Colouring> dataColumn(const DrawOptions &options, const ir::Function &function, std::string_view name)
{
    CUTAWAY_TRY(const auto table, node_data::readTable(options.data));
    const node_data::NodeData data = node_data::dataOf(function, table);
    if (const std::string remark = node_data::remarkOn({&data, 1}); !remark.empty())
        note("the node data: " + remark);
    return data.findColumn(name).transform(
        [](node_data::Column column) { return Colouring{std::move(column), drawing::Sum::Largest}; });
}

Result<std::optional<Colouring>> colouringOf(const Request &request, const analysis::Analysis &analysis,
                                             const DrawOptions &options)
{
    const std::string_view wanted = options.colourBy;
    if (wanted.empty())
        return std::nullopt;
    const bool isData = wanted.starts_with(node_data::columnPrefix);
    if (isData && options.data.empty())
        return usageError(formatted("--colour-by {} needs --data TABLE", wanted));
    CUTAWAY_TRY(Colouring found,
                isData ? dataColumn(options, request.opened.model.at(analysis.function),
                                    wanted.substr(node_data::columnPrefix.size()))
                       : figureColumn(request, analysis, query::propertyNamed(wanted)->property));
    if (const auto range = found.column.range())
        note(formatted("coloured by {}: {:.4g} to {:.4g} per node", wanted, range->first, range->second));
    return std::optional(std::move(found));
}

// ---- the picture

Result<std::string> draw(const std::string &file, const DrawOptions &options)
{
    CUTAWAY_TRY(const Request &request, kept(readRequest(file, options.arguments)));
    const auto &[model, id] = request.opened;
    const analysis::Analysis &analysis = kept(analysis::analyse(model, id, request.given));
    const ir::Function &function = model.at(id);
    CUTAWAY_TRY(const auto colouring, colouringOf(request, analysis, options));
    const layout::Outline outline = layout::outlineOf(function, options.flat);
    CUTAWAY_TRY(const layout::Diagram diagram,
                layout::layOut(model, id, expansion(function.graph, outline, options), layout::approximateTextWidth,
                               {.knowledge = layout::knowledgeOf(model, analysis), .hidden = {}, .outline = &outline}));
    for (const std::string &text : diagram.notes)
        note(text);
    const drawing::Palette &palette = options.dark ? drawing::darkPalette() : drawing::lightPalette();
    drawing::Look look{.palette = &palette};
    if (colouring)
        look.tints = drawing::tintsOf(diagram, outline, colouring->column, colouring->sum, palette).boxes;
    CUTAWAY_RETURN_IF_ERROR(drawing::writePicture(diagram, look, options.output));
    return "";
}

// ---- options, checked before the model is read, so that a wrong one fails at once

std::string checkPictureSuffix(const std::string &output)
{
    static constexpr std::array suffixes{".svg", ".png", ".pdf", ".dot"};
    const std::string suffix = std::filesystem::path(output).extension().string();
    if (std::ranges::find(suffixes, suffix) != suffixes.end())
        return {};
    return "the picture's name must end in .svg, .png, .pdf or .dot, not '" + suffix + "'";
}

std::string checkColouring(const std::string &wanted)
{
    if (wanted.starts_with(node_data::columnPrefix))
        return {};
    std::string names;
    for (const query::Property figure : colouringFigures) {
        const std::string_view name = query::rowOf(figure).name;
        if (wanted == name)
            return {};
        names += std::string(name) + ", ";
    }
    return formatted("boxes are coloured by {}or data.COLUMN, not by '{}'", names, wanted);
}

void declareColouring(CLI::App &command, DrawOptions &options)
{
    auto *data = command
                     .add_option("--data", options.data,
                                 "A table of yours, CSV or JSON, with a row per node, for --colour-by data.COLUMN")
                     ->type_name("TABLE");
    auto *colour = command
                       .add_option("--colour-by,--color-by", options.colourBy,
                                   "Colour the boxes by flops, bytes, params, memory, time (with --device), or a "
                                   "column of --data: data.COLUMN")
                       ->type_name("FIGURE")
                       ->check(checkColouring);
    data->needs(colour);
}

} // namespace

Action declareDraw(CLI::App &command, std::string &file)
{
    auto options = std::make_shared<DrawOptions>();
    RequestArguments &arguments = options->arguments;
    arguments.inKernels = true;
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
    command.add_option("--bind", arguments.bindings, "Fix sizes by symbol: s0=8,batch=4")
        ->type_name("S=N,...")
        ->allow_extra_args(false);
    declareInputs(command, arguments.inputs);
    command.add_option("--device", arguments.device, "The processor that --colour-by time is of")->type_name("ID");
    declareColouring(command, *options);
    command.add_option("--function", arguments.function, "Draw this function (default: the main one)")
        ->type_name("NAME");
    command.footer("Without --depth, --flat or --all, modules are expanded as far as the picture stays readable. A "
                   "graph of a log\n"
                   "of torch.compile has a box for each kernel that Inductor made of it.\n\n"
                   "Examples:\n"
                   "  cutaway-cli draw resnet50.pt2 -o resnet50.svg\n"
                   "  cutaway-cli draw swin.onnx -o swin.pdf --depth 3\n"
                   "  cutaway-cli draw net.onnx -o net.svg --bind batch=8 --colour-by flops\n"
                   "  cutaway-cli draw net.onnx -o net.svg --data times.csv --colour-by data.latency");
    return [options, &file] { return draw(file, *options); };
}

} // namespace cutaway::cli
