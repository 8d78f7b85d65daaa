// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/connection.h"

#include <chrono>
#include <string>
#include <string_view>

namespace cutaway::plugin {

/// What was going on when a plugin failed.
struct Circumstances {
    std::string_view plugin;
    std::string_view target = {}; ///< "local"
    std::string_view method = {}; ///< "initialize": it was being started
    std::chrono::milliseconds limit{};
    Limits limits = {};
    std::string_view said = {}; ///< the end of its standard error
};

/// One sentence for people: "the plugin 'torch' was killed by signal 9 (Killed) while running 'profile'".
Error failureOf(const Interruption &interruption, const Circumstances &circumstances);
/// That a plugin's program cannot be started at all, and what the system says.
Error startFailure(std::string_view reason, const Circumstances &circumstances);
/// What a plugin has answered in place of a result.
Error failureOf(const protocol::Failure &failure, const Circumstances &circumstances);
Error wrongVersion(int spoken, const Circumstances &circumstances);

} // namespace cutaway::plugin
