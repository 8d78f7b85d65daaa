// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/record.h"
#include "core/survey/request.h"

#include <chrono>

namespace cutaway::survey {

/// Checks the text of a profile. Errors (Usage): "torch@" names no device; the evaluator measures nothing.
Result<void> parseProfile(const std::string &backend);

/// Times one model as `asked`, in a process of its own, with the request's sizes and inputs that the model has. The
/// result also has the least time on the request's device, or else on this machine if it has been calibrated. Machine
/// and request are left empty. Errors: the file cannot be read; the request is wrong.
Result<Measurement> measured(const std::string &path, const Request &request, const Profile &asked,
                             const OpenModel &open);

// The functions below are for requests that ask for a Profile.

/// Returns the measurement that a record has; one without times if the worker crashed or took too long.
Measurement measurementOf(const Record &record, const Request &request, const std::string &machine);
/// Returns a measurement without times, for a machine that was lost or a worker that its scheduler gave up.
Measurement withoutMeasurement(Measurement::State state, std::string message, const Request &request,
                               const std::string &machine);

/// Returns the name of this machine as profiles have it.
std::string hostName();

/// Returns how long a worker may take for a model; a profile also has a limit of its own, which is shorter.
std::chrono::milliseconds workerLimit(const Request &request);

} // namespace cutaway::survey
