// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace cutaway::passes {

/// A stream: a queue of work of a device. The work of one stream runs in the order in which it was issued.
struct StreamId {
    std::size_t device = 0, stream = 0;
    auto operator<=>(const StreamId &) const = default;
};

/// A node in the simulation: its stream, its time and the jobs whose results it needs.
struct Job {
    struct Needed {
        std::size_t job = 0;
        double bytes = 0; ///< the bytes that each reader on another device receives
    };
    StreamId on;
    double seconds = 0;
    std::vector<Needed> needs;
};

/// A link between any two devices, the same in each direction.
struct Link {
    double bandwidth = 0; ///< bytes/s
    double latency = 0;   ///< seconds per transfer
};

/// The times at which jobs run, by the indices of the jobs.
struct Timeline {
    std::vector<double> start, end;
    std::map<StreamId, double> busy; ///< by stream: the seconds in which it runs jobs
    double seconds = 0;              ///< the time until all jobs have run
    double transferSeconds = 0, transferBytes = 0;
    std::size_t transfers = 0;
};

/// Issues the jobs in this order, in which each follows those that it needs. A job starts when its stream is free and
/// its inputs are there. A result for another device is sent as soon as it is made, once to each device; transfers of
/// one direction come one after the other, and run beside the work of streams.
Timeline simulated(const std::vector<Job> &jobs, const std::vector<std::size_t> &order, const Link &link);

/// Returns an order by list scheduling: of the jobs whose needs have been issued, the next is the one that can start
/// first; if several can, the one with the longest path behind it; if several have that, the first in the list.
std::vector<std::size_t> scheduled(const std::vector<Job> &jobs, const Link &link);

} // namespace cutaway::passes
