// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/iterations.h"

#include <algorithm>
#include <map>

namespace cutaway::trace {

namespace {

constexpr std::string_view profilerStep = "ProfilerStep#";

/// Returns the kind of an annotation: its name without the number after a '#'.
std::string_view kindOf(std::string_view name) { return name.substr(0, name.find('#')); }

/// Returns the events that mark iterations, by start.
std::vector<EventIndex> marksIn(const Trace &trace, const Nesting &nesting)
{
    std::vector<EventIndex> steps, runs;
    for (EventIndex i = 0; i < trace.events.size(); ++i) {
        const Event &event = trace.events[i];
        if (event.category == Category::Annotation && trace.nameOf(event).starts_with(profilerStep))
            steps.push_back(i);
        else if (event.category == Category::Run)
            runs.push_back(i);
    }
    if (!steps.empty() || !runs.empty())
        return steps.empty() ? runs : steps;
    struct Marks {
        double time = 0;
        std::vector<EventIndex> events;
    };
    std::map<std::string_view, Marks> kinds;
    for (const EventIndex i : nesting.outermost()) {
        const Event &event = trace.events[i];
        const std::string_view kind = kindOf(trace.nameOf(event)); // "" for a node's, "## relu ##"
        if (event.category != Category::Annotation || nesting.in(i).empty() || kind.empty())
            continue;
        Marks &marks = kinds[kind];
        marks.time += static_cast<double>(event.duration);
        marks.events.push_back(i);
    }
    const auto most = std::ranges::max_element(kinds, {}, [](const auto &kind) { return kind.second.time; });
    return most == kinds.end() ? std::vector<EventIndex>() : std::move(most->second.events);
}

Iteration wholeTrace(const Trace &trace, const Nesting &nesting)
{
    Iteration whole;
    whole.events.assign(nesting.outermost().begin(), nesting.outermost().end());
    if (whole.events.empty())
        return whole;
    whole.start = trace.events[whole.events.front()].start;
    std::int64_t end = whole.start;
    for (const EventIndex i : whole.events)
        end = std::max(end, trace.events[i].end());
    whole.duration = end - whole.start;
    return whole;
}

/// Adds the events of other lanes than that of the marks to the iterations in which they begin.
void addOtherLanes(const Trace &trace, const Nesting &nesting, const std::vector<EventIndex> &marks,
                   std::vector<Iteration> &iterations)
{
    const auto isMark = [&](EventIndex i) { return std::ranges::binary_search(marks, i); };
    for (const EventIndex i : nesting.outermost()) {
        const Event &event = trace.events[i];
        const auto after = std::ranges::upper_bound(iterations, event.start, {}, &Iteration::start);
        if (after == iterations.begin() || isMark(i))
            continue;
        Iteration &during = *std::prev(after);
        if (event.start < during.start + during.duration)
            during.events.push_back(i);
    }
    for (Iteration &iteration : iterations)
        std::ranges::sort(iteration.events);
}

void findWarmUp(std::vector<Iteration> &iterations)
{
    if (iterations.size() < 3)
        return;
    std::vector<std::int64_t> durations;
    for (const Iteration &iteration : iterations)
        durations.push_back(iteration.duration);
    const auto middle = durations.begin() + std::ssize(durations) / 2;
    std::ranges::nth_element(durations, middle);
    iterations.front().isWarmUp = iterations.front().duration / 2 > *middle;
}

} // namespace

std::vector<Iteration> iterationsOf(const Trace &trace, const Nesting &nesting)
{
    const std::vector<EventIndex> marks = marksIn(trace, nesting);
    if (marks.empty())
        return {wholeTrace(trace, nesting)};
    std::vector<Iteration> iterations;
    for (const EventIndex mark : marks) {
        const Event &event = trace.events[mark];
        const auto inside = nesting.in(mark);
        iterations.push_back({std::string(trace.nameOf(event)), event.start, event.duration,
                              std::vector<EventIndex>(inside.begin(), inside.end())});
    }
    addOtherLanes(trace, nesting, marks, iterations);
    findWarmUp(iterations);
    return iterations;
}

} // namespace cutaway::trace
