// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/connection.h"

#include <chrono>
#include <string>
#include <string_view>

namespace cutaway::plugin {

/// The state in which a plugin failed.
struct Circumstances {
    std::string_view plugin;
    std::string_view target = {}; ///< the name of the target: "local"
    std::string_view method = {}; ///< the method of the request; "initialize" while starting
    std::chrono::milliseconds limit{};
    Limits limits = {};
    std::string_view errorOutput = {}; ///< the last lines of the process's standard error
};

/// Returns the error for users: "the plugin 'torch' was killed by signal 9 (Killed) while running 'profile'".
Error failureOf(const Interruption &interruption, const Circumstances &circumstances);
/// Returns the error for a program that cannot be started; `reason` is the system's message.
Error startFailure(std::string_view reason, const Circumstances &circumstances);
/// Returns the error for a plugin's error response.
Error failureOf(const protocol::Failure &failure, const Circumstances &circumstances);
Error wrongVersion(int spoken, const Circumstances &circumstances);

} // namespace cutaway::plugin
