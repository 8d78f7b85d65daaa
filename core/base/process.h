// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway {

struct ProcessOutput {
    int exitCode = 0;
    std::string standardOutput;
    std::string standardError;
    bool timedOut = false; ///< whether it was killed at the deadline; the output is what it had written until then
};

/// Runs a program found on PATH with `input` as its standard input, and waits until it ends, but at most for `limit`.
/// Errors (Backend): the program cannot be started or was killed by a signal; (Cancelled) stop was requested.
Result<ProcessOutput> runProcess(const std::vector<std::string> &command, std::string_view input,
                                 std::chrono::milliseconds limit, std::stop_token stop = {});

} // namespace cutaway
