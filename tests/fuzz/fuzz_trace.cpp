// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/ir/text/text.h"
#include "core/trace/summary.h"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace cutaway;

/// A model with two of the operators that the seeds have.
const ir::Model &model()
{
    static const auto read = ir::parseText("graph @forward(%x: float32[4]) {\n"
                                           "  %relu = aten::relu.default(self=%x)\n"
                                           "  %neg = aten::neg.default(self=%relu)\n"
                                           "  return %neg\n}\n");
    if (!read)
        std::abort();
    return *read;
}

} // namespace

/// A trace that can be read is linked with a model: no row is longer than its event, and a row without nodes says why.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const auto folder = TemporaryFolder::make();
    if (!folder)
        std::abort();
    const std::string path = folder->path() / "run.json";
    if (!writeWholeFile(path, std::string_view(reinterpret_cast<const char *>(data), size)))
        return 0;
    const auto recorded = trace::read(path);
    if (!recorded)
        return 0;
    const auto analysis = analysis::analyse(model(), ir::FunctionId{0});
    const trace::Linked linked = trace::link(*recorded, model(), analysis);
    for (const trace::Row &row : linked.rows)
        if (row.duration < 0 || row.duration > recorded->events[row.event].duration
            || row.link.nodes.empty() == row.link.reason.empty())
            std::abort();
    (void)trace::summaryOf(*recorded, linked, model().functions.front().graph);
    return 0;
}
