// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"
#include "core/analysis/reading/reading.h"
#include "core/passes/scheduling/timeline.h"

#include <string>
#include <vector>

namespace cutaway::passes {

/// Devices, and the rules for which nodes run where.
struct Plan {
    struct Device {
        std::string name; ///< "gpu0"
        analysis::Device figures;
        std::int64_t streams = 1;
        double launchSeconds = 0; ///< the time that launching a node takes, in addition to the node's own time
    };
    /// A rule that puts nodes on a stream: those that meet all conditions that the rule has.
    struct Rule {
        std::string module;    ///< the path of a module; the rule includes its submodules
        std::string operators; ///< kinds or categories, joined by '+'
        std::string node;      ///< the name of a node
        StreamId on;
        std::string text() const; ///< "module 'layer1', operators 'conv'"
    };
    std::vector<Device> devices;
    Link link;
    std::vector<Rule> rules; ///< the first rule that applies to a node decides; other nodes run on stream 0
};

/// Reads `{"devices": [{"name", "device", "streams", "launch_seconds"}], "link": {"bandwidth", "latency"}, "place":
/// [{"module", "operators", "node", "on", "stream"}]}`; a device is an id or figures as of analysis::parseDevice().
/// Errors (Usage): what was found and what was expected.
Result<Plan> parsePlan(std::string_view text);

/// A function's nodes as jobs of a plan.
struct PlannedJobs {
    std::vector<Job> jobs;              ///< one job for each node of the body, in the body's order
    std::size_t unknownTimes = 0;       ///< nodes whose time is a lower bound
    std::size_t unknownBytes = 0;       ///< values between devices whose bytes are not known and count as none
    std::string reason;                 ///< why the first unknown time is unknown; "" if all are known
    std::vector<std::string> unmatched; ///< rules that apply to no node, as Rule::text()
};
/// Makes a job for each node. Its time is that of the roofline of its device. `shapes` has the sizes that the user
/// gives.
PlannedJobs plannedJobs(analysis::Reading &reading, const analysis::Shapes &shapes, const Plan &plan);

/// Returns a sentence for each rule that applies to no node: "the plan's entry of module 'layer1' is true of no node".
std::vector<std::string> warnings(const PlannedJobs &planned);

/// Whether the node's operator is one that `words` names: kinds or categories of operators, "conv+activation".
bool isAmongOperators(analysis::Reading &reading, const ir::NodeRef &node, std::string_view words);

} // namespace cutaway::passes
