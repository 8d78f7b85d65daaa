// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/sequence/code/kernel_lines.h"
#include "core/sequence/kernel_modules.h"
#include "tests/core/sequence/small_log.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

/// A graph and, behind a line of dashes, the code that was made of it: all lines that are told of nodes are in the
/// code, and the nodes are in the graph.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace cutaway;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    constexpr std::string_view between = "\n----\n", id = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
    const std::size_t at = text.find(between);
    const auto folder = TemporaryFolder::make();
    if (!folder || at == std::string_view::npos)
        return 0;
    const std::string path = (folder->path() / "run.log").string();
    if (!writeWholeFile(path,
                        test::record(R"("inductor_post_grad_graph": {})", id, text.substr(0, at))
                            + test::record(R"("inductor_output_code": {})", id, text.substr(at + between.size()))))
        return 0;
    const auto model = sequence::openInKernels(path + "#0/0/inductor_post_grad_graph");
    if (!model || model->functions.empty() || model->attachments.empty() || !model->attachments.front().text)
        return 0;
    const std::string &code = *model->attachments.front().text;
    for (const sequence::KernelLine &each : sequence::kernelLines(*model, ir::FunctionId{0}, code))
        if (each.line == 0 || each.line > static_cast<std::uint64_t>(std::ranges::count(code, '\n')) + 1
            || each.node.index >= model->functions.front().graph.nodeCount())
            std::abort();
    return 0;
}
