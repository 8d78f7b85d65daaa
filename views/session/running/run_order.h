// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/request/run_inputs.h"
#include "core/run/saved_profile.h"
#include "core/run/timing.h"
#include "views/session/running.h"

#include <filesystem>

namespace cutaway::views {

/// The data that the worker's thread needs for a run.
struct RunOrder {
    Running::Kind kind;
    RunOrigin origin;
    std::shared_ptr<const ir::Model> opened;   ///< the model as its file has it
    std::optional<std::filesystem::path> path; ///< a file that computes the same as the model
    analysis::Given given;
    run::GivenTensors tensors;
    decltype(RunChoices::find) find;
    std::shared_ptr<const ComparedModel> compared = nullptr; ///< whose values are compared
    RunSettings settingsOfCompared = {};
    std::optional<RunSettings> reference = {};          ///< settings for a second run of the same model
    QString trace = {};                                 ///< the file of a trace to read in place of a run
    std::shared_ptr<const trace::Trace> recorded = {};  ///< the content of `trace`; null: it is not read yet
    std::shared_ptr<const OpenedTrace> first = nullptr; ///< the trace that this one is compared with
};

/// Times, with the sizes and the figures that they were taken with.
struct TimedRun {
    run::Timing timing;
    std::string json;
    run::SavedProfile saved;
    std::shared_ptr<const OpenedTrace> trace = {}; ///< which the times are taken from
};

/// Carries out an order, and notes in it which sizes were chosen. Errors: those of the backend and of what it needs.
Result<Running::Product> carryOut(RunOrder &order, const Task &task);

} // namespace cutaway::views
