// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/passes/pass.h"
#include "core/passes/scheduling/plan.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <numeric>

// A list schedule need not be better than the order of the file, so both are simulated, and the faster one is taken.

namespace cutaway::passes {

namespace {

std::string inMilliseconds(double seconds) { return formatted("{:.3g} ms", seconds * 1e3); }

/// Replaces the name of the plan's file in the settings by its text.
Result<Settings> preparedPlan(Settings settings)
{
    const std::string given = settings.word("plan");
    if (given.empty())
        return settings;
    std::string text = given;
    if (!given.starts_with('{')) {
        const auto mapped = MappedFile::open(given);
        if (!mapped)
            return usageError(mapped.error().message, given);
        text.assign(reinterpret_cast<const char *>(mapped->bytes().data()), mapped->bytes().size());
    }
    if (const auto plan = parsePlan(text); !plan)
        return usageError(plan.error().message, given.starts_with('{') ? "plan" : given);
    settings.set("plan", text.substr(std::min(text.find('{'), text.size())));
    if (!given.starts_with('{'))
        settings.setFile("plan", given);
    return settings;
}

Result<void> runReorderForOverlap(rewrite::Rewriter &rewriter, const Settings &settings)
{
    if (settings.word("plan").empty()) {
        rewriter.remark("no plan is given");
        return {};
    }
    CUTAWAY_TRY(const auto plan, parsePlan(settings.word("plan")));
    const PlannedJobs planned = plannedJobs(rewriter, rewriter.estimates(), plan);
    for (const std::string &warning : warnings(planned))
        rewriter.remark(warning);
    std::vector<std::size_t> inFile(planned.jobs.size());
    std::iota(inFile.begin(), inFile.end(), std::size_t{0});
    const std::vector<std::size_t> order = scheduled(planned.jobs, plan.link);
    const double before = simulated(planned.jobs, inFile, plan.link).seconds;
    const double after = simulated(planned.jobs, order, plan.link).seconds;
    if (after < before) {
        const std::vector<ir::NodeId> &nodes = rewriter.graph().at(ir::Graph::body).nodes;
        std::vector<ir::NodeId> reordered;
        std::ranges::transform(order, std::back_inserter(reordered), [&](std::size_t i) { return nodes[i]; });
        rewriter.reorder(ir::Graph::body, std::move(reordered));
    }
    rewriter.remark(formatted(
        "simulated time: {}{}{}", inMilliseconds(before),
        after < before ? formatted(" before, {} after", inMilliseconds(after)) : "; no better order is found",
        planned.unknownTimes == 0
            ? ""
            : formatted("; of {} a lower bound: {}", quantity(planned.unknownTimes, "node"), planned.reason)));
    return {};
}

} // namespace

extern const Pass reorderForOverlap;
const Pass reorderForOverlap{"reorder-for-overlap",
                             "Reorders nodes so that devices and streams of a plan work at the same time, if the "
                             "simulated time is less.",
                             {{"plan",
                               "a file that says which devices there are and what runs where; docs/fx-uses.md",
                               std::string(),
                               {},
                               true}},
                             runReorderForOverlap,
                             false,
                             {},
                             {},
                             preparedPlan};

} // namespace cutaway::passes
