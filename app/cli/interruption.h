// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

namespace cutaway::cli {

/// While an object of this class exists, Ctrl+C and SIGTERM request a stop instead of ending the program; a second
/// signal ends it. There is at most one object at a time.
class Interruption {
public:
    Interruption();
    Interruption(const Interruption &) = delete;
    Interruption &operator=(const Interruption &) = delete;
    ~Interruption();

    std::stop_token token() const { return m_stop.get_token(); }

private:
    void watch(const std::stop_token &end);

    std::stop_source m_stop;
    std::jthread m_watch;
};

} // namespace cutaway::cli
