// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/survey/progress.h"

#include "core/base/text.h"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace cutaway::cli {

void Progress::show(std::size_t done)
{
    const bool isTerminal = ::isatty(STDERR_FILENO) != 0;
    const auto now = Clock::now();
    const bool isLast = done == m_total;
    if (!isLast && now - m_start < std::chrono::seconds(1))
        return;
    if (!isLast && now - m_shown < (isTerminal ? std::chrono::milliseconds(200) : std::chrono::seconds(10)))
        return;
    m_shown = now;
    const double seconds = std::chrono::duration<double>(now - m_start).count();
    const double rate = static_cast<double>(done) / std::max(seconds, 1e-3);
    const double left = static_cast<double>(m_total - done) / std::max(rate, 1e-3);
    std::string line = "cutaway: " + grouped(static_cast<long long>(done)) + " of "
        + grouped(static_cast<long long>(m_total)) + " " + m_what + ", " + grouped(static_cast<long long>(rate))
        + " per second";
    line += isLast ? "" : ", about " + grouped(static_cast<long long>(left) + 1) + " s left";
    std::cerr << (isTerminal ? "\r\x1b[K" : "") << line << (isTerminal && !isLast ? "" : "\n") << std::flush;
}

} // namespace cutaway::cli
