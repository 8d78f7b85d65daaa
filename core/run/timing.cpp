// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/timing.h"

#include "core/run/node_names.h"

namespace cutaway::run {

double Timing::sum() const
{
    double seconds = 0;
    for (const TimedNodes &each : nodes)
        seconds += each.measured.time.median;
    return seconds;
}

Result<Timing> measure(Backend &backend, const Subject &subject, const Inputs &inputs, double seconds, const Task &task)
{
    auto profile = backend.profile(subject, inputs, seconds, task);
    if (!profile)
        return std::unexpected(profile.error());
    Timing timing{profile->whole, profile->instrumented, profile->peakBytes, {}};
    const NodeNames names(subject.model.at(subject.function));
    for (protocol::Profile::NodeTime &measured : profile->nodes) {
        auto nodes =
            measured.name.empty() ? names.at(measured.index, measured.op) : names.find(measured.name, measured.op);
        timing.nodes.push_back({std::move(nodes), std::move(measured)});
    }
    return timing;
}

} // namespace cutaway::run
