// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/statistics.h"
#include "views/session/running/run_settings.h"

#include <QStringList>
#include <memory>

namespace cutaway::run {
struct SavedProfile;
struct Timing;
} // namespace cutaway::run

namespace cutaway::views {

struct OpenedTrace;
struct RunStatistics;

/// Which model was run, how, and with which sizes.
struct RunOrigin {
    QString how; ///< "ONNX Runtime 1.21.0, 2 threads, optimised: all, AMD EPYC 9554"
    RunSettings settings;
    std::shared_ptr<const ir::Model> model;
    ir::FunctionId function;
    std::vector<std::string> given; ///< the texts of the given bindings and inputs
    QString note;                   ///< a note about sizes that were chosen, not given; "" if there are none
};

/// An output for display: its statistics if it has numbers, and its first elements as text.
struct ShownOutput {
    QString name, type;
    std::optional<tensor::Statistics> statistics;
    QStringList first;
    std::optional<ir::TensorId> tensor = {}; ///< the index in RunOutputs::tensors
};

/// The outputs of one run.
struct RunOutputs {
    QString backend; ///< "ONNX Runtime 1.21.0"
    double seconds;
    std::vector<ShownOutput> all;
    std::shared_ptr<const ir::Model>
        tensors; ///< has the outputs as constants, see run::resultsOf(); null: only statistics are known
    std::shared_ptr<const RunStatistics> statistics = nullptr;
};

/// The outputs of a run of the shown model, and those of the run before.
struct RunResult {
    RunOrigin origin;
    RunOutputs outputs;
    std::shared_ptr<const ir::Model> earlier = nullptr; ///< the output tensors of the previous run, or null
};

/// A profile of the shown model: measured here, opened from a file, or taken from a trace.
struct RunProfile {
    RunOrigin origin;
    std::shared_ptr<const run::Timing> timing;
    std::shared_ptr<const run::SavedProfile> saved; ///< `timing` in the form that is saved
    std::string json;                               ///< the content of the saved file
    QStringList notes = {};                         ///< remarks on parts of an opened profile that do not fit the model
    std::shared_ptr<const OpenedTrace> trace = {};  ///< the trace with the times, or null
};

} // namespace cutaway::views
