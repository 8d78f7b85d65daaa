// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Passes over a large model: passes FILE PIPELINE [TURNS]. Prints for each step the CPU milliseconds of the whole step
// (the pass, verification, analysis) and of the pass alone; then the memory of the model and that of all steps
// together.
#include "core/formats/format.h"
#include "core/passes/history.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <malloc.h>

namespace {

double milliseconds(std::clock_t from) { return 1000. * static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC; }
double heap() { return static_cast<double>(mallinfo2().uordblks) / (1 << 20); }

} // namespace

int main(int argc, char **argv)
{
    using namespace cutaway;
    if (argc < 3)
        return 2;
    const double empty = heap();
    auto model = formats::open(argv[1]);
    auto pipeline = passes::parsePipeline(argv[2]);
    if (!model || !pipeline) {
        std::fprintf(stderr, "%s\n", (model ? pipeline.error() : model.error()).text().c_str());
        return 3;
    }
    pipeline->iterations = argc > 3 ? std::atoi(argv[3]) : 1;
    const double one = heap() - empty;
    passes::History history(std::make_shared<const ir::Model>(std::move(*model)), ir::FunctionId{0});
    std::clock_t start = std::clock();
    history.run(*pipeline, {}, [&](const passes::Step &step) {
        std::printf("%-24s %8.1f ms, alone %8.1f ms, -%zu +%zu ~%zu\n", step.title().c_str(), milliseconds(start),
                    1000 * step.seconds, step.nodes.removed.size(), step.nodes.added.size(), step.nodes.changed.size());
        start = std::clock();
    });
    if (history.failure())
        std::fprintf(stderr, "%s\n", history.failure()->error.text().c_str());
    std::printf("the model %.1f MiB, %zu steps and it %.1f MiB\n", one, history.steps().size(), heap() - empty);
    return history.failure() ? 1 : 0;
}
