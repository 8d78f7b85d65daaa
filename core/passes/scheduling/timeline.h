// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace cutaway::passes {

/// A queue of work of a device. Work of one stream runs in the order in which it was issued.
struct StreamId {
    std::size_t device = 0, stream = 0;
    auto operator<=>(const StreamId &) const = default;
};

/// A node as a simulation sees it.
struct Job {
    struct Needed {
        std::size_t job = 0;
        double bytes = 0; ///< bytes that it hands over, the same to each job on another device
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
    std::map<StreamId, double> busy; ///< seconds
    double seconds = 0;              ///< until all have run
    double transferSeconds = 0, transferBytes = 0;
    std::size_t transfers = 0;
};

/// Issues the jobs in this order, which has each after what it needs. A job starts when its stream is free and what it
/// needs is there. What is made on another device is sent as soon as it is made, once to each device; transfers of one
/// direction come one after the other, and run beside the work of streams.
Timeline simulated(const std::vector<Job> &jobs, const std::vector<std::size_t> &order, const Link &link);

/// An order by list scheduling: of the jobs whose needs are issued, the next is the one that can start first; of
/// several, the one after which the longest path lies, then the first.
std::vector<std::size_t> scheduled(const std::vector<Job> &jobs, const Link &link);

} // namespace cutaway::passes
