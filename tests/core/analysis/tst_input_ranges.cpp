// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/input_ranges.h"

#include "core/base/formatted.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

namespace cutaway::analysis {
namespace {

/// "x -1..1, i 0..49": the inputs that have a range.
std::string rangesOf(const test::GraphCase &given)
{
    const ir::Model model = test::parsed(given.graphs.front());
    const auto ranges = inputRanges(model, {0}, inferShapes(model, {0}));
    std::string all;
    for (const auto &[input, range] : ranges)
        all += formatted("{}{} {:g} to {:g}", all.empty() ? "" : ", ",
                         ir::ValueRef(model.functions[0].graph, input).name(), range.low, range.high);
    return all.empty() ? "any" : all;
}

const bool rangeCases = test::forEachCase("InputRanges", "input_ranges", rangesOf);

} // namespace
} // namespace cutaway::analysis
