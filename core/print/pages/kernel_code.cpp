// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/pages/kernel_code.h"

#include "core/base/formatted.h"
#include "core/ir/node_ref.h"
#include "core/print/pages/lines.h"
#include "core/sequence/code/kernel_lines.h"
#include "core/sequence/kernel_modules.h"
#include "core/sequence/kernels.h"

#include <algorithm>

namespace cutaway::print {

namespace {

/// Returns the last of the lines from `first` on that belong to a node although they are none of its statements;
/// `first` - 1 if there are none. If the lines up to `last` contain no statements, as in the call of a kernel or in a
/// kernel that is not understood, all of them belong to the node. Else the lines before the first statement are the
/// head of a kernel, which belongs to the nodes that have no statement in the kernel.
std::uint32_t headEnd(const std::vector<sequence::KernelLine> &statements, ir::NodeId node, std::uint32_t first,
                      std::uint32_t last)
{
    using sequence::KernelLine;
    const auto begin = std::ranges::lower_bound(statements, first, {}, &KernelLine::line);
    const auto end = std::ranges::upper_bound(statements, last, {}, &KernelLine::line);
    if (begin >= end)
        return last;
    return std::ranges::contains(begin, end, node, &KernelLine::node) ? first - 1 : begin->line - 1;
}

} // namespace

std::vector<std::string> kernelCodeFiles(const ir::Model &model)
{
    std::vector<std::string> files;
    for (const ir::Attachment &attachment : model.attachments)
        if (sequence::isKernelCode(attachment.name) && attachment.text)
            files.push_back(attachment.name);
    return files;
}

Result<SourcePage> kernelCodePage(const ir::Model &model, ir::FunctionId function, const std::string &file)
{
    const auto found = std::ranges::find(model.attachments, file, &ir::Attachment::name);
    if (found == model.attachments.end() || !found->text)
        return usageError(formatted("the model has no code '{}'", file));
    SourcePage page{*found->text, sequence::languageOf(file), {}};
    const std::vector<sequence::KernelLine> statements = sequence::kernelLines(model, function, page.text);
    const std::uint32_t end = LineStarts(page.text).count();
    for (const ir::NodeRef node : ir::nodesOf(model.at(function).graph))
        if (const auto code = sequence::kernelCode(model, node.scope().path); code && code->attachment == file)
            for (const auto &[first, last] : code->lines)
                for (std::uint32_t line = first; line <= std::min(headEnd(statements, node, first, last), end); ++line)
                    page.lines.push_back({line, node});
    for (const auto &[line, node] : statements)
        page.lines.push_back({line, node});
    return page;
}

} // namespace cutaway::print
