// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/links/gradient_links.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::trace {

namespace {

constexpr std::string_view gradient = "autograd::engine::evaluate_function: ";

/// The rows of the forward by sequence number; a row has the number of an event in it.
using Forwards = std::unordered_map<std::int64_t, const Row *>;

void addSequences(const Trace &trace, const Nesting &nesting, EventIndex event, const Row &row, int depth,
                  Forwards &forwards)
{
    constexpr int maxDepth = 200;
    if (const auto sequence = trace.detailsOf(trace.events[event]).sequence)
        forwards[*sequence] = &row;
    if (depth < maxDepth)
        for (const EventIndex inner : nesting.in(event))
            addSequences(trace, nesting, inner, row, depth + 1, forwards);
}

} // namespace

bool isGradient(std::string_view name) { return name.starts_with(gradient); }

void linkGradients(const Trace &trace, const Nesting &nesting, std::vector<Row> &rows)
{
    const auto isOfGradient = [&](const Row &row) { return isGradient(trace.nameOf(trace.events[row.event])); };
    if (std::ranges::none_of(rows, isOfGradient))
        return;
    Forwards forwards;
    for (const Row &row : rows)
        if (!isOfGradient(row) && row.link.reason.empty())
            addSequences(trace, nesting, row.event, row, 0, forwards);
    for (Row &row : rows) {
        if (!isOfGradient(row))
            continue;
        const Event &event = trace.events[row.event];
        const auto sequence = trace.detailsOf(event).sequence;
        const auto forward = sequence ? forwards.find(*sequence) : forwards.end();
        if (trace.nameOf(event).contains("AccumulateGrad")) {
            row.link.reason = "it adds up a gradient of a parameter";
        } else if (forward == forwards.end()) {
            row.link.reason = "no operator of the forward has its sequence number";
        } else if (forward->second->link.nodes.empty()) {
            row.link.reason = "the operator of the forward with its sequence number belongs to no node";
        } else {
            row.link = forward->second->link;
            row.link.evidence = Evidence::Sequence;
            row.phase = Phase::Backward;
        }
    }
}

} // namespace cutaway::trace
