// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/scheduling/timeline.h"

#include <algorithm>
#include <numeric>
#include <set>
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

    /// When it would start if it were issued now.
    double startOf(std::size_t job) const
    {
        double start = freeAt(m_jobs[job].on);
        for (const Job::Needed &need : m_jobs[job].needs)
            start = std::max(start, arrivalOf(need, m_jobs[job].on.device));
        return start;
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
    double freeAt(const StreamId &stream) const
    {
        const auto found = m_free.find(stream);
        return found == m_free.end() ? 0 : found->second;
    }

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
    std::map<std::pair<std::size_t, std::size_t>, double> m_arrivals; ///< by job and device
    std::map<std::pair<std::size_t, std::size_t>, double> m_links;    ///< from, to: free again
};

/// Seconds from the start of each job to the end of all that needs it, transfers included.
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
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        missing[i] = jobs[i].needs.size();
        for (const Job::Needed &need : jobs[i].needs)
            after[need.job].push_back(i);
        if (missing[i] == 0)
            ready.insert(i);
    }
    const std::vector<double> path = pathsBehind(jobs, link);
    Clock clock(jobs, link);
    while (!ready.empty()) {
        const auto rank = [&](std::size_t job) { return std::tuple(clock.startOf(job), -path[job], job); };
        const std::size_t next = *std::ranges::min_element(ready, {}, rank);
        ready.erase(next);
        clock.issue(next);
        order.push_back(next);
        for (const std::size_t later : after[next])
            if (--missing[later] == 0)
                ready.insert(later);
    }
    return order;
}

} // namespace cutaway::passes
