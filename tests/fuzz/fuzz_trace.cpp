// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/trace/comparison.h"
#include "core/trace/memory_use.h"
#include "core/trace/recorded_model.h"
#include "core/trace/run_sizes.h"

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
/// It does not differ from itself, and what it tells of a model is a valid one.
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
    const ir::Graph &graph = model().functions.front().graph;
    const trace::Summary summary = trace::summaryOf(*recorded, linked, graph);
    const trace::Measured measured{*recorded, linked, summary};
    for (const trace::NodeChange &change : trace::compare(measured, measured, graph).nodes)
        if (change.isMoved || change.time.difference() != 0)
            std::abort();
    for (const trace::MemoryUse &use : trace::memoryUse(*recorded, linked))
        if (use.curve.empty() || use.peak >= use.curve.size())
            std::abort();
    (void)trace::runSizes(*recorded, linked, model(), analysis);
    if (!ir::verify(trace::recordedModel(*recorded)).empty())
        std::abort();
    return 0;
}
