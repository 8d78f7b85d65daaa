// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/pages/source_page.h"

#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/ir/text/placed_text.h"
#include "core/print/listings.h"
#include "core/print/onnx_text.h"
#include "core/print/pages/archived_code.h"
#include "core/print/pages/json_record.h"
#include "core/print/pages/kernel_code.h"
#include "core/print/pages/lines.h"
#include "core/print/pages/python_file.h"

#include <algorithm>
#include <set>

namespace cutaway::print {

namespace {

using Kind = PageName::Kind;

/// Returns the files that occur in stack traces of the function's nodes, sorted.
std::vector<std::string> tracedFiles(const ir::Model &model, const ir::Graph &graph)
{
    std::set<ir::LocationId> seen;
    std::set<std::string> files;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        ir::LocationId at = graph.at(ir::NodeId{i}).location;
        for (; at != ir::LocationId{} && seen.insert(at).second; at = model.context->at(at).caller)
            files.emplace(model.context->text(model.context->at(at).file));
    }
    files.erase("");
    return {files.begin(), files.end()};
}

/// Returns the page of a printed graph, which has one statement per line.
SourcePage pageOf(ir::PlacedText placed)
{
    SourcePage page{std::move(placed.text), {}, {}};
    const LineStarts starts(page.text);
    for (const ir::NodePlace &place : placed.places)
        page.lines.push_back({starts.lineAt(place.at), place.node});
    return page;
}

Result<SourcePage> recordOf(const ir::Model &model, ir::FunctionId function)
{
    return ir::isOnnx(model) ? placedOnnxText(model, function).transform(pageOf) : jsonRecord(model, function);
}

bool hasRecord(const ir::Model &model, ir::FunctionId function)
{
    return ir::isOnnx(model) || (ir::isExportedProgram(model) && function == ir::FunctionId{0});
}

} // namespace

std::vector<PageName> pagesOf(const ir::Model &model, ir::FunctionId function)
{
    const std::vector<std::string> code = codeFiles(model);
    std::vector<PageName> pages;
    for (const std::string &file : tracedFiles(model, model.at(function).graph))
        if (!std::ranges::contains(code, file))
            pages.push_back({Kind::Python, file});
    for (const std::string &file : code)
        pages.push_back({Kind::Code, file});
    for (const std::string &file : kernelCodeFiles(model))
        pages.push_back({Kind::Kernels, file});
    pages.push_back({Kind::Graph});
    if (hasRecord(model, function))
        pages.push_back({Kind::Record});
    return pages;
}

Result<SourcePage> sourcePage(const ir::Model &model, ir::FunctionId function, const PageName &name,
                              std::span<const std::filesystem::path> roots)
{
    auto page = name.kind == Kind::Graph ? pageOf(ir::placedText(model, function, ir::TextForm::Reading))
        : name.kind == Kind::Record      ? recordOf(model, function)
        : name.kind == Kind::Code        ? archivedCode(model, function, name.file)
        : name.kind == Kind::Kernels     ? kernelCodePage(model, function, name.file)
                                         : pythonFile(model, function, name.file, roots);
    if (page) {
        std::ranges::sort(page->lines, {}, [](const NodeLine &each) { return std::pair(each.line, each.node.index); });
        const auto same = std::ranges::unique(page->lines);
        page->lines.erase(same.begin(), same.end());
    }
    return page;
}

} // namespace cutaway::print
