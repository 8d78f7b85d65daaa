// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace cutaway::cli {

/// One line that moves on a terminal, a line every ten seconds elsewhere.
class Progress {
public:
    /// `what`: "models"
    Progress(std::size_t total, std::string what) : m_total(total), m_what(std::move(what)) { }
    void show(std::size_t done);

private:
    using Clock = std::chrono::steady_clock;
    std::size_t m_total;
    std::string m_what;
    Clock::time_point m_start = Clock::now(), m_shown = {};
};

} // namespace cutaway::cli
