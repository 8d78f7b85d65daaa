// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/methods.h"
#include "core/run/backend.h"
#include "core/run/offer.h"

#include <functional>
#include <memory>

namespace cutaway::views {

/// How a model is run, or times of it that were recorded elsewhere are read.
enum class RunKind : std::uint8_t {
    Run,
    Statistics, ///< a run with statistics of all values
    Profile,
    Trace,      ///< reads a trace of a run elsewhere, which is then the profile
    SecondTrace ///< is read, and compared with the opened one
};

/// How the user wants a model to be run.
struct RunSettings {
    std::string backend;        ///< as run::Offer names it; "": there is none
    std::string reference = {}; ///< the backend with whose values those of a run with statistics are compared, or ""
    std::string target = "local";
    run::BackendOptions options;
    std::uint32_t seed = 1; ///< the seed of the random inputs
    double seconds = 5;     ///< at most, for each of the two halves of a profile
};

/// The backends and targets that models can be run with; set by whoever makes a session.
struct RunChoices {
    std::vector<run::Offer> backends; ///< including those that are not installed
    std::vector<std::string> targets{"local"};
    std::string problem; ///< why there are no more; "": nothing is wrong
    std::function<Result<std::unique_ptr<run::Backend>>(const RunSettings &)> find;
    /// Returns the devices of the chosen backend. Called on another thread.
    std::function<Result<std::vector<protocol::Devices::Device>>(const RunSettings &)> devices = {};
};

} // namespace cutaway::views
