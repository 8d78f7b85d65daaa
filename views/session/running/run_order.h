// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/request/run_inputs.h"
#include "core/run/saved_profile.h"
#include "core/run/timing.h"
#include "views/session/running.h"

#include <filesystem>

namespace cutaway::views {

/// The settings and data that a run needs on the worker's thread.
struct RunOrder {
    Running::Kind kind;
    RunOrigin origin;
    std::shared_ptr<const ir::Model> opened;   ///< the model of the file
    std::optional<std::filesystem::path> path; ///< a file with the same content as the model; nothing if there is none
    analysis::Given given;
    run::GivenTensors tensors;
    decltype(RunChoices::find) find;
    std::shared_ptr<const ComparedModel> compared = nullptr; ///< the models whose values are compared
    RunSettings settingsOfCompared = {};
    std::optional<RunSettings> reference = {};          ///< settings for a second run of the same model
    QString trace = {};                                 ///< the file of a trace to read instead of running
    std::shared_ptr<const trace::Trace> recorded = {};  ///< the content of `trace`; null: not read yet
    std::shared_ptr<const OpenedTrace> first = nullptr; ///< the trace to compare `trace` with
};

/// A profile, as it is shown and as it is saved.
struct TimedRun {
    run::Timing timing;
    std::string json;
    run::SavedProfile saved;
    std::shared_ptr<const OpenedTrace> trace = {}; ///< the trace that the times are taken from
};

/// Carries out an order, and records in it which sizes were chosen. Errors: those of the backend and of what it needs.
Result<Running::Product> carryOut(RunOrder &order, const Task &task);

} // namespace cutaway::views
