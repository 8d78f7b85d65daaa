// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

namespace cutaway {

/// How a caller observes and stops long work: a stop token and a progress callback. Both may be empty. The callback
/// runs on the worker's thread.
struct Task {
    std::stop_token stop;
    /// (current step, items done, items in total); total 0: unknown
    std::function<void(std::string_view what, std::uint64_t done, std::uint64_t total)> progress;

    bool stopRequested() const { return stop.stop_requested(); }
    void report(std::string_view what, std::uint64_t done = 0, std::uint64_t total = 0) const
    {
        if (progress)
            progress(what, done, total);
    }
};

} // namespace cutaway
