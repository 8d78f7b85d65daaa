// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/linked.h"

#include "core/trace/links/device_links.h"
#include "core/trace/links/onnxruntime_links.h"
#include "core/trace/links/operator_links.h"

#include <array>

namespace cutaway::trace {

std::string_view name(Evidence evidence)
{
    constexpr std::array<std::string_view, 4> names{"order", "name", "sequence", "neighbours"};
    return names[std::to_underlying(evidence)];
}

double linkedShare(const Linked &linked)
{
    double known = 0, all = 0;
    for (const Row &row : linked.rows) {
        const auto time = static_cast<double>(row.duration);
        all += time;
        known += row.link.nodes.empty() ? 0 : time;
    }
    return all > 0 ? known / all : 0;
}

Linked link(const Trace &trace, const ir::Model &model, const analysis::Analysis &analysis,
            const sequence::FoundStep *step, const Task &task)
{
    const ir::Graph &graph = model.at(analysis.function).graph;
    const Nesting nesting(trace);
    Linked linked;
    linked.iterations = iterationsOf(trace, nesting);
    linked.diagnostics = trace.diagnostics;
    if (trace.kind == Kind::OnnxRuntime) {
        linkOnnxRuntime(trace, nesting, graph, linked);
    } else {
        const Units units = step ? unitsOf(model, analysis, *step) : unitsOf(model, analysis);
        linkOperators(trace, nesting, graph, units, step, task, linked);
    }
    if (task.stopRequested())
        return linked;
    linked.devices = linkDevices(trace, nesting, linked);
    return linked;
}

} // namespace cutaway::trace
