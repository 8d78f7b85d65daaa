// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

namespace cutaway {

/// How long work is watched and stopped from outside: a token to ask for cancellation and a sink for progress.
/// Both may be left empty. Called on the worker's thread.
struct Task {
    std::stop_token stop;
    /// (what is being done, done, of how many; 0 of 0: unknown)
    std::function<void(std::string_view what, std::uint64_t done, std::uint64_t total)> progress;

    bool stopRequested() const { return stop.stop_requested(); }
    void report(std::string_view what, std::uint64_t done = 0, std::uint64_t total = 0) const
    {
        if (progress)
            progress(what, done, total);
    }
};

} // namespace cutaway
