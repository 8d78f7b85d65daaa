// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace cutaway::cli {

/// Shows progress: on a terminal as one line that is updated, elsewhere as a new line every ten seconds.
class Progress {
public:
    /// `what` names the counted things: "models".
    Progress(std::size_t total, std::string what) : m_total(total), m_what(std::move(what)) { }
    void show(std::size_t done);

private:
    using Clock = std::chrono::steady_clock;
    std::size_t m_total;
    std::string m_what;
    Clock::time_point m_start = Clock::now(), m_shown = {};
};

} // namespace cutaway::cli
