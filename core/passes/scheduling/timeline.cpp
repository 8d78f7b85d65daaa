// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/scheduling/timeline.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace cutaway::passes {

namespace {

/// The state of all streams and links while jobs are issued one after the other.
class Clock {
public:
    Clock(const std::vector<Job> &jobs, const Link &link) : m_jobs(jobs), m_link(link)
    {
        m_timeline.start.resize(jobs.size());
        m_timeline.end.resize(jobs.size());
    }

    double freeAt(const StreamId &stream) const
    {
        const auto found = m_free.find(stream);
        return found == m_free.end() ? 0 : found->second;
    }

    /// Returns the time at which all inputs of a job would have arrived if it were issued now. The time never becomes
    /// earlier as more jobs are issued.
    double arrivalAt(std::size_t job) const
    {
        double arrival = 0;
        for (const Job::Needed &need : m_jobs[job].needs)
            arrival = std::max(arrival, arrivalOf(need, m_jobs[job].on.device));
        return arrival;
    }

    void issue(std::size_t job)
    {
        const Job &issued = m_jobs[job];
        double start = freeAt(issued.on);
        for (const Job::Needed &need : issued.needs)
            start = std::max(start, receive(need, issued.on.device));
        m_timeline.start[job] = start;
        m_timeline.end[job] = m_free[issued.on] = start + issued.seconds;
        m_timeline.busy[issued.on] += issued.seconds;
        m_timeline.seconds = std::max(m_timeline.seconds, m_timeline.end[job]);
    }

    Timeline take() { return std::move(m_timeline); }

private:
    double secondsOf(double bytes) const { return m_link.latency + bytes / m_link.bandwidth; }

    double arrivalOf(const Job::Needed &need, std::size_t device) const
    {
        const std::size_t from = m_jobs[need.job].on.device;
        if (from == device)
            return m_timeline.end[need.job];
        if (const auto sent = m_arrivals.find({need.job, device}); sent != m_arrivals.end())
            return sent->second;
        const auto link = m_links.find({from, device});
        return std::max(m_timeline.end[need.job], link == m_links.end() ? 0 : link->second) + secondsOf(need.bytes);
    }

    double receive(const Job::Needed &need, std::size_t device)
    {
        const double arrival = arrivalOf(need, device);
        const std::size_t from = m_jobs[need.job].on.device;
        if (from != device && m_arrivals.emplace(std::pair(need.job, device), arrival).second) {
            m_links[{from, device}] = arrival;
            m_timeline.transferSeconds += secondsOf(need.bytes);
            m_timeline.transferBytes += need.bytes;
            ++m_timeline.transfers;
        }
        return arrival;
    }

    const std::vector<Job> &m_jobs;
    const Link &m_link;
    Timeline m_timeline;
    std::map<StreamId, double> m_free;
    std::map<std::pair<std::size_t, std::size_t>, double> m_arrivals; ///< by job and device: when its result arrives
    /// By source and target: the time at which the link is free again.
    std::map<std::pair<std::size_t, std::size_t>, double> m_links;
};

/// Returns, for each job, the seconds from its start to the end of all jobs that need it, transfers included.
std::vector<double> pathsBehind(const std::vector<Job> &jobs, const Link &link)
{
    std::vector<double> path(jobs.size());
    for (std::size_t i = jobs.size(); i-- > 0;) {
        path[i] += jobs[i].seconds;
        for (const Job::Needed &need : jobs[i].needs) {
            const bool isSent = jobs[need.job].on.device != jobs[i].on.device;
            const double transfer = isSent ? link.latency + need.bytes / link.bandwidth : 0;
            path[need.job] = std::max(path[need.job], path[i] + transfer);
        }
    }
    return path;
}

/// The jobs of one stream whose needs have been issued. Jobs that could start as soon as the stream is free are kept
/// apart, so that not all jobs are checked at each issue.
class StreamQueue {
public:
    /// The start of a job; minus the seconds from there to the end of all jobs that need it; its index. The job with
    /// the smallest rank comes next.
    using Rank = std::tuple<double, double, std::size_t>;

    void add(std::size_t job, double path, double arrival) { m_waiting.emplace(arrival, -path, job); }

    std::optional<Rank> next(const Clock &clock, double free)
    {
        while (!m_waiting.empty() && std::get<0>(*m_waiting.begin()) <= free)
            refresh(clock, free);
        while (!m_startable.empty()) {
            const auto [path, job] = *m_startable.begin();
            const double arrival = clock.arrivalAt(job);
            if (arrival <= free)
                return Rank(free, path, job);
            m_startable.erase(m_startable.begin()); // its inputs now arrive later, since a link became busy
            m_waiting.emplace(arrival, path, job);
        }
        while (!m_waiting.empty()) {
            const Rank first = *m_waiting.begin();
            if (clock.arrivalAt(std::get<2>(first)) <= std::get<0>(first))
                return first;
            refresh(clock, free);
        }
        return std::nullopt;
    }

    void take(const Rank &rank)
    {
        m_startable.erase({std::get<1>(rank), std::get<2>(rank)});
        m_waiting.erase(rank);
    }

private:
    void refresh(const Clock &clock, double free)
    {
        const auto [before, path, job] = *m_waiting.begin();
        m_waiting.erase(m_waiting.begin());
        const double arrival = clock.arrivalAt(job);
        if (arrival <= free)
            m_startable.emplace(path, job);
        else
            m_waiting.emplace(arrival, path, job);
    }

    std::set<Rank> m_waiting;                             ///< jobs that wait for data, the earliest known arrival first
    std::set<std::pair<double, std::size_t>> m_startable; ///< jobs whose inputs arrive before the stream is free
};

} // namespace

Timeline simulated(const std::vector<Job> &jobs, const std::vector<std::size_t> &order, const Link &link)
{
    Clock clock(jobs, link);
    for (const std::size_t job : order)
        clock.issue(job);
    return clock.take();
}

std::vector<std::size_t> scheduled(const std::vector<Job> &jobs, const Link &link)
{
    std::vector<std::vector<std::size_t>> after(jobs.size());
    std::vector<std::size_t> missing(jobs.size()), order;
    const std::vector<double> path = pathsBehind(jobs, link);
    Clock clock(jobs, link);
    std::map<StreamId, StreamQueue> queues;
    const auto add = [&](std::size_t job) { queues[jobs[job].on].add(job, path[job], clock.arrivalAt(job)); };
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        missing[i] = jobs[i].needs.size();
        for (const Job::Needed &need : jobs[i].needs)
            after[need.job].push_back(i);
        if (missing[i] == 0)
            add(i);
    }
    while (true) {
        std::optional<StreamQueue::Rank> first;
        for (auto &[stream, queue] : queues)
            if (const auto next = queue.next(clock, clock.freeAt(stream)); next && (!first || *next < *first))
                first = next;
        if (!first)
            return order;
        const std::size_t job = std::get<2>(*first);
        queues[jobs[job].on].take(*first);
        clock.issue(job);
        order.push_back(job);
        for (const std::size_t later : after[job])
            if (--missing[later] == 0)
                add(later);
    }
}

} // namespace cutaway::passes
