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

/// The model that was run, how, and which sizes were chosen for it.
struct RunOrigin {
    QString how; ///< "ONNX Runtime 1.21.0, 2 threads, optimised: all, AMD EPYC 9554"
    RunSettings settings;
    std::shared_ptr<const ir::Model> model;
    ir::FunctionId function;
    std::vector<std::string> given; ///< texts of bindings and inputs
    QString note;                   ///< sizes that were chosen, not given; "" if there are none
};

/// An output as it is shown: statistics if it has numbers, and the first elements as text.
struct ShownOutput {
    QString name, type;
    std::optional<tensor::Statistics> statistics;
    QStringList first;
    std::optional<ir::TensorId> tensor = {}; ///< the place in RunOutputs::tensors
};

/// The outputs of one run.
struct RunOutputs {
    QString backend; ///< "ONNX Runtime 1.21.0"
    double seconds;
    std::vector<ShownOutput> all;
    std::shared_ptr<const ir::Model> tensors; ///< see run::resultsOf(); null: only statistics are known
    std::shared_ptr<const RunStatistics> statistics = nullptr;
};

/// A run of the shown model.
struct RunResult {
    RunOrigin origin;
    RunOutputs outputs;
    std::shared_ptr<const ir::Model> earlier = nullptr; ///< the tensors of the previous run, if there was one
};

/// Times of the shown model: measured here, opened, or those of a trace.
struct RunProfile {
    RunOrigin origin;
    std::shared_ptr<const run::Timing> timing;
    std::shared_ptr<const run::SavedProfile> saved; ///< `timing` in the form that is saved
    std::string json;                               ///< the content of the saved file
    QStringList notes = {};                         ///< for an opened profile: what does not fit the model
    std::shared_ptr<const OpenedTrace> trace = {};  ///< where the times come from; null: they were measured here
};

} // namespace cutaway::views
