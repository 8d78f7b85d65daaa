// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/roofline_report.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/print/figures.h"
#include "core/print/text_table.h"

#include <algorithm>

namespace cutaway::report {

namespace {

using analysis::Attainable;
using analysis::Roofline;
using Bound = Attainable::Bound;

constexpr std::size_t slowestShown = 5;

void writeRooflineNodes(JsonWriter &out, const Roofline &estimate)
{
    out.key("nodes");
    out.beginArray();
    for (std::size_t i = 0; i < estimate.nodes.size(); ++i)
        if (const auto &node = estimate.nodes[i]) {
            out.beginObject();
            out.member("id", static_cast<std::uint64_t>(i));
            out.member("seconds", node->seconds);
            out.member("bound", name(node->bound));
            out.member("intensity", node->intensity);
            out.endObject();
        }
    out.endArray();
}

/// Returns the number and total time of the body's nodes with this bound: "53 nodes, 1.10 ms".
std::string boundText(const ir::Graph &graph, const Roofline &estimate, Bound bound)
{
    double seconds = 0;
    long long count = 0;
    for (const ir::NodeId id : graph.at(ir::Graph::body).nodes)
        if (const auto &node = estimate.nodes[id.index]; node && node->bound == bound) {
            seconds += node->seconds;
            ++count;
        }
    return count == 0 ? "" : quantity(count, "node") + ", " + print::secondsText(seconds);
}

std::string fitText(const Roofline &estimate, const analysis::Device &device)
{
    if (!estimate.neededBytes)
        return {};
    return byteCount(*estimate.neededBytes) + " of " + byteCount(device.memory)
        + (estimate.fits ? ": fits" : ": does not fit");
}

std::string slowest(const ir::Graph &graph, const Roofline &estimate)
{
    std::vector<ir::NodeId> nodes;
    for (const ir::NodeId id : graph.at(ir::Graph::body).nodes)
        if (estimate.nodes[id.index] && estimate.nodes[id.index]->seconds > 0)
            nodes.push_back(id);
    std::ranges::stable_sort(nodes, std::greater{}, [&](ir::NodeId id) { return estimate.nodes[id.index]->seconds; });
    print::TextTable table(
        {{.align = print::TextTable::Align::Right}, {.align = print::TextTable::Align::Right}, {}, {}, {}});
    for (std::size_t i = 0; i < nodes.size() && i < slowestShown; ++i) {
        const ir::NodeRef node(graph, nodes[i]);
        const Attainable &time = *estimate.nodes[nodes[i].index];
        table.addRow({print::secondsText(time.seconds), print::percentText(time.seconds / estimate.seconds),
                      std::string(name(time.bound)), sanitized(node.fullName()), sanitized(nameOf(node))});
    }
    return table.empty() ? "" : "  slowest\n" + table.print(4);
}

} // namespace

std::string_view name(Bound bound)
{
    switch (bound) {
    case Bound::Compute:
        return "compute";
    case Bound::Memory:
        return "memory";
    case Bound::Nothing:
        break;
    }
    return "nothing";
}

void writeRoofline(JsonWriter &out, const ir::Model &model, const analysis::Analysis &analysis,
                   const analysis::Device &device, std::int64_t weightBytes)
{
    const Roofline estimate = roofline(model, analysis, device, static_cast<double>(weightBytes));
    out.beginObject();
    out.member("device", device.id);
    out.member("device_name", device.name);
    out.member("seconds", estimate.seconds);
    out.member("unknown", estimate.unknown);
    out.key("reason");
    estimate.reason.empty() ? out.null() : out.value(estimate.reason);
    out.key("needed_bytes");
    estimate.neededBytes ? out.value(*estimate.neededBytes) : out.null();
    out.member("memory_bytes", device.memory);
    out.key("fits");
    estimate.neededBytes ? out.value(estimate.fits) : out.null();
    writeRooflineNodes(out, estimate);
    out.endObject();
}

std::string rooflineText(const ir::Model &model, const analysis::Analysis &analysis, const analysis::Device &device,
                         std::int64_t weightBytes)
{
    const Roofline estimate = roofline(model, analysis, device, static_cast<double>(weightBytes));
    const ir::Graph &graph = model.at(analysis.function).graph;
    print::TextTable table({{}, {.align = print::TextTable::Align::Left, .maxWidth = 100}});
    const auto row = [&](const char *what, std::string value) {
        if (!value.empty())
            table.addRow({what, std::move(value)});
    };
    if (estimate.seconds > 0 || estimate.unknown == 0)
        row("time (lower bound)", print::secondsText(estimate.seconds));
    row("compute-bound", boundText(graph, estimate, Bound::Compute));
    row("memory-bound", boundText(graph, estimate, Bound::Memory));
    row("memory", fitText(estimate, device));
    if (estimate.unknown > 0)
        row("not known", quantity(estimate.unknown, "node") + ": " + sanitized(estimate.reason));
    return table.print(2) + slowest(graph, estimate);
}

} // namespace cutaway::report
