// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

namespace cutaway {

/// Lets a caller observe and stop long work, by a progress callback and a stop token. Both may be empty. The callback
/// runs on the worker's thread.
struct Task {
    std::stop_token stop;
    /// Called with the current step, the number of items done and of all items (0: unknown).
    std::function<void(std::string_view what, std::uint64_t done, std::uint64_t total)> progress;

    bool stopRequested() const { return stop.stop_requested(); }
    void report(std::string_view what, std::uint64_t done = 0, std::uint64_t total = 0) const
    {
        if (progress)
            progress(what, done, total);
    }
};

} // namespace cutaway
