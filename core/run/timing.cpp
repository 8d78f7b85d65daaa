// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/timing.h"

#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/plugin/node_names.h"
#include "core/protocol/made_names.h"

namespace cutaway::run {

std::optional<double> Timing::sum() const { return inNodes.count > 0 ? std::optional(inNodes.median) : sumOfMedians(); }

std::optional<double> Timing::sumOfMedians() const
{
    if (nodes.empty())
        return std::nullopt;
    double seconds = 0;
    for (const TimedNodes &each : nodes)
        seconds += each.measured.time.median;
    return seconds;
}

namespace {

std::vector<InputSize> sizesOf(const Inputs &inputs)
{
    std::vector<InputSize> sizes;
    for (const Input &input : inputs)
        std::visit(Overloaded{[&](const ops::Fact &) {}, [](const InputParts &) {},
                              [&](const auto &tensor) { sizes.push_back({input.name, tensor.dtype, tensor.shape}); }},
                   input.content);
    return sizes;
}

} // namespace

Result<Timing> measure(Backend &backend, const Subject &subject, const Inputs &inputs, double seconds, const Task &task)
{
    CUTAWAY_TRY(auto profile, backend.profile(subject, inputs, seconds, task));
    Timing timing{profile.whole, profile.instrumented, profile.peakBytes, {}, std::move(profile.conditions)};
    if (subject.file)
        timing.file = describeFile(*subject.file);
    timing.inputs = sizesOf(inputs);
    timing.inNodes = profile.inNodes;
    timing.between = profile.between;
    timing.peakActivation = profile.peakActivation;
    const plugin::NodeNames names(subject.model.at(subject.function));
    for (protocol::Profile::NodeTime &measured : profile.nodes) {
        auto nodes = measured.dims  ? std::vector<ir::NodeId>() // trace::linkCalls() finds the nodes later
            : measured.node         ? names.withId(*measured.node)
            : measured.name.empty() ? names.at(measured.index, measured.op)
                                    : names.find(measured.name, measured.op);
        if (!nodes.empty() && protocol::isMadeName(measured.name))
            measured.name = names.valueOf(nodes.back());
        timing.nodes.push_back({std::move(nodes), std::move(measured)});
    }
    return timing;
}

} // namespace cutaway::run
