// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"
#include "core/run/backend.h"
#include "core/run/offer.h"

#include <functional>
#include <memory>

namespace cutaway::views {

/// The purpose of a run, or which recorded times to read.
enum class RunKind : std::uint8_t {
    Run,
    Statistics, ///< a run with statistics of all values
    Profile,
    Trace,      ///< reads a trace of a run elsewhere, which is then the profile
    SecondTrace ///< reads a trace, and compares it with the one that is open
};

/// The user's settings for running a model.
struct RunSettings {
    std::string backend;        ///< the name of the chosen run::Offer; "": none
    std::string reference = {}; ///< a backend to compare the values of a run with, or ""
    std::string target = "local";
    run::BackendOptions options;
    std::uint32_t seed = 1; ///< the seed of the random inputs
    double seconds = 5;     ///< the time limit for each of the two halves of a profile
};

/// The backends and targets that models can be run with. Whoever creates a session sets them.
struct RunChoices {
    std::vector<run::Offer> backends; ///< all known backends, including those that are not installed
    std::vector<std::string> targets{"local"};
    std::string problem; ///< why further backends are missing; "" if none are
    std::function<Result<std::unique_ptr<run::Backend>>(const RunSettings &)> find;
    /// Returns the devices of the chosen backend. Called on another thread.
    std::function<Result<std::vector<protocol::Devices::Device>>(const RunSettings &)> devices = {};
};

} // namespace cutaway::views
